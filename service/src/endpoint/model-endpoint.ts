/** Asks a language model over OpenAI's chat completions, and counts the requests. */
import { ModelFailure } from '../domain/model.ts'
import type { AskModel, ModelStep } from '../domain/model.ts'
import type { ModelRate } from '../domain/model-rate.ts'
import type { Log } from '../platform/log.ts'
import { createChatClient } from './chat-client.ts'
import type { ChatClientSettings } from './chat-client.ts'
import { countRequest, createEndpointCounts } from './counts.ts'
import type { EndpointCounts, StepCounts } from './counts.ts'
import { createGuardedClient, NotSent } from './guarded-client.ts'
import type { GuardedClient } from './guarded-client.ts'
import { createRatedClient } from './rated-client.ts'

export interface ModelEndpointSettings extends ChatClientSettings {
  /** The name of the model for a step. */
  readonly nameOf: (step: ModelStep) => string
  /** The maximum of requests in flight. */
  readonly concurrency: number
  /** The rate limit that all processes share. */
  readonly rate?: ModelRate | undefined
  readonly log?: Log
}

export interface ModelEndpoint extends Pick<GuardedClient, 'pausedMs' | 'inFlight' | 'waiting' | 'limit'> {
  /** Rejects with a `ModelFailure`; if the signal aborts, its reason is `timeout`. */
  readonly ask: AskModel
  readonly counts: EndpointCounts
  /** `failing` if the last request failed because of the endpoint. */
  state(): 'on' | 'failing'
  /** Closes all connections; requests in flight fail. */
  close(): void
}

export function createModelEndpoint(settings: ModelEndpointSettings): ModelEndpoint {
  const { nameOf, concurrency, rate, log } = settings
  const client = createChatClient(settings)
  const guarded = createGuardedClient(client, concurrency, log)
  const { send, isFailing, ...figures } = rate ? createRatedClient(guarded, rate) : guarded
  const counts = createEndpointCounts()
  return {
    ...figures,
    counts,
    async ask(request, signal) {
      const step = counts[request.step]
      try {
        const answer = await send(request, nameOf(request.step), signal)
        countRequest(step, 'answered', answer.usage)
        return answer
      } catch (error) {
        throw countFailure(step, error, signal)
      }
    },
    state: () => (isFailing() ? 'failing' : 'on'),
    close: client.close,
  }
}

/** Returns what to throw. */
function countFailure(step: StepCounts, error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof ModelFailure) {
    const isSent = !(error instanceof NotSent) && error.reason !== 'over_budget'
    countRequest(step, isSent ? error.reason : 'not_sent', error.usage)
    return error
  }
  if (signal?.aborted !== true) return error
  countRequest(step, 'aborted', null)
  return new ModelFailure('timeout')
}
