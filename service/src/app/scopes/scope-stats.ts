/** Returns statistics of scopes: counts for lists, and series over time. */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { strictest } from '../../domain/runtime.ts'
import type { RuntimeState } from '../../domain/runtime.ts'
import { decideWindow, percentilesOf, pointsOf } from '../../domain/scope-metrics.ts'
import type { MetricsRequest, MetricsWindow, Percentiles } from '../../domain/scope-metrics.ts'
import type { Pools } from '../../store/pools.ts'
import { selectScoreHistory } from '../../store/scopes/convergence.ts'
import type { ConvergenceStats, ScoreRow } from '../../store/scopes/convergence.ts'
import * as store from '../../store/scopes/scope-stats.ts'
import type { CountedScopeRow, MetricsRow, StatusCounts } from '../../store/scopes/scope-stats.ts'
import type { ScopeRow } from '../../store/scopes/scopes.ts'
import { inTenant } from '../../store/transaction.ts'
import { requireScope } from './required-scope.ts'

export type { StatusCounts }

export interface ScopeStatsDeps {
  readonly pools: Pools
}

export interface CountedScope extends ScopeRow {
  readonly runtime: {
    readonly own: RuntimeState
    readonly effective: RuntimeState
    readonly generation: number
  }
  readonly documents: StatusCounts
  readonly convergence: CountedScopeRow['convergence']
}

export interface MetricsPoint {
  readonly at: Date
  readonly accepted: number
  readonly processed: number
  readonly failed: number
  readonly queueWaitMs: Percentiles | null
  readonly processingMs: Percentiles | null
  readonly contradictions: {
    readonly opened: number
    readonly resolved: number
    readonly dismissed: number
    readonly reopened: number
  }
  /** The score at the end of the point, or now. Null before the score first changed. */
  readonly convergence: Pick<ConvergenceStats, 'score' | 'state'> | null
}

export interface ScopeMetrics {
  readonly window: MetricsWindow
  readonly points: readonly MetricsPoint[]
}

export async function getScopeMetrics(
  { pools }: ScopeStatsDeps,
  who: TenantCaller,
  scopeId: string,
  request: MetricsRequest,
): Promise<ScopeMetrics> {
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const now = await store.selectScopeClock(transaction, scopeId)
    if (!now) throw new Fault('scope_not_found')
    const window = decideWindow(request, now)
    const rows = await store.selectScopeMetrics(transaction, scopeId, window)
    const found = new Map(rows.map((row) => [row.at.getTime(), row]))
    const standsAt = lastBy(await selectScoreHistory(transaction, scopeId, window))
    const points = pointsOf(window).map((at) => toPoint(at, standsAt(at), found.get(at.getTime())))
    return { window, points }
  })
}

/** Points are requested in order. A point without a change has the score of the previous one. */
function lastBy(course: readonly ScoreRow[]): (at: Date) => ScoreRow | undefined {
  let next = 0
  return (at) => {
    while ((course[next]?.at.getTime() ?? Infinity) <= at.getTime()) next += 1
    return course[next - 1]
  }
}

function toPoint(
  at: Date,
  stands: ScoreRow | undefined,
  row: Omit<MetricsRow, 'at'> = NOTHING,
): MetricsPoint {
  const { accepted, processed, failed, opened, resolved, dismissed, reopened } = row
  return {
    at,
    accepted,
    processed,
    failed,
    queueWaitMs: percentilesOf(row.waits),
    processingMs: percentilesOf(row.takes),
    contradictions: { opened, resolved, dismissed, reopened },
    convergence: stands ? { score: stands.score, state: stands.state } : null,
  }
}

/** The values of a point without events. */
const NOTHING: Omit<MetricsRow, 'at'> = {
  accepted: 0,
  processed: 0,
  failed: 0,
  waits: null,
  takes: null,
  opened: 0,
  resolved: 0,
  dismissed: 0,
  reopened: 0,
}

export function toCountedScope({ switches, ...row }: CountedScopeRow): CountedScope {
  const { own, ofTenant, ofService, generation } = switches
  return { ...row, runtime: { own, effective: strictest(ofService, ofTenant, own), generation } }
}
