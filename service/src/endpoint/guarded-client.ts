/**
 * Sends the requests of one process to an endpoint, with a limit on requests in flight and a circuit breaker. While the
 * breaker is open, requests are refused at once, including the waiting ones, and their callers defer them.
 */
import { ModelFailure } from '../domain/model.ts'
import type { ModelAnswer, ModelFailureReason, ModelRequest } from '../domain/model.ts'
import type { Log } from '../platform/log.ts'
import { UnexplainedRefusal } from './chat-client.ts'
import type { ChatClient } from './chat-client.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import type { Admission } from './circuit-breaker.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { createRefusalJudge } from './refusals.ts'

/** The request was not sent, because the circuit breaker is open. The reason is that of the last failure. */
export class NotSent extends ModelFailure {}

export interface GuardedClient {
  /** Throws `ModelFailure`, or the reason of the signal. */
  send(request: ModelRequest, model: string, signal?: AbortSignal): Promise<ModelAnswer>
  isFailing(): boolean
  /** Milliseconds until requests may be sent; 0 while the breaker is closed. */
  pausedMs(): number
  inFlight(): number
  /** Requests that wait for other requests, or for the shared rate limit. */
  waiting(): number
  /** The current limit of requests in flight, which is lower than configured after the endpoint was busy. */
  limit(): number
}

export function createGuardedClient(client: ChatClient, concurrency: number, log?: Log): GuardedClient {
  const breaker = createCircuitBreaker()
  const limit = createConcurrencyLimit(concurrency)
  const refusals = createRefusalJudge()
  let lastReason: ModelFailureReason = 'unreachable'

  /** With jitter, so that refused requests are not retried together. */
  const refusal = () => new NotSent(lastReason, Math.ceil(breaker.waitMs() * (1 + Math.random() / 4)))

  async function admit(signal: AbortSignal | undefined): Promise<Admission> {
    if (breaker.waitMs() > 0) throw refusal()
    await limit.acquire(signal)
    const admission = breaker.admit()
    if (admission) return admission
    limit.release()
    throw refusal()
  }

  function noteSuccess(admission: Admission): void {
    const wasOpen = breaker.isOpen()
    admission.succeed()
    limit.grow()
    if (wasOpen && !breaker.isOpen()) log?.info('the language model answers again')
  }

  function noteFailure(admission: Admission, { reason, retryAfterMs }: ModelFailure): void {
    lastReason = reason
    const wasOpen = breaker.isOpen()
    admission.fail({ retryAfterMs, opensAtOnce: reason === 'busy' || reason === 'forbidden' })
    if (wasOpen || !breaker.isOpen()) return
    log?.warn({ reason }, 'the language model fails; requests to it wait')
    if (reason === 'busy') limit.shrink()
    limit.rejectWaiting(refusal)
  }

  return {
    async send(request, model, signal) {
      const admission = await admit(signal)
      try {
        const answer = await client.send(request, model, signal)
        refusals.noteAnswer(model)
        noteSuccess(admission)
        return answer
      } catch (error) {
        const failure = failureOf(error, () => refusals.isAboutRequest(model))
        if (failure === undefined) admission.cancel()
        else if (failure.isAboutRequest) noteSuccess(admission)
        else noteFailure(admission, failure)
        throw failure ?? error
      } finally {
        limit.release()
      }
    },
    isFailing: breaker.isFailing,
    pausedMs: breaker.waitMs,
    inFlight: limit.inFlight,
    waiting: limit.waiting,
    limit: limit.limit,
  }
}

/** Undefined for an error that says nothing of the endpoint. */
function failureOf(error: unknown, isAboutRequest: () => boolean): ModelFailure | undefined {
  if (error instanceof UnexplainedRefusal)
    return new ModelFailure(isAboutRequest() ? 'declined' : 'forbidden')
  return error instanceof ModelFailure ? error : undefined
}
