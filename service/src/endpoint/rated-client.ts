/**
 * Applies the rate limit that all processes share. A request waits for the rate limit before it takes a slot of this
 * process, so it does not block other requests. If the endpoint is busy, the other processes are told.
 */
import { ModelFailure } from '../domain/model.ts'
import type { ModelRate } from '../domain/model-rate.ts'
import { maxTokens, tokensWithoutAnswer, totalOf } from '../domain/model-tokens.ts'
import { NotSent } from './guarded-client.ts'
import type { GuardedClient } from './guarded-client.ts'

export function createRatedClient(client: GuardedClient, rate: ModelRate): GuardedClient {
  async function acquire(tokens: number, signal?: AbortSignal): Promise<void> {
    try {
      await rate.acquire(tokens, signal)
    } catch (error) {
      throw error instanceof ModelFailure ? new NotSent(error.reason, error.retryAfterMs) : error
    }
  }

  return {
    ...client,
    async send(request, model, signal) {
      const tokens = maxTokens(request)
      // While the circuit breaker is open the request is refused at once and uses no rate.
      const isTaken = client.pausedMs() === 0
      if (isTaken) await acquire(tokens, signal)
      let used = 0
      try {
        const answer = await client.send(request, model, signal)
        used = totalOf(answer.usage)
        return answer
      } catch (error) {
        const isSent = !(error instanceof NotSent)
        if (isSent) used = tokensWithoutAnswer(request, error)
        if (isSent && error instanceof ModelFailure && error.reason === 'busy') rate.pause(client.pausedMs())
        throw error
      } finally {
        if (isTaken) rate.giveBack(tokens - used)
      }
    },
    waiting: () => client.waiting() + rate.waiting(),
  }
}
