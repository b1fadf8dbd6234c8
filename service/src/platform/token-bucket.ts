/**
 * A token bucket: a rate a second in the long run, and a burst. Every request uses it, so it takes a few additions: no
 * promise, no timer, no allocation.
 */

export interface Rate {
  readonly perSecond: number
  /** The number of tokens in a full bucket. */
  readonly burst: number
}

/** Never runs empty. */
export const UNLIMITED: Rate = { perSecond: 0, burst: Infinity }

/** Uses a monotonic clock. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #filledAt: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#filledAt = nowMs
  }

  /**
   * Takes the whole amount if at least one token is left, and leaves a debt for the rest. Otherwise a request larger than
   * the bucket could never be accepted.
   */
  take(amount: number, nowMs: number): boolean {
    this.#fill(nowMs)
    if (this.#tokens < 1) return false
    this.#tokens -= amount
    return true
  }

  /** Takes tokens unconditionally, for costs that are known only afterwards. */
  debit(amount: number): void {
    this.#tokens -= amount
  }

  /** The tokens at the last call. */
  get left(): number {
    return Math.max(0, Math.floor(this.#tokens))
  }

  isFull(nowMs: number): boolean {
    this.#fill(nowMs)
    return this.#tokens === this.#rate.burst
  }

  /** Whole seconds until a token can be taken again, at least 1. */
  secondsToNext(): number {
    return this.#secondsTo(1)
  }

  /** Whole seconds until the bucket is full without further use, at least 1. */
  secondsToFull(): number {
    return this.#secondsTo(this.#rate.burst)
  }

  #secondsTo(tokens: number): number {
    return Math.max(1, Math.ceil((tokens - this.#tokens) / this.#rate.perSecond))
  }

  #fill(nowMs: number): void {
    const { perSecond, burst } = this.#rate
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledAt) / 1000) * perSecond)
    this.#filledAt = nowMs
  }
}
