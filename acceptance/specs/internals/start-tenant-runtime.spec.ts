/** startTenantRuntime: work runs again, of a tenant or of one of its scopes. */
import { describeTenantRuntime } from '../../rules/runtime-operations.ts'
import { createSubject } from '../../subject.ts'

describeTenantRuntime(createSubject('startTenantRuntime'), 'start')
