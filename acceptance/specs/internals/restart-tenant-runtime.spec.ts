/** restartTenantRuntime: work runs, from any state, under a new generation, of a tenant or of one of its scopes. */
import { describeTenantRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

describeTenantRuntime(createSubject('restartTenantRuntime'), 'restart')
