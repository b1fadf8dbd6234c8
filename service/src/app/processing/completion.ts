/**
 * Completes attempts together with the claims of their documents. One transaction completes the attempts, compares the claims of
 * the completed ones with the claims of the scope, and writes the findings. A result that the fence refuses writes nothing.
 */
import { completeAttempts, completeReadings } from '../../store/processing/attempts.ts'
import type {
  StoredAttemptResult as StoredResult,
  CompletionResult,
} from '../../store/processing/attempts.ts'
import { recordConvergence } from '../../store/scopes/convergence.ts'
import type { Pool } from '../../store/pools.ts'
import { inService } from '../../store/transaction.ts'
import { compareClaims, loadChanges } from '../comparing/comparison.ts'
import type { CompareDeps, ScopeChange } from '../comparing/comparison.ts'
import { comparePrecomputed } from '../comparing/precomputation.ts'
import type { GovernanceDecision } from '../access/governance.ts'
import type { KeyedClaim } from '../documents/keyed-claims.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { recordHolds, shareDecisions } from '../contradictions/shared-decisions.ts'

export interface AttemptResult extends StoredResult {
  /** The decisions of policies, in the order in which they were evaluated. */
  readonly made?: readonly GovernanceDecision[]
  /** The content of a reading: the claims of the document, and the seal that decrypts the claims of other documents. */
  readonly content?: { readonly claims: readonly KeyedClaim[]; readonly seal: ScopeSeal }
}

/** Takes one statement if no result has claims, no document had claims before, and none is held. */
export async function completeResults(
  pool: Pool,
  results: readonly AttemptResult[],
  deps: CompareDeps,
): Promise<CompletionResult[]> {
  const hasClaimsOrHolds = results.some(
    ({ content, verdict }) => verdict === 'held' || (content && content.claims.length > 0),
  )
  // @point attempt.complete.commit
  return (hasClaimsOrHolds ? completeCompared : completePlain)(pool, shareDecisions(results), deps)
}

/** The same for results with many comparisons, which are made before the transaction begins. */
export async function completePrecomputed(
  pool: Pool,
  results: readonly AttemptResult[],
  deps: CompareDeps,
): Promise<CompletionResult[]> {
  return comparePrecomputed(pool, changesOf(results), deps, (prepared) =>
    completeResults(pool, results, prepared),
  )
}

async function completePlain(
  pool: Pool,
  results: readonly AttemptResult[],
  deps: CompareDeps,
): Promise<CompletionResult[]> {
  const answers = await completeReadings(pool, results)
  const left = results.filter((_, index) => answers[index] === 'compare')
  const compared = left.length === 0 ? [] : await completeCompared(pool, left, deps)
  return answers.map((answer) => (answer === 'compare' ? (compared.shift() ?? 'stale') : answer))
}

async function completeCompared(
  pool: Pool,
  results: readonly AttemptResult[],
  deps: CompareDeps,
): Promise<CompletionResult[]> {
  return inService(pool, async (connection) => {
    const requested = changesOf(results)
    // Both statements are sent at once, because other writers of the scope are waiting. Nearly always all attempts complete.
    const [answers, openings] = await Promise.all([
      completeAttempts(connection, results),
      loadChanges(connection, requested),
    ])
    const completed = results.filter((_, index) => answers[index] === 'settled')
    const allCompleted = completed.length === results.length
    const changes = allCompleted ? requested : changesOf(completed)
    if (changes.length > 0)
      await compareClaims(connection, changes, deps, allCompleted ? openings : undefined)
    // For documents with a reading, compareClaims records it.
    await recordConvergence(
      connection,
      completed.filter(({ content }) => !content),
    )
    await recordHolds(connection, deps.auditor, completed)
    return answers
  })
}

function changesOf(completed: readonly AttemptResult[]): ScopeChange[] {
  const changes = new Map<string, ScopeChange & { readonly documents: ScopeChange['documents'][number][] }>()
  for (const { tenantId, scopeId, documentId, content } of completed) {
    if (!content) continue
    const key = `${tenantId} ${scopeId}`
    const change = changes.get(key) ?? { tenantId, scopeId, seal: content.seal, documents: [] }
    change.documents.push({ documentId, claims: content.claims })
    changes.set(key, change)
  }
  return [...changes.values()]
}
