/**
 * Whether there is room for one more document in the queue of a tenant and in the queue of the service. The answer comes
 * from memory: Postgres is asked about once a second, and only near the limit does a request wait for a count. With
 * several processes a limit can so be passed by what they accept within that second.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { countAllQueued, countQueued } from '../../store/documents/queue-size.ts'
import type { Pools } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'

export type Room = 'room' | 'tenant_full' | 'service_full'

export interface QueueQuota {
  /** Asked for each request that queues; a promise only where it has to be counted first. */
  check(tenantId: string): Room | Promise<Room>
}

export interface QueueQuotaDeps {
  readonly pools: Pick<Pools, 'tenant' | 'kernel'>
  /** Infinite where there is no limit. */
  readonly perTenant: number
  readonly total: number
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number
}

/** How many tenants are remembered; one that is forgotten is counted anew. */
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

  /** The tenant's own limit comes first: it can do something about that, and what it refuses adds nothing to the queue. */
  function askService(tenantHasRoom: boolean): Room | Promise<Room> {
    if (!tenantHasRoom) return 'tenant_full'
    const room = serviceGauge.hasRoom()
    return typeof room === 'boolean' ? toRoom(room) : room.then(toRoom)
  }
}

function toRoom(serviceHasRoom: boolean): Room {
  return serviceHasRoom ? 'room' : 'service_full'
}

/** A count is old after a second; later where there is more room than all processes could fill in that time. */
const FRESH_MS = 1_000
const FRESH_FAR_MS = 10_000
const FAR = 50_000
/** Counting a long queue takes long; it may take a twentieth of a connection's time and no more. */
const REST = 20
/** How long a request waits for a count. */
const TIMEOUT_MS = 1_000

/** The state of one queue: the last count, and what was let in since. */
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
    // First, so that what is let in now is not taken for counted.
    if (old) void this.#recount()
    if (this.#letIn()) return true
    // Full by the count itself, or by what was let in since; the second may have been worked off meanwhile.
    const known = this.#counted >= this.#limit ? !old : age < this.#tookMs * REST
    if (known && !this.#underWay) return false
    return this.#letInOnceCounted()
  }

  /** A count that was under way already began before the last of them were let in: those may need another. */
  async #letInOnceCounted(): Promise<boolean> {
    const joined = this.#underWay !== undefined
    await this.#recountInTime()
    if (this.#letIn()) return true
    if (!joined || this.#counted >= this.#limit) return false
    await this.#recountInTime()
    return this.#letIn()
  }

  /** A database that is silent must not keep the request waiting: then it is what was known before that counts. */
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

  /** One at a time. */
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
      // A database that does not answer says nothing about the queue: what was known goes on being true.
    }
    this.#tookMs = this.#monotonicMs() - askedAt
  }
}
