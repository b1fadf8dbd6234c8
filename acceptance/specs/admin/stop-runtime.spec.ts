/** stopRuntime of one scope: nothing runs any more. */
import { describeHeldScope } from '../../rules/runtime-moves.ts'
import { describeAdminRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('stopRuntime')

describeHeldScope(subject, ['start', 'restart'])
describeAdminRuntime(subject, 'stop')
