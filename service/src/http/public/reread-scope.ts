import { operations } from '@concord/contract'
import { requestReread } from '../../app/processing/rereads.ts'
import type { ScopeWritingDeps } from '../../app/scopes/scope-writing.ts'
import { toRereadRecord } from '../reread-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function rereadScope(deps: ScopeWritingDeps): Route {
  return tenantRoute(operations.rereadScope, async ({ who, params: { scopeId }, body }) => {
    const selection = { documentIds: body.document_ids ?? null, readBy: body.read_by ?? null }
    const reread = await requestReread(deps, who, scopeId, selection)
    return {
      status: 202,
      headers: { location: `/api/scopes/${scopeId}/reread` },
      body: toRereadRecord(scopeId, reread),
    }
  })
}
