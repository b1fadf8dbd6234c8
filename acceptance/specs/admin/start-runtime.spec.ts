/** startRuntime of one scope: work runs again. */
import { describeAdminRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

describeAdminRuntime(createSubject('startRuntime'), 'start')
