/** Counts in memory how much of its limits each tenant uses in this process. */
import { TokenBucket } from '../../platform/token-bucket.ts'
import type { Rate } from '../../platform/token-bucket.ts'
import type { BodyBytes } from './byte-budget.ts'
import { RefusalCount } from './refusal-pace.ts'

/** The limits of one tenant in one process. `Infinity` means no limit. */
export interface TenantLimits {
  readonly requests: Rate
  /** Limits the bytes of request bodies. */
  readonly bytes: Rate
  readonly requestsAtOnce: number
  readonly streams: number
}

export class TenantUsage {
  readonly requests: TokenBucket
  readonly bytes: TokenBucket
  readonly refusals = new RefusalCount()
  requestsAtOnce = 0
  streams = 0

  constructor({ requests, bytes }: TenantLimits, nowMs: number) {
    this.requests = new TokenBucket(requests, nowMs)
    this.bytes = new TokenBucket(bytes, nowMs)
  }

  /** True if this is the same as a new entry, so the table may drop it. */
  isUnused(nowMs: number): boolean {
    return (
      this.requestsAtOnce === 0 &&
      this.streams === 0 &&
      this.refusals.isUnused(nowMs) &&
      this.requests.isFull(nowMs) &&
      this.bytes.isFull(nowMs)
    )
  }
}

/** The table drops unused entries when it first reaches this size, and then each time it has doubled. */
const MIN_TIDY_SIZE = 10_000

export class UsageTable {
  readonly #limits: TenantLimits
  readonly #byTenant = new Map<string, TenantUsage>()
  #tidyAt = MIN_TIDY_SIZE

  constructor(limits: TenantLimits) {
    this.#limits = limits
  }

  of(tenantId: string, nowMs: number): TenantUsage {
    const known = this.#byTenant.get(tenantId)
    if (known) return known
    if (this.#byTenant.size >= this.#tidyAt) this.#tidy(nowMs)
    const usage = new TenantUsage(this.#limits, nowMs)
    this.#byTenant.set(tenantId, usage)
    return usage
  }

  #tidy(nowMs: number): void {
    for (const [tenantId, usage] of this.#byTenant) if (usage.isUnused(nowMs)) this.#byTenant.delete(tenantId)
    this.#tidyAt = Math.max(MIN_TIDY_SIZE, this.#byTenant.size * 2)
  }
}

/** Says which concurrency limit a request counts against. Streams have their own, because they stay open. */
export type UsageKey = 'requestsAtOnce' | 'streams'

/**
 * The permit of one request in flight. It is held until the handler is done or the request is refused, not until the response
 * is sent: a client that disconnects early must not get its slot back early, and a slow reader costs nothing more.
 */
export class Permit {
  readonly usage: TenantUsage
  /** The bytes of its body. Undefined for routes that are not subject to load shedding. */
  readonly bytes: BodyBytes | undefined
  readonly #usageKey: UsageKey
  #left = false

  constructor(usage: TenantUsage, usageKey: UsageKey, bytes?: BodyBytes) {
    this.usage = usage
    this.bytes = bytes
    this.#usageKey = usageKey
    usage[usageKey] += 1
  }

  /** Idempotent: a handler that fails releases the permit, and so does the error handler after it. */
  release(): void {
    if (this.#left) return
    this.#left = true
    this.usage[this.#usageKey] -= 1
    this.bytes?.release()
  }
}
