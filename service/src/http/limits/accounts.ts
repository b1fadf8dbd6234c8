/** Counts how much of its limits each tenant uses in this process, and how one request is counted while it is here. */
import { TokenBucket } from '../../platform/token-bucket.ts'
import type { Rate } from '../../platform/token-bucket.ts'
import type { HeldBytes } from './byte-budget.ts'

/** The limits of one tenant in one process; infinite where there is no limit. */
export interface TenantLimits {
  readonly requests: Rate
  /** The rate of request bodies. */
  readonly bytes: Rate
  readonly requestsAtOnce: number
  readonly streams: number
}

export class Account {
  readonly requests: TokenBucket
  readonly bytes: TokenBucket
  requestsAtOnce = 0
  streams = 0

  constructor({ requests, bytes }: TenantLimits, nowMs: number) {
    this.requests = new TokenBucket(requests, nowMs)
    this.bytes = new TokenBucket(bytes, nowMs)
  }

  /** Indistinguishable from a new one, so that it may be forgotten. */
  isUnused(nowMs: number): boolean {
    return (
      this.requestsAtOnce === 0 &&
      this.streams === 0 &&
      this.requests.isFull(nowMs) &&
      this.bytes.isFull(nowMs)
    )
  }
}

/** When to look for unused accounts the first time; after that, whenever their number has doubled. */
const MANY = 10_000

export class Accounts {
  readonly #limits: TenantLimits
  readonly #byTenant = new Map<string, Account>()
  #tidyAt = MANY

  constructor(limits: TenantLimits) {
    this.#limits = limits
  }

  of(tenantId: string, nowMs: number): Account {
    const known = this.#byTenant.get(tenantId)
    if (known) return known
    if (this.#byTenant.size >= this.#tidyAt) this.#tidy(nowMs)
    const account = new Account(this.#limits, nowMs)
    this.#byTenant.set(tenantId, account)
    return account
  }

  #tidy(nowMs: number): void {
    for (const [tenantId, account] of this.#byTenant)
      if (account.isUnused(nowMs)) this.#byTenant.delete(tenantId)
    this.#tidyAt = Math.max(MANY, this.#byTenant.size * 2)
  }
}

/** The resource of a request while it is here: a stream is counted apart, because it stays. */
export type UsageKey = 'requestsAtOnce' | 'streams'

/**
 * One request in its place, from its admission until its handler is done or it was refused on the way there. Not until
 * its answer has left: whoever hangs up early would get the place back early, and whoever reads slowly costs nothing more.
 */
export class Pass {
  readonly account: Account
  /** The size of its body; undefined where these are not bounded. */
  readonly bytes: HeldBytes | undefined
  readonly #place: UsageKey
  #left = false

  constructor(account: Account, place: UsageKey, bytes?: HeldBytes) {
    this.account = account
    this.bytes = bytes
    this.#place = place
    account[place] += 1
  }

  /** Twice is harmless: a handler that fails leaves once, and its refusal again. */
  leave(): void {
    if (this.#left) return
    this.#left = true
    this.account[this.#place] -= 1
    this.bytes?.release()
  }
}
