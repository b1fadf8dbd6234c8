/** Counts the requests of a process to a model endpoint, by step. Numbers only grow. */
import type { ModelFailureReason, ModelStep, ModelUsage } from '../domain/model.ts'

/** `not_sent` counts requests that the circuit breaker refused, `aborted` those that the caller aborted. */
export type RequestOutcome = 'answered' | Exclude<ModelFailureReason, 'over_budget'> | 'not_sent' | 'aborted'

export interface StepCounts {
  readonly requests: Record<RequestOutcome, number>
  inputTokens: number
  outputTokens: number
}

export type EndpointCounts = Readonly<Record<ModelStep, StepCounts>>

export function createEndpointCounts(): EndpointCounts {
  return { extract: createStepCounts(), compare: createStepCounts(), verify: createStepCounts() }
}

function createStepCounts(): StepCounts {
  const requests = {
    answered: 0,
    timeout: 0,
    unreachable: 0,
    busy: 0,
    forbidden: 0,
    server_error: 0,
    declined: 0,
    too_long: 0,
    not_sent: 0,
    aborted: 0,
  }
  return { requests, inputTokens: 0, outputTokens: 0 }
}

export function countRequest(counts: StepCounts, outcome: RequestOutcome, usage: ModelUsage | null): void {
  counts.requests[outcome] += 1
  counts.inputTokens += usage?.inputTokens ?? 0
  counts.outputTokens += usage?.outputTokens ?? 0
}
