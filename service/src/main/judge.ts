/** Opens the judge of a worker, if one is configured. */
import type { Auditor } from '../app/audit/audit.ts'
import type { Policies } from '../app/access/policies.ts'
import type { ScopeSeals } from '../app/scopes/scope-seals.ts'
import type { Judge } from '../judging/judge.ts'
import { isLoopback } from '../platform/config.ts'
import type { KernelConfig } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Pools } from '../store/pools.ts'
import { createJudgeMetrics } from '../telemetry/metrics/judge.ts'
import { logCompareErrors } from './compare-errors.ts'
import type { Telemetry } from './telemetry.ts'

export interface OpenJudgeDeps {
  readonly pools: Pools
  readonly seals: ScopeSeals
  readonly policies: Policies
  readonly auditor: Auditor
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  readonly telemetry: Pick<Telemetry, 'add'>
  readonly log: Log
}

type JudgeConfig = Pick<
  KernelConfig,
  | 'JUDGE_URL'
  | 'JUDGE_MODEL'
  | 'JUDGE_API_KEY'
  | 'JUDGE_FORMAT'
  | 'JUDGE_TIMEOUT_MS'
  | 'JUDGE_TOKENS_PER_DAY'
  | 'JUDGE_CONCURRENCY'
>

/** The time for the statements before and after the request. */
const LEASE_MARGIN_MS = 30_000

/** Loads the libraries only if a judge is configured: they take 250 ms and 20 MB. */
export async function openJudge(config: JudgeConfig, deps: OpenJudgeDeps): Promise<Judge | undefined> {
  const endpoint = await openEndpoint(config)
  if (!endpoint || config.JUDGE_MODEL === undefined) return undefined
  const { createJudge } = await import('../judging/judge.ts')
  const { telemetry, log, ...judging } = deps
  const judge = createJudge({
    ...judging,
    log,
    endpoint,
    priceOf: endpoint.priceOf,
    model: config.JUDGE_MODEL,
    external: !isLoopback(config.JUDGE_URL),
    budget: config.JUDGE_TOKENS_PER_DAY,
    concurrency: config.JUDGE_CONCURRENCY,
    leaseMs: config.JUDGE_TIMEOUT_MS + LEASE_MARGIN_MS,
    onCompareError: logCompareErrors(log),
  })
  telemetry.add(createJudgeMetrics(judge.counts, judge.state))
  return judge
}

export async function openEndpoint(config: Partial<JudgeConfig>) {
  const { JUDGE_URL: url, JUDGE_MODEL: model, JUDGE_API_KEY: apiKey } = config
  if (url === undefined || model === undefined) return undefined
  const { createEndpoint } = await import('../judging/endpoint.ts')
  const { JUDGE_TIMEOUT_MS: timeoutMs = 20_000, JUDGE_FORMAT: format = 'json_schema' } = config
  return createEndpoint({ url, model, apiKey, timeoutMs, format })
}
