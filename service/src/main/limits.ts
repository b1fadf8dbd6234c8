/** Creates the limits of an API process from its configuration. */
import { createQueueQuota } from '../app/documents/queue-quota.ts'
import { createLimits } from '../http/limits.ts'
import type { RequestLimits } from '../http/limits.ts'
import { createFailedAttempts } from '../http/limits/failed-attempts.ts'
import type { Config } from '../platform/config.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { createLoopMeter } from '../platform/loop-meter.ts'
import { UNLIMITED } from '../platform/token-bucket.ts'
import type { Rate } from '../platform/token-bucket.ts'
import type { Pools } from '../store/pools.ts'

export interface LimitsPart extends Part {
  readonly limits: RequestLimits
}

export function createLimitsPart(
  config: Config,
  {
    pools,
    log,
    monotonicMs,
  }: { readonly pools: Pools; readonly log: Log; readonly monotonicMs: () => number },
): LimitsPart {
  const meter = createLoopMeter(orNone(config.SHED_LATE_MS), monotonicMs, log)
  const limits = createLimits({
    perTenant: {
      requests: rateOf(config.RATE_REQUESTS_PER_SECOND, config.RATE_BURST_SECONDS),
      bytes: rateOf(config.RATE_BYTES_PER_SECOND, config.RATE_BURST_SECONDS),
      requestsAtOnce: orNone(config.LIMIT_REQUESTS_AT_ONCE),
      streams: orNone(config.LIMIT_STREAMS),
    },
    bytesInFlight: {
      perTenant: orNone(config.LIMIT_BYTES_IN_FLIGHT),
      total: orNone(config.PROCESS_BYTES_IN_FLIGHT),
    },
    failedAttempts: createFailedAttempts(failureRate(config), monotonicMs),
    queue: createQueueQuota({
      pools,
      perTenant: orNone(config.LIMIT_QUEUED_DOCUMENTS),
      total: orNone(config.SERVICE_QUEUED_DOCUMENTS),
      monotonicMs,
    }),
    isLate: meter.isLate,
    monotonicMs,
  })
  return { ...meter, limits }
}

function orNone(limit: number): number {
  return limit === 0 ? Infinity : limit
}

function rateOf(perSecond: number, burstSeconds: number): Rate {
  return perSecond === 0 ? UNLIMITED : { perSecond, burst: perSecond * burstSeconds }
}

function failureRate({ AUTH_FAILURES_PER_SECOND: perSecond, AUTH_FAILURES_BURST: burst }: Config): Rate {
  return perSecond === 0 ? UNLIMITED : { perSecond, burst }
}
