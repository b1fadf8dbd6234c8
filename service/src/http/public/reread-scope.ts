import { operations } from '@concord/contract'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import { requestReread } from '../../app/processing/rereads.ts'
import type { RereadRow } from '../../app/processing/rereads.ts'
import type { ScopeWriteDeps } from '../../app/scopes/scope-transaction.ts'
import { toRereadRecord } from '../reread-records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

export function rereadScope(deps: ScopeWriteDeps & IdempotencyDeps): Route {
  return replayableRoute(
    deps,
    operations.rereadScope,
    async ({ who, params: { scopeId }, body }, keeping) => {
      const selection = { documentIds: body.document_ids ?? null, readBy: body.read_by ?? null }
      const toAnswer = (reread: RereadRow) =>
        ({
          status: 202,
          headers: { location: `/api/scopes/${scopeId}/reread` },
          body: toRereadRecord(scopeId, reread),
        }) as const
      return toAnswer(await requestReread(deps, who, scopeId, selection, keeping(toAnswer)))
    },
  )
}
