/** A scope in a list of them, and over time. */
import type { TenantCaller } from '../domain/caller.ts'
import { Fault } from '../domain/fault.ts'
import { strictest } from '../domain/runtime.ts'
import type { RuntimeState } from '../domain/runtime.ts'
import { decideWindow, percentilesOf, pointsOf } from '../domain/scope-metrics.ts'
import type { MetricsRequest, MetricsWindow, Percentiles } from '../domain/scope-metrics.ts'
import type { Pools } from '../store/pools.ts'
import * as store from '../store/scope-figures.ts'
import type { CountedScopeRow, MetricsRow, StatusCounts } from '../store/scope-figures.ts'
import type { ScopeRow } from '../store/scopes.ts'
import { inTenant } from '../store/transaction.ts'

export type { StatusCounts }

export interface ScopeFiguresDeps {
  readonly pools: Pools
}

export interface CountedScope extends ScopeRow {
  readonly runtime: {
    readonly own: RuntimeState
    readonly effective: RuntimeState
    readonly generation: number
  }
  readonly documents: StatusCounts
}

export interface MetricsPoint {
  readonly at: Date
  readonly accepted: number
  readonly processed: number
  readonly failed: number
  readonly queueWaitMs: Percentiles | null
  readonly processingMs: Percentiles | null
}

export interface ScopeMetrics {
  readonly window: MetricsWindow
  readonly points: readonly MetricsPoint[]
}

export async function getScopeMetrics(
  { pools }: ScopeFiguresDeps,
  who: TenantCaller,
  scopeId: string,
  request: MetricsRequest,
): Promise<ScopeMetrics> {
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    const now = await store.selectScopeClock(transaction, scopeId)
    if (!now) throw new Fault('scope_not_found')
    const window = decideWindow(request, now)
    const rows = await store.selectScopeMetrics(transaction, scopeId, window)
    const found = new Map(rows.map((row) => [row.at.getTime(), row]))
    return { window, points: pointsOf(window).map((at) => toPoint(at, found.get(at.getTime()))) }
  })
}

function toPoint(at: Date, row: MetricsRow | undefined): MetricsPoint {
  return {
    at,
    accepted: row?.accepted ?? 0,
    processed: row?.processed ?? 0,
    failed: row?.failed ?? 0,
    queueWaitMs: percentilesOf(row?.waits ?? null),
    processingMs: percentilesOf(row?.takes ?? null),
  }
}

export function toCountedScope({ switches, ...row }: CountedScopeRow): CountedScope {
  const { own, ofTenant, ofService, generation } = switches
  return { ...row, runtime: { own, effective: strictest(ofService, ofTenant, own), generation } }
}
