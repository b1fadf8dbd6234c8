/**
 * How settled a scope is: a pure function of what is counted of it. The database keeps the score by the same rule (`score_convergence`), where the
 * counts change; this is the rule to read, and a test compares the two on counts of every size.
 */

/** The counts of a scope, as `scope_convergence` holds them. */
export interface ScopeCounts {
  /** Documents: processed; queued or processing; held; failed. */
  readonly settled: number
  readonly unfinished: number
  readonly held: number
  readonly failed: number
  /** Code points of all of these, and how many of them were read. */
  readonly characters: number
  readonly charactersRead: number
  /** Processed documents of which something is missing. */
  readonly gaps: number
  /** Contradictions by severity, but for changes over time. */
  readonly open: SeverityCounts
  readonly closed: SeverityCounts
  readonly claims: number
  readonly compared: number
  /** Groups that are not compared completely. */
  readonly cuts: number
  /** Comparison steps that wait, facts that a model declined to compare, and steps that are held, by reason. */
  readonly pending: number
  readonly refused: number
  readonly notPermitted: number
  readonly overBudget: number
  /** Claims and documents that open contradictions are about. */
  readonly contestedClaims: number
  readonly contestedDocuments: number
}

export interface SeverityCounts {
  readonly low: number
  readonly medium: number
  readonly high: number
  readonly critical: number
}

/** Shares and the score in millionths. */
export interface ScopeScore {
  readonly coverage: number
  readonly agreement: number
  readonly resolution: number
  readonly stability: number
  readonly score: number
  readonly state: 'empty' | 'working' | 'contested' | 'converging' | 'unassessed' | 'settled'
  /** How many things keep the scope from being settled. */
  readonly blockers: number
}

const WHOLE = 1_000_000
/** A contradiction weighs twice as much as one of the severity below. */
const WEIGHTS: SeverityCounts = { low: 1, medium: 2, high: 4, critical: 8 }
const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
/** With less than a tenth of its claims compared with another document, nothing is known about a scope. */
const ASSESSED_PART = 10

export function scoreScope(counts: ScopeCounts): ScopeScore {
  const { settled, unfinished, held, failed, open, closed, compared } = counts
  const accepted = settled + unfinished + held + failed
  const enough = Math.ceil(counts.claims / ASSESSED_PART)
  const coverage = accepted === 0 ? 0 : shareOf(counts.charactersRead, counts.characters)
  const agreement = shareOf(compared - counts.contestedClaims, Math.max(compared, enough))
  const resolution = shareOf(weigh(closed), weigh(open) + weigh(closed))
  const stability = shareOf(accepted - counts.contestedDocuments, accepted)
  const blockers = countBlockers(counts)
  const parts = BigInt(coverage) * BigInt(2 * agreement + 2 * resolution + stability)
  const score = Math.min(Number(parts / BigInt(5 * WHOLE)), blockers > 0 ? WHOLE - 1 : WHOLE)
  const state = stateOf(counts, accepted, blockers, compared < enough)
  return { coverage, agreement, resolution, stability, score, state, blockers }
}

function countBlockers(counts: ScopeCounts): number {
  const { open, unfinished, held, failed, gaps, cuts, refused } = counts
  const kinds = [cuts + refused, counts.pending, counts.notPermitted, counts.overBudget]
  const contradictions = SEVERITIES.reduce((total, severity) => total + open[severity], 0)
  return contradictions + unfinished + held + failed + gaps + kinds.filter((count) => count > 0).length
}

function stateOf(
  { unfinished, pending, open }: ScopeCounts,
  accepted: number,
  blockers: number,
  isUnassessed: boolean,
): ScopeScore['state'] {
  if (accepted === 0) return 'empty'
  if (unfinished + pending > 0) return 'working'
  if (open.high + open.critical > 0) return 'contested'
  if (blockers > 0) return 'converging'
  return isUnassessed ? 'unassessed' : 'settled'
}

function weigh(counts: SeverityCounts): number {
  return SEVERITIES.reduce((total, severity) => total + WEIGHTS[severity] * counts[severity], 0)
}

/** Whole millionths, rounded down: one only where nothing is missing. */
function shareOf(part: number, whole: number): number {
  if (whole <= 0) return WHOLE
  return Number((BigInt(Math.max(0, Math.min(part, whole))) * BigInt(WHOLE)) / BigInt(whole))
}
