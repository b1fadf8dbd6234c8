/**
 * Computes the convergence score of a scope from its counts. The database computes the same score when the counts change
 * (`score_convergence`). This file is the readable version, and a test compares the two on counts of every size.
 */

/** The counts of a scope, as in the table `scope_convergence`. */
export interface ScopeCounts {
  /** Documents by status: processed; queued or processing; held; failed. */
  readonly settled: number
  readonly unfinished: number
  readonly held: number
  readonly failed: number
  /** The code points of all these documents, and how many of them were read. */
  readonly characters: number
  readonly charactersRead: number
  /** Processed documents that were not read completely, or in which no claim was found. */
  readonly gaps: number
  /** Contradictions by severity, without changes over time. */
  readonly open: SeverityCounts
  readonly closed: SeverityCounts
  readonly claims: number
  readonly compared: number
  /** Groups that are not compared completely. */
  readonly cuts: number
  /** Waiting comparison steps, facts that a model declined to compare, and held steps by reason. */
  readonly pending: number
  readonly refused: number
  readonly notPermitted: number
  readonly overBudget: number
  /** Claims and documents with an open contradiction. */
  readonly contestedClaims: number
  readonly contestedDocuments: number
}

export interface SeverityCounts {
  readonly low: number
  readonly medium: number
  readonly high: number
  readonly critical: number
}

/** The shares and the score are in millionths. */
export interface ScopeScore {
  readonly coverage: number
  readonly agreement: number
  readonly resolution: number
  readonly stability: number
  readonly score: number
  readonly state: 'empty' | 'working' | 'contested' | 'converging' | 'unassessed' | 'settled'
  /** The number of reasons why the scope is not settled. */
  readonly blockers: number
}

const WHOLE = 1_000_000
/** Each severity weighs twice as much as the one below it. */
const WEIGHTS: SeverityCounts = { low: 1, medium: 2, high: 4, critical: 8 }
const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
/** A scope is unassessed if less than a tenth of its claims were compared with another document. */
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

/** Returns whole millionths, rounded down, so that a share is 1 only if it is complete. */
function shareOf(part: number, whole: number): number {
  if (whole <= 0) return WHOLE
  return Number((BigInt(Math.max(0, Math.min(part, whole))) * BigInt(WHOLE)) / BigInt(whole))
}
