import { operations } from '@concord/contract'
import { getReread as get } from '../../app/processing/rereads.ts'
import type { ScopeWriteDeps } from '../../app/scopes/scope-transaction.ts'
import { toRereadRecord } from '../reread-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getReread(deps: Pick<ScopeWriteDeps, 'pools'>): Route {
  return tenantRoute(operations.getReread, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toRereadRecord(scopeId, await get(deps, who, scopeId)),
  }))
}
