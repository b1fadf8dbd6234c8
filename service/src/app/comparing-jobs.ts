/** Comparisons that are too much work for the main thread, as jobs for a thread that has its own connections. */
import type { SettleOutcome } from '../store/attempts.ts'
import type { TenantCaller } from '../domain/caller.ts'
import type { Means } from './comparing.ts'
import { removePrepared } from './documents.ts'
import type { Removal, RemovalDeps } from './documents.ts'
import type { ScopeSeals } from './scope-seals.ts'
import { settlePrepared } from './settling.ts'
import type { AttemptResult } from './settling.ts'

/** A result on its way to the thread. The seal stays behind: it is made of functions. */
export interface SentResult extends Omit<AttemptResult, 'content'> {
  readonly content?: Pick<NonNullable<AttemptResult['content']>, 'claims'> & { readonly epoch: number }
}

export type ComparingJob =
  | { readonly kind: 'settle'; readonly results: readonly SentResult[] }
  | {
      readonly kind: 'remove'
      readonly who: Pick<TenantCaller, 'tier' | 'actor' | 'tenantId'>
      readonly scopeId: string
      readonly documentId: string
    }

export interface ComparingAnswer {
  readonly outcomes?: readonly SettleOutcome[]
  readonly removal?: Removal
}

export type ComparingJobDeps = Means & RemovalDeps

export function toSettleJob(results: readonly AttemptResult[]): ComparingJob {
  return { kind: 'settle', results: results.map(toSentResult) }
}

function toSentResult({ content, ...result }: AttemptResult): SentResult {
  return content ? { ...result, content: { claims: content.claims, epoch: content.seal.epoch } } : result
}

/** The trace of a request stays behind as well. */
export function toRemoveJob(
  { tier, actor, tenantId }: TenantCaller,
  scopeId: string,
  documentId: string,
): ComparingJob {
  return { kind: 'remove', who: { tier, actor, tenantId }, scopeId, documentId }
}

export async function runComparingJob(deps: ComparingJobDeps, job: ComparingJob): Promise<ComparingAnswer> {
  if (job.kind === 'remove')
    return { removal: await removePrepared(deps, job.who, job.scopeId, job.documentId) }
  const results = await Promise.all(job.results.map((result) => toResult(deps.seals, result)))
  return { outcomes: await settlePrepared(deps.pools.tenant, results, deps) }
}

/** Without content where the scope was reset since: the fence refuses the result then. */
async function toResult(seals: ScopeSeals, { content, ...result }: SentResult): Promise<AttemptResult> {
  if (!content) return result
  const { tenantId, scopeId } = result
  const { claims, epoch } = content
  const remembered = await seals.get(tenantId, scopeId)
  if (remembered.epoch < epoch) seals.forget(tenantId, scopeId, remembered.epoch)
  const seal = await seals.get(tenantId, scopeId)
  return seal.epoch === epoch ? { ...result, content: { claims, seal } } : result
}
