import { operations } from '@concord/contract'
import { putPolicy as put } from '../../app/access/policies.ts'
import type { PoliciesDeps } from '../../app/access/policies.ts'
import { toPolicyRecord } from '../policy-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function putPolicy(deps: PoliciesDeps): Route {
  return tenantRoute(operations.putPolicy, async ({ who, body }) => ({
    status: 200,
    body: toPolicyRecord(await put(deps, who, null, body.text)),
  }))
}
