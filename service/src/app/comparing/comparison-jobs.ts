/** Runs comparisons that are too heavy for the main thread as jobs of a thread with its own connections. */
import type { CompletionResult } from '../../store/processing/attempts.ts'
import type { Pools } from '../../store/pools.ts'
import type { CompareDeps } from './comparison.ts'
import { compareGroups } from './group-steps.ts'
import type { GroupStepOutcome, LeasedGroups } from './group-steps.ts'
import type { ScopeSeals } from '../scopes/scope-seals.ts'
import { completePrecomputed } from '../processing/completion.ts'
import type { AttemptResult } from '../processing/completion.ts'

/** A result as it is sent to the thread. The seal cannot be sent, because it consists of functions. */
export interface SentResult extends Omit<AttemptResult, 'content'> {
  readonly content?: Pick<NonNullable<AttemptResult['content']>, 'claims'> & { readonly epoch: number }
}

export type ComparisonJob =
  | { readonly kind: 'complete'; readonly results: readonly SentResult[] }
  | { readonly kind: 'groups'; readonly taken: LeasedGroups }

export interface ComparisonAnswer {
  readonly outcomes?: readonly CompletionResult[]
  readonly groups?: GroupStepOutcome
}

export interface ComparisonJobDeps extends CompareDeps {
  readonly pools: Pools
  readonly seals: ScopeSeals
}

export function toCompletionJob(results: readonly AttemptResult[]): ComparisonJob {
  return { kind: 'complete', results: results.map(toSentResult) }
}

function toSentResult({ content, ...result }: AttemptResult): SentResult {
  return content ? { ...result, content: { claims: content.claims, epoch: content.seal.epoch } } : result
}

export async function runComparisonJob(
  deps: ComparisonJobDeps,
  job: ComparisonJob,
): Promise<ComparisonAnswer> {
  if (job.kind === 'groups') return { groups: await compareGroups(deps, job.taken) }
  const results = await Promise.all(job.results.map((result) => toResult(deps.seals, result)))
  return { outcomes: await completePrecomputed(deps.pools.tenant, results, deps) }
}

/** Leaves the content out if the scope was reset since. The fence then refuses the result. */
async function toResult(seals: ScopeSeals, { content, ...result }: SentResult): Promise<AttemptResult> {
  if (!content) return result
  const { tenantId, scopeId } = result
  const { claims, epoch } = content
  const remembered = await seals.get(tenantId, scopeId)
  if (remembered.epoch < epoch) seals.forget(tenantId, scopeId, remembered.epoch)
  const seal = await seals.get(tenantId, scopeId)
  return seal.epoch === epoch ? { ...result, content: { claims, seal } } : result
}
