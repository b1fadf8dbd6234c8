import { operations } from '@concord/contract'
import { resolveContradiction as resolve } from '../../app/contradictions/resolving.ts'
import type { ScopeWritingDeps } from '../../app/scopes/scope-writing.ts'
import { toContradictionRecord } from '../contradiction-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function resolveContradiction(deps: ScopeWritingDeps): Route {
  return tenantRoute(operations.resolveContradiction, async ({ who, params, body }) => {
    const { scopeId, contradictionId } = params
    const found = await resolve(deps, who, scopeId, contradictionId, {
      outcome: body.outcome,
      holds: body.outcome === 'resolved' ? body.holds : null,
      by: body.by ?? null,
      reason: body.reason,
    })
    return { status: 200, body: toContradictionRecord(found) }
  })
}
