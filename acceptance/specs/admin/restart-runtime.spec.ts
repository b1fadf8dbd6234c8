/** restartRuntime of one scope: work runs, from any state, under a new generation. */
import { describeAdminRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

describeAdminRuntime(createSubject('restartRuntime'), 'restart')
