/**
 * Checks the limits on queued documents, per tenant and for the whole service. The answer comes from memory: Postgres is queried
 * about once a second, and a request waits for a count only near the limit. With several processes, a limit can be exceeded
 * by what they accept within that second.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { countAllQueued, countQueued } from '../../store/documents/queue-size.ts'
import type { Pools } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'

export type QuotaResult = 'room' | 'tenant_full' | 'service_full'

export interface QueueQuota {
  /** Checked for each request that queues documents. Returns a promise only if the queue has to be counted first. */
  check(tenantId: string): QuotaResult | Promise<QuotaResult>
}

export interface QueueQuotaDeps {
  readonly pools: Pick<Pools, 'tenant' | 'kernel'>
  /** `Infinity` means no limit. */
  readonly perTenant: number
  readonly total: number
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number
}

/** How many tenants are cached. An evicted tenant is counted again. */
const MEMORY_SIZE = 10_000

export function createQueueQuota({ pools, perTenant, total, monotonicMs }: QueueQuotaDeps): QueueQuota {
  const ofTenants = new BoundedMap<string, Gauge>(MEMORY_SIZE)
  const serviceGauge = new Gauge(total, (bound) => countAllQueued(pools.kernel, bound), monotonicMs)

  function gaugeOf(tenantId: string): Gauge {
    const known = ofTenants.get(tenantId)
    if (known) return known
    const count = (bound: number) =>
      inTenant(pools.tenant, tenantId, (transaction) => countQueued(transaction, bound))
    const gauge = new Gauge(perTenant, count, monotonicMs)
    ofTenants.set(tenantId, gauge)
    return gauge
  }

  return {
    check(tenantId) {
      const room = gaugeOf(tenantId).hasRoom()
      return typeof room === 'boolean' ? askService(room) : room.then(askService)
    },
  }

  /** Checks the tenant's own limit first: the tenant can act on it, and a request that it refuses does not count for the service. */
  function askService(tenantHasRoom: boolean): QuotaResult | Promise<QuotaResult> {
    if (!tenantHasRoom) return 'tenant_full'
    const room = serviceGauge.hasRoom()
    return typeof room === 'boolean' ? toRoom(room) : room.then(toRoom)
  }
}

function toRoom(serviceHasRoom: boolean): QuotaResult {
  return serviceHasRoom ? 'room' : 'service_full'
}

/** A count is stale after a second, or after ten if more than `FAR` is free, which all processes could not fill in that time. */
const FRESH_MS = 1_000
const FRESH_FAR_MS = 10_000
const FAR = 50_000
/** Counting a long queue is slow. It may use at most one twentieth of a connection's time. */
const REST = 20
/** How long a request waits for a count. */
const TIMEOUT_MS = 1_000

/** Tracks one queue: the last count, and the documents admitted since. */
class Gauge {
  readonly #limit: number
  readonly #count: (bound: number) => Promise<number>
  readonly #monotonicMs: () => number
  #counted = 0
  #since = 0
  #askedAt = -Infinity
  #tookMs = 0
  #underWay: Promise<void> | undefined

  constructor(limit: number, count: (bound: number) => Promise<number>, monotonicMs: () => number) {
    this.#limit = limit
    this.#count = count
    this.#monotonicMs = monotonicMs
  }

  hasRoom(): boolean | Promise<boolean> {
    if (this.#limit === Infinity) return true
    const age = this.#monotonicMs() - this.#askedAt
    const old = age >= Math.max(this.#room() > FAR ? FRESH_FAR_MS : FRESH_MS, this.#tookMs * REST)
    // Starts the count first, so that a document admitted now is not taken for counted.
    if (old) void this.#recount()
    if (this.#letIn()) return true
    // The queue is full by the count itself, or by documents admitted since, some of which may be processed by now.
    const known = this.#counted >= this.#limit ? !old : age < this.#tookMs * REST
    if (known && !this.#underWay) return false
    return this.#letInOnceCounted()
  }

  /** A count that was already running does not include the last admitted documents, so a second one may be needed. */
  async #letInOnceCounted(): Promise<boolean> {
    const joined = this.#underWay !== undefined
    await this.#recountInTime()
    if (this.#letIn()) return true
    if (!joined || this.#counted >= this.#limit) return false
    await this.#recountInTime()
    return this.#letIn()
  }

  /** Waits for the count with a timeout. If the database does not answer, the last known count decides. */
  async #recountInTime(): Promise<void> {
    const counted = new AbortController()
    const tooLate = delay(TIMEOUT_MS, undefined, { signal: counted.signal }).catch(() => undefined)
    await Promise.race([this.#recount(), tooLate])
    counted.abort()
  }

  #letIn(): boolean {
    if (this.#room() <= 0) return false
    this.#since += 1
    return true
  }

  #room(): number {
    return this.#limit - this.#counted - this.#since
  }

  /** Runs one count at a time. */
  async #recount(): Promise<void> {
    return (this.#underWay ??= this.#ask().finally(() => (this.#underWay = undefined)))
  }

  async #ask(): Promise<void> {
    const askedAt = this.#monotonicMs()
    const before = this.#since
    this.#askedAt = askedAt
    try {
      this.#counted = await this.#count(this.#limit)
      this.#since -= before
    } catch {
      // If the database does not answer, the last known count stays in effect.
    }
    this.#tookMs = this.#monotonicMs() - askedAt
  }
}
