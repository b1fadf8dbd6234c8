/**
 * Attempts as the worker makes them: claimed before they begin, settled in one fenced transaction. Many attempts share
 * each statement; a result that meets a newer version, a reset or a takeover matches no row and has no effect.
 */
import { createBatcher } from '../../platform/batcher.ts'
import { retry } from '../../platform/retry.ts'
import { selectSealedLayout } from '../../store/documents/documents.ts'
import { startAttempts, deferAttempts, touchAttempts } from '../../store/processing/attempts.ts'
import type {
  StartResult,
  DeferredAttempt,
  CompletionResult,
  WorkRef,
} from '../../store/processing/attempts.ts'
import { isOutage, isUnavailable } from '../../store/failures.ts'
import type { Pool } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import type { Auditor } from '../audit/audit.ts'
import { createOpenedClaims } from '../comparing/comparison.ts'
import type { OnCompareError } from '../comparing/comparison.ts'
import { MAX_WORK } from '../comparing/precomputation.ts'
import { createDenseScopes, isHeavy, completeLight } from './heavy-results.ts'
import { createHeavyQueue } from './heavy-queue.ts'
import type { Policies } from '../access/policies.ts'
import { completePrecomputed } from './completion.ts'
import type { AttemptResult } from './completion.ts'

export type { AttemptResult, StartResult, DeferredAttempt, CompletionResult, WorkRef }

export interface AttemptsDeps {
  /** Runs as the worker role. */
  readonly pool: Pool
  /** The largest number of attempts of one document. */
  readonly maxStarts: number
  readonly policies: Policies
  readonly auditor: Auditor
  readonly onCompareError?: OnCompareError
  /** Completes heavy results in another thread. Without it they are completed in this thread. */
  readonly completeHeavy?: CompleteHeavy
}

export type CompleteHeavy = (results: readonly AttemptResult[]) => Promise<readonly CompletionResult[]>

export interface Attempts {
  start(ref: WorkRef): Promise<StartResult>
  /**
   * Retries during an outage of the database, because a result is expensive to compute again. Calls `onHeavy` before the result
   * waits in the heavy queue.
   */
  complete(result: AttemptResult, onHeavy?: () => void): Promise<CompletionResult>
  /** Puts the document of an attempt that could not run back into the backlog. The attempt is not counted. */
  defer(deferred: DeferredAttempt): Promise<CompletionResult>
  /** The heartbeat of attempts in progress. */
  touch(refs: readonly (WorkRef & { readonly attempt: number })[]): Promise<void>
  /**
   * Loads the sealed layout of the document's file. Null if it came as text, or if it has been replaced. Retries during an outage
   * of the database, because it is needed after the reading.
   */
  loadLayout(ref: WorkRef, version: number, epoch: number): Promise<Buffer | null>
  drain(): Promise<void>
}

const MAX_ITEMS = 64
/** If the scope is locked for longer than this, the message goes back to the broker, so that the worker can do other work. */
const MAX_BUSY_START_MS = 1_000
const MAX_BUSY_MS = 10_000

/** Thrown if another process held the lock of the scope for the maximum wait. */
class ScopeBusy extends Error {
  override readonly name = 'ScopeBusy'
}

/** Completing an attempt is idempotent: the second time the fence matches no row. */
const COMPLETION_RETRY = {
  forMs: 60_000,
  maxPauseMs: 2_000,
  isWorthwhile: (error: unknown) => isUnavailable(error) || error instanceof ScopeBusy,
}
/** The bytes that a claim counts for in a batch. Some hundred claims share a transaction, so that no scope is locked for long. */
const CLAIM_WEIGHT = 6_144
/** The maximum number of claims in a transaction of the heavy queue. */
const HEAVY_CLAIMS = 1_200

/** The batching of everything that starts or ends an attempt. */
const BATCHING = {
  orderKeysOf: ({ tenantId, scopeId, documentId }: WorkRef) => [`${tenantId} ${scopeId} ${documentId}`],
  // Batches are formed by scope, because a transaction locks the scope's head until it commits.
  lockKeyOf: ({ tenantId, scopeId }: WorkRef) => `${tenantId} ${scopeId}`,
  ownerOf: ({ tenantId }: WorkRef) => tenantId,
  maxItems: MAX_ITEMS,
  concurrency: 3,
  // Priority items are never delayed to form a bulk batch, so a light tenant does not wait for a heavy one.
  bulkThreshold: ({ priority }: WorkRef) => (priority ? Infinity : 1),
  bulkConcurrency: 1,
  bulkIntervalMs: 25,
  retryIndividually: (error: unknown) => !isOutage(error),
  maxBusyMs: MAX_BUSY_MS,
}

export function createAttempts({ pool, maxStarts, completeHeavy, ...deps }: AttemptsDeps): Attempts {
  const compareDeps = { ...deps, opened: createOpenedClaims() }
  const dense = createDenseScopes()
  const starts = createBatcher<WorkRef, StartResult>({
    ...BATCHING,
    write: (refs) => startAttempts(pool, refs, maxStarts),
    isBusy: ({ outcome }) => outcome === 'busy',
    maxBusyMs: MAX_BUSY_START_MS,
    sizeOf: () => 1,
    maxSize: MAX_ITEMS,
  })
  const completions = createBatcher<AttemptResult, CompletionResult | 'heavy'>({
    ...BATCHING,
    write: (results) => completeLight(pool, results, { ...compareDeps, maxWork: MAX_WORK }, dense),
    isBusy: (answer) => answer === 'busy',
    sizeOf: ({ reading, content }) =>
      (reading?.sealed.length ?? 0) + CLAIM_WEIGHT * (content?.claims.length ?? 0),
    maxSize: 4 * 1024 * 1024,
  })
  const heavy = createHeavyQueue<AttemptResult, CompletionResult>({
    write: completeHeavy ?? ((results) => completePrecomputed(pool, results, compareDeps)),
    tenantOf: ({ tenantId }) => tenantId,
    scopeOf: ({ scopeId }) => scopeId,
    sizeOf: ({ content }) => content?.claims.length ?? 0,
    maxSize: HEAVY_CLAIMS,
    maxItems: MAX_ITEMS,
    retryIndividually: (error) => !isOutage(error),
  })
  const deferrals = createBatcher<DeferredAttempt, CompletionResult>({
    ...BATCHING,
    write: (deferred) => deferAttempts(pool, deferred),
    isBusy: (answer) => answer === 'busy',
    sizeOf: () => 1,
    maxSize: MAX_ITEMS,
  })

  async function complete(result: AttemptResult, onHeavy?: () => void): Promise<CompletionResult> {
    const answer = isHeavy(result, dense) ? 'heavy' : await completions.write(result)
    if (answer !== 'heavy') return requireFree(answer)
    onHeavy?.()
    return requireFree(await heavy.write(result))
  }

  return {
    start: (ref) => starts.write(ref),
    defer: (deferred) => retry(async () => requireFree(await deferrals.write(deferred)), COMPLETION_RETRY),
    async touch(refs) {
      const scopes = Map.groupBy(refs, ({ tenantId, scopeId }) => `${tenantId} ${scopeId}`)
      for (const own of scopes.values())
        // oxlint-disable-next-line no-await-in-loop -- not urgent, and each locks its scope
        await touchScope(pool, own)
    },
    loadLayout: (...layout) => retry(() => loadLayout(pool, ...layout), COMPLETION_RETRY),
    complete: (result, onHeavy) => retry(() => complete(result, onHeavy), COMPLETION_RETRY),
    drain: async () => {
      await starts.drain()
      await completions.drain()
      await heavy.drain()
      await deferrals.drain()
    },
  }
}

function loadLayout(pool: Pool, ref: WorkRef, version: number, epoch: number): Promise<Buffer | null> {
  return inTenant(pool, ref.tenantId, (transaction) => selectSealedLayout(transaction, ref, version, epoch))
}

function requireFree(answer: CompletionResult): CompletionResult {
  if (answer === 'busy') throw new ScopeBusy('somebody else holds the scope')
  return answer
}

async function touchScope(
  pool: Pool,
  refs: readonly (WorkRef & { readonly attempt: number })[],
): Promise<void> {
  const [first] = refs
  if (!first) return
  await inTenant(pool, first.tenantId, (transaction) => touchAttempts(transaction, first.scopeId, refs))
}
