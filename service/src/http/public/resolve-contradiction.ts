import { operations } from '@concord/contract'
import { resolveContradiction as resolve } from '../../app/contradictions/resolutions.ts'
import type { FoundContradiction } from '../../app/contradictions/contradictions.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import type { ScopeWriteDeps } from '../../app/scopes/scope-transaction.ts'
import { toContradictionRecord } from '../contradiction-records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

export function resolveContradiction(deps: ScopeWriteDeps & IdempotencyDeps): Route {
  return replayableRoute(deps, operations.resolveContradiction, async ({ who, params, body }, keeping) => {
    const { scopeId, contradictionId } = params
    const settlement = {
      outcome: body.outcome,
      holds: body.outcome === 'resolved' ? body.holds : null,
      by: body.by ?? null,
      reason: body.reason,
    }
    return toAnswer(await resolve(deps, who, scopeId, contradictionId, settlement, keeping(toAnswer)))
  })
}

const toAnswer = (found: FoundContradiction) => ({ status: 200, body: toContradictionRecord(found) }) as const
