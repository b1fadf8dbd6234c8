/**
 * The rate limit for requests to the language model, shared by all workers. Requests wait here in order before they are
 * sent. Each process runs one statement at a time, which grants a batch of its waiting requests. If the endpoint asks one
 * worker to wait, no worker sends a request until then.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ModelFailure } from '../../domain/model.ts'
import type { ModelRate } from '../../domain/model-rate.ts'
import type { Log } from '../../platform/log.ts'
import { pauseRate, takeRate } from '../../store/model/model-rate.ts'
import type { RateGrant, RateLimits } from '../../store/model/model-rate.ts'
import type { Pool } from '../../store/pools.ts'

export type { RateLimits }

export interface ModelRateDeps {
  /** Runs as the kernel role. */
  readonly kernel: Pool
  readonly limits: RateLimits
  /** A request that waits longer is rejected, so that its document is deferred and shows as waiting. */
  readonly maxWaitMs?: number
  readonly log: Log
}

interface WaitingRequest {
  readonly tokens: number
  readonly since: number
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

const MAX_WAIT_MS = 30_000
/** The maximum number of requests per statement. */
const MAX_BATCH = 200
/** The maximum delay between two statements, because other processes take from the same buckets. */
const MAX_PAUSE_MS = 1_000

export function createModelRate(deps: ModelRateDeps): ModelRate {
  const { kernel, limits, maxWaitMs = MAX_WAIT_MS, log } = deps
  const waiting = new Set<WaitingRequest>()
  let unused = 0
  let isTaking = false

  function applyGrant(batch: readonly WaitingRequest[], { granted, waitMs, isPaused }: RateGrant): void {
    for (const request of batch.slice(0, granted)) if (waiting.delete(request)) request.resolve()
    const refusal = () => new ModelFailure('busy', Math.ceil(waitMs * (1 + Math.random() / 4)))
    if (isPaused) return rejectAll(waiting, [...waiting], refusal)
    const since = performance.now() - maxWaitMs
    const late = [...waiting].filter((request) => request.since < since)
    rejectAll(waiting, late, refusal)
  }

  async function takeOnce(): Promise<void> {
    const batch = [...waiting].slice(0, MAX_BATCH)
    const returned = unused
    unused = 0
    const costs = batch.map(({ tokens }) => tokens)
    const grant = await takeRate(kernel, limits, costs, returned)
    applyGrant(batch, grant)
    if (waiting.size > 0 && grant.granted < batch.length) await delay(Math.min(MAX_PAUSE_MS, grant.waitMs))
  }

  async function takeAll(): Promise<void> {
    if (isTaking) return
    isTaking = true
    try {
      // oxlint-disable-next-line no-await-in-loop -- one statement at a time
      while (waiting.size > 0) await takeOnce()
    } catch (error) {
      rejectAll(waiting, [...waiting], () => error)
    } finally {
      isTaking = false
    }
  }

  return {
    waiting: () => waiting.size,
    async acquire(tokens, signal) {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const request = { tokens, since: performance.now(), resolve, reject }
      waiting.add(request)
      const abort = () => {
        if (waiting.delete(request)) reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      void takeAll()
      return promise.finally(() => signal?.removeEventListener('abort', abort))
    },
    giveBack(tokens) {
      unused += tokens
    },
    pause(forMs) {
      void pauseRate(kernel, forMs).catch((error: unknown) =>
        log.warn({ err: error }, 'other workers could not be told that the language model is busy'),
      )
    },
  }
}

function rejectAll(
  waiting: Set<WaitingRequest>,
  chosen: Iterable<WaitingRequest>,
  reason: () => unknown,
): void {
  for (const request of chosen) {
    waiting.delete(request)
    request.reject(reason())
  }
}
