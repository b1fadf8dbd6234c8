/** resumeRuntime of one scope: a pause is over. */
import { describeAdminRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

describeAdminRuntime(createSubject('resumeRuntime'), 'resume')
