import { operations } from '@concord/contract'
import { getPolicy as get } from '../../app/access/policies.ts'
import type { PoliciesDeps } from '../../app/access/policies.ts'
import { toPolicyRecord } from '../policy-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getScopePolicy(deps: PoliciesDeps): Route {
  return tenantRoute(operations.getScopePolicy, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toPolicyRecord(await get(deps, who, scopeId)),
  }))
}
