/** Convergence, as the contract writes it: shares of one instead of millionths. */
import type {
  ConvergenceStats,
  ConvergencePoint,
  KernelConvergence,
  ScopeConvergence,
  Trend,
} from '../app/scopes/convergence.ts'

export function toConvergenceRecord(scopeId: string, convergence: ScopeConvergence) {
  return {
    scope_id: scopeId,
    ...toFiguresRecord(convergence),
    ...toComparedRecord(convergence),
    comparisons_pending: convergence.comparisonsPending,
    comparisons_held: convergence.comparisonsHeld,
    trend: toTrendRecord(convergence.trend),
    blockers: [...convergence.blockers],
    blockers_total: convergence.blockersTotal,
    seq: convergence.head,
    points: convergence.points.map(toPointRecord),
  }
}

export function toKernelConvergenceRecord(convergence: KernelConvergence) {
  return {
    tenant_id: convergence.tenantId,
    scope_id: convergence.scopeId,
    ...toFiguresRecord(convergence),
    ...toComparedRecord(convergence),
    comparisons_pending: convergence.comparisonsPending,
    comparisons_held: convergence.comparisonsHeld,
    trend: toTrendRecord(convergence.trend),
    blockers_total: convergence.blockersTotal,
  }
}

export function toFiguresRecord({
  score,
  state,
  coverage,
  agreement,
  resolution,
  stability,
}: ConvergenceStats) {
  return {
    score: toShare(score),
    state,
    parts: {
      coverage: toShare(coverage),
      agreement: toShare(agreement),
      resolution: toShare(resolution),
      stability: toShare(stability),
    },
  }
}

/** How much stands behind the shares. */
export function toComparedRecord({
  claims,
  claimsCompared,
}: {
  readonly claims: number
  readonly claimsCompared: number
}) {
  return { claims, claims_compared: claimsCompared }
}

export function toShare(millionths: number): number {
  return millionths / 1_000_000
}

function toTrendRecord({ shape, rate, documentsToGo }: Trend) {
  return { shape, rate, documents_to_go: documentsToGo }
}

function toPointRecord({ seq, at, ended, ...figures }: ConvergencePoint) {
  return { seq, at: at.toISOString(), ...toFiguresRecord(figures), documents: ended }
}
