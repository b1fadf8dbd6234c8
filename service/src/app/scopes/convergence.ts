/** How settled scopes are. */
import { TREND_POINTS, trendOf } from '../../domain/convergence-trend.ts'
import type { Trend } from '../../domain/convergence-trend.ts'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import * as store from '../../store/scopes/convergence.ts'
import type {
  ConvergenceStats,
  ConvergencePoint,
  KernelConvergenceRow,
} from '../../store/scopes/convergence.ts'
import type { Pools } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import { decodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { SCOPE_ID, UUID } from '../patterns.ts'
import { requireScope } from './required-scope.ts'

export type { ConvergenceStats, ConvergencePoint, Trend }

/** The largest number that the contract allows. */
const BLOCKERS = 100
const POINTS = 50

export interface ConvergenceDeps {
  readonly pools: Pools
}

export interface ScopeConvergence extends store.ScopeConvergenceRow {
  readonly trend: Trend
}

export async function getConvergence(
  { pools }: ConvergenceDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
): Promise<ScopeConvergence> {
  const row = await inTenant(pools.tenant, tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    return store.selectConvergence(transaction, scopeId, { blockers: BLOCKERS, points: POINTS })
  })
  if (!row) throw new Fault('scope_not_found')
  return { ...row, trend: trendOf(row.points, row) }
}

export interface KernelConvergence extends KernelConvergenceRow {
  readonly trend: Trend
}

/** Covers all tenants; figures only. */
export async function listConvergence(
  { pools }: ConvergenceDeps,
  request: PageRequest & { readonly tenantId: string | undefined; readonly scopeId: string | undefined },
): Promise<Page<KernelConvergence>> {
  const { limit, cursor, ...filter } = request
  const [tenantId, scopeId] = decodeCursor(cursor, [UUID, SCOPE_ID]) ?? []
  const after = tenantId === undefined || scopeId === undefined ? undefined : { tenantId, scopeId }
  const rows = await store.selectKernelConvergence(
    pools.kernel,
    { ...filter, after },
    { scopes: limit + 1, points: TREND_POINTS },
  )
  return toPage(
    rows,
    limit,
    (row) => ({ ...row, trend: trendOf(row.points, row) }),
    (row) => [row.tenantId, row.scopeId],
  )
}
