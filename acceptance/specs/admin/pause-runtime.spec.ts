/** pauseRuntime of one scope: nothing new starts once it is answered. */
import { describeHeldScope } from '../../rules/runtime-moves.ts'
import { describeAdminRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('pauseRuntime')

describeHeldScope(subject, ['start', 'resume', 'restart'])
describeAdminRuntime(subject, 'pause')
