import { operations } from '@concord/contract'
import { getPolicy as get } from '../../app/access/policies.ts'
import type { PoliciesDeps } from '../../app/access/policies.ts'
import { toPolicyRecord } from '../policy-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getPolicy(deps: PoliciesDeps): Route {
  return tenantRoute(operations.getPolicy, async ({ who }) => ({
    status: 200,
    body: toPolicyRecord(await get(deps, who, null)),
  }))
}
