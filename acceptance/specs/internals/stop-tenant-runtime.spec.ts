/** stopTenantRuntime: nothing runs any more, of a tenant or of one of its scopes. */
import { describeHeldTenant } from '../../rules/runtime-moves.ts'
import { describeTenantRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

const subject = createSubject('stopTenantRuntime')

describeHeldTenant(subject, 'stopped')
describeTenantRuntime(subject, 'stop')
