/**
 * Settling results together with what their documents claim: one transaction settles them, compares the claims of those
 * that were settled with what the scope has, and writes what came of it. A result that the fence refuses brings nothing.
 */
import { completeAttempts, completeReadings } from '../../store/processing/attempts.ts'
import type { StoredAttemptResult as StoredResult, SettleOutcome } from '../../store/processing/attempts.ts'
import { recordConvergence } from '../../store/scopes/convergence.ts'
import type { Pool } from '../../store/pools.ts'
import { inService } from '../../store/transaction.ts'
import { compareClaims, openChanges } from '../comparing/comparing.ts'
import type { Means, ScopeChange } from '../comparing/comparing.ts'
import { comparePrepared } from '../comparing/prepared.ts'
import type { MadeDecision } from '../access/governing.ts'
import type { KeyedClaim } from '../documents/keyed-claims.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { recordHolds, shareDecisions } from '../contradictions/shared-decisions.ts'

export interface AttemptResult extends StoredResult {
  /** The answers of policies, in the order they were asked. */
  readonly made?: readonly MadeDecision[]
  /** The content of a reading: what the document claims, and the seal that opens the claims of others. */
  readonly content?: { readonly claims: readonly KeyedClaim[]; readonly seal: ScopeSeal }
}

/** One statement where no result brings claims, no document had any, and none is held. */
export async function settleResults(
  pool: Pool,
  results: readonly AttemptResult[],
  means: Means,
): Promise<SettleOutcome[]> {
  const isMore = results.some(
    ({ content, verdict }) => verdict === 'held' || (content && content.claims.length > 0),
  )
  // @point attempt.complete.commit
  return (isMore ? settleCompared : settlePlain)(pool, shareDecisions(results), means)
}

/** The same for results that bring much to compare: it is compared before the transaction begins. */
export async function settlePrepared(
  pool: Pool,
  results: readonly AttemptResult[],
  means: Means,
): Promise<SettleOutcome[]> {
  return comparePrepared(pool, changesOf(results), means, (prepared) =>
    settleResults(pool, results, prepared),
  )
}

async function settlePlain(
  pool: Pool,
  results: readonly AttemptResult[],
  means: Means,
): Promise<SettleOutcome[]> {
  const answers = await completeReadings(pool, results)
  const left = results.filter((_, index) => answers[index] === 'compare')
  const compared = left.length === 0 ? [] : await settleCompared(pool, left, means)
  return answers.map((answer) => (answer === 'compare' ? (compared.shift() ?? 'stale') : answer))
}

async function settleCompared(
  pool: Pool,
  results: readonly AttemptResult[],
  means: Means,
): Promise<SettleOutcome[]> {
  return inService(pool, async (connection) => {
    const asked = changesOf(results)
    // In one breath, since everybody else waits for the scope meanwhile; nearly always all of them are settled.
    const [answers, openings] = await Promise.all([
      completeAttempts(connection, results),
      openChanges(connection, asked),
    ])
    const settled = results.filter((_, index) => answers[index] === 'settled')
    const isAsAsked = settled.length === results.length
    const changes = isAsAsked ? asked : changesOf(settled)
    if (changes.length > 0) await compareClaims(connection, changes, means, isAsAsked ? openings : undefined)
    // An event says of documents with a reading when their claims are compared.
    await recordConvergence(
      connection,
      settled.filter(({ content }) => !content),
    )
    await recordHolds(connection, means.auditor, settled)
    return answers
  })
}

function changesOf(settled: readonly AttemptResult[]): ScopeChange[] {
  const changes = new Map<string, ScopeChange & { readonly documents: ScopeChange['documents'][number][] }>()
  for (const { tenantId, scopeId, documentId, content } of settled) {
    if (!content) continue
    const place = `${tenantId} ${scopeId}`
    const change = changes.get(place) ?? { tenantId, scopeId, seal: content.seal, documents: [] }
    change.documents.push({ documentId, claims: content.claims })
    changes.set(place, change)
  }
  return [...changes.values()]
}
