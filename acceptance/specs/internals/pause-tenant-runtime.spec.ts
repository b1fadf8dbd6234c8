/** pauseTenantRuntime: nothing new starts once it is answered, of a tenant or of one of its scopes. */
import { describeHeldTenant } from '../../rules/runtime-moves.ts'
import { describeTenantRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('pauseTenantRuntime')

describeHeldTenant(subject, 'paused')
describeTenantRuntime(subject, 'pause')
