/** Opens the comparer of a worker, if a language model is configured. */
import type { Auditor } from '../app/audit/audit.ts'
import type { Policies } from '../app/access/policies.ts'
import type { ScopeSeals } from '../app/scopes/scope-seals.ts'
import type { KernelConfig } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Pools } from '../store/pools.ts'
import { createComparerMetrics } from '../telemetry/metrics/comparer.ts'
import { createComparer } from '../worker/comparer.ts'
import type { Comparer } from '../worker/comparer.ts'
import type { OpenedModel } from './model.ts'
import type { Telemetry } from './telemetry.ts'

export interface FactComparerDeps {
  readonly pools: Pools
  readonly seals: ScopeSeals
  readonly policies: Policies
  readonly auditor: Auditor
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  readonly telemetry: Pick<Telemetry, 'add'>
  readonly log: Log
}

/**
 * The lease is renewed while its step is compared, so it only determines how soon another worker takes over after a
 * crash.
 */
const LEASE_MS = 15_000

/** A step makes one request, and one more for each proposed pair. */
const REQUESTS_A_STEP = 4

export function openFactComparer(
  config: Pick<KernelConfig, 'MODEL_CONCURRENCY' | 'MODEL_COMPARE_TOKENS'>,
  { ask, nameOf, external }: OpenedModel,
  { telemetry, ...deps }: FactComparerDeps,
): Comparer {
  const comparer = createComparer({
    ...deps,
    ask,
    nameOf,
    external,
    budget: config.MODEL_COMPARE_TOKENS,
    concurrency: Math.ceil(config.MODEL_CONCURRENCY / REQUESTS_A_STEP),
    leaseMs: LEASE_MS,
  })
  telemetry.add(createComparerMetrics(comparer.counts))
  return comparer
}
