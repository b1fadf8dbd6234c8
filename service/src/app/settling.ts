/**
 * Settling results together with what their documents claim: one transaction settles them, compares the claims of those
 * that were settled with what the scope has, and writes what came of it. A result that the fence refuses brings nothing.
 */
import { settleAttempts, settleReadings } from '../store/attempts.ts'
import type { AttemptResult as StoredResult, SettleOutcome } from '../store/attempts.ts'
import type { Pool } from '../store/pools.ts'
import { inService } from '../store/transaction.ts'
import { compareClaims } from './comparing.ts'
import type { Means, ScopeChange } from './comparing.ts'
import type { KeyedClaim } from './keyed-claims.ts'
import type { ScopeSeal } from './scope-seals.ts'

export interface AttemptResult extends StoredResult {
  /** Of a reading: what the document claims, and the seal that opens the claims of others. */
  readonly content?: { readonly claims: readonly KeyedClaim[]; readonly seal: ScopeSeal }
}

/** One statement where no result brings claims, and no document had any. */
export async function settleResults(
  pool: Pool,
  results: readonly AttemptResult[],
  means: Means,
): Promise<SettleOutcome[]> {
  const bringsClaims = results.some(({ content }) => content && content.claims.length > 0)
  const outcomes = await (bringsClaims ? settleCompared : settlePlain)(pool, results, means)
  return outcomes
}

async function settlePlain(
  pool: Pool,
  results: readonly AttemptResult[],
  means: Means,
): Promise<SettleOutcome[]> {
  const answers = await settleReadings(pool, results)
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
    const answers = await settleAttempts(connection, results)
    const changes = changesOf(results.filter((_, index) => answers[index] === 'settled'))
    if (changes.length > 0) await compareClaims(connection, changes, means)
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
