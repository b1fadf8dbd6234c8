/** Opens the language model of a worker, if one is configured. */
import { createModelAnswers } from '../app/model/model-answers.ts'
import type { AskForScope } from '../app/model/model-answers.ts'
import { createModelRate } from '../app/model/model-rate.ts'
import { createModelRecovery } from '../app/model/model-recovery.ts'
import type { ScopeSeals } from '../app/scopes/scope-seals.ts'
import type { ModelStep } from '../domain/model.ts'
import type { ModelRate } from '../domain/model-rate.ts'
import type { ModelEndpoint } from '../endpoint/model-endpoint.ts'
import { isLoopback } from '../platform/config.ts'
import type { KernelConfig } from '../platform/config.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Pools } from '../store/pools.ts'
import { createModelMetrics } from '../telemetry/metrics/model.ts'
import type { Parking } from '../worker/parking.ts'
import type { Telemetry } from './telemetry.ts'

export type ModelConfig = Pick<
  KernelConfig,
  | 'MODEL_URL'
  | 'MODEL_NAME'
  | 'MODEL_EXTRACT_NAME'
  | 'MODEL_COMPARE_NAME'
  | 'MODEL_VERIFY_NAME'
  | 'MODEL_API_KEY'
  | 'MODEL_FORMAT'
  | 'MODEL_TIMEOUT_MS'
  | 'MODEL_CONCURRENCY'
  | 'MODEL_REQUESTS_PER_MINUTE'
  | 'MODEL_TOKENS_PER_MINUTE'
  | 'MODEL_TOKENS_PER_DAY'
  | 'MODEL_TOKENS_PER_MONTH'
  | 'MODEL_ISOLATION'
>

export interface OpenModelDeps {
  readonly pools: Pools
  readonly seals: ScopeSeals
  readonly parking: Pick<Parking, 'size'>
  readonly telemetry: Pick<Telemetry, 'add'>
  readonly log: Log
}

export interface OpenedModel {
  /** The model that extracts claims. Policies know the reader by this name. */
  readonly name: string
  readonly external: boolean
  readonly nameOf: (step: ModelStep) => string
  readonly ask: AskForScope
  /** Whether every document is compared in requests of its own. */
  readonly isolatesAll: boolean
  readonly state: ModelEndpoint['state']
  /** Wakes the documents that wait for the model, and closes its connections at the stop. */
  readonly part: Part
}

export async function openModel(config: ModelConfig, deps: OpenModelDeps): Promise<OpenedModel | undefined> {
  const { pools, seals, parking, telemetry, log } = deps
  const rates = {
    requestsPerMinute: config.MODEL_REQUESTS_PER_MINUTE,
    tokensPerMinute: config.MODEL_TOKENS_PER_MINUTE,
  }
  const rate = createModelRate({ kernel: pools.kernel, limits: rates, log })
  const opened = await openModelEndpoint(config, log, rate)
  if (!opened) return undefined
  const { endpoint, nameOf } = opened
  const limits = { perDay: config.MODEL_TOKENS_PER_DAY, perMonth: config.MODEL_TOKENS_PER_MONTH }
  const answers = createModelAnswers({ pool: pools.tenant, seals, ask: endpoint.ask, nameOf, limits })
  telemetry.add(
    createModelMetrics({
      endpoint: endpoint.counts,
      answers: answers.counts,
      inFlight: endpoint.inFlight,
      waiting: endpoint.waiting,
      parked: parking.size,
      state: endpoint.state,
    }),
  )
  const recovery = createModelRecovery({ ...endpoint, kernel: pools.kernel, log })
  return {
    name: nameOf('extract'),
    external: !isLoopback(config.MODEL_URL),
    nameOf,
    ask: answers.ask,
    isolatesAll: config.MODEL_ISOLATION === 'all',
    state: endpoint.state,
    part: {
      ...recovery,
      async stop() {
        await recovery.stop()
        endpoint.close()
      },
    },
  }
}

/** Loads the client only if a model is configured. */
export async function openModelEndpoint(config: Partial<ModelConfig>, log?: Log, rate?: ModelRate) {
  const { MODEL_URL: url, MODEL_NAME: name, MODEL_API_KEY: apiKey } = config
  if (url === undefined || name === undefined) return undefined
  const names: Readonly<Record<ModelStep, string | undefined>> = {
    extract: config.MODEL_EXTRACT_NAME,
    compare: config.MODEL_COMPARE_NAME,
    verify: config.MODEL_VERIFY_NAME,
  }
  const nameOf = (step: ModelStep) => names[step] ?? name
  const { createModelEndpoint } = await import('../endpoint/model-endpoint.ts')
  const endpoint = createModelEndpoint({
    url,
    apiKey,
    nameOf,
    format: config.MODEL_FORMAT ?? 'json_schema',
    timeoutMs: config.MODEL_TIMEOUT_MS ?? 120_000,
    concurrency: config.MODEL_CONCURRENCY ?? 200,
    rate,
    ...(log && { log }),
  })
  return { endpoint, nameOf }
}
