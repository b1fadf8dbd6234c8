import { operations } from '@concord/contract'
import { getContradiction as get } from '../../app/contradictions/contradictions.ts'
import type { ContradictionsDeps } from '../../app/contradictions/contradictions.ts'
import { toContradictionRecord } from '../contradiction-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getContradiction(deps: ContradictionsDeps): Route {
  return tenantRoute(operations.getContradiction, async ({ who, params: { scopeId, contradictionId } }) => ({
    status: 200,
    body: toContradictionRecord(await get(deps, who, scopeId, contradictionId)),
  }))
}
