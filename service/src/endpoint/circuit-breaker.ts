/**
 * A circuit breaker: an endpoint that fails is left alone for a while, then one request finds out whether it is back. Requests
 * that were sent before it opened change nothing about it when they end, except by a later `Retry-After`.
 */
import { backoffMs } from './backoff.ts'

export interface Admission {
  /** Exactly one of these is called when the request ends. */
  succeed(): void
  fail(failure: BreakerFailure): void
  /** The request told nothing about the endpoint. */
  cancel(): void
}

export interface BreakerFailure {
  readonly retryAfterMs: number | null
  /** Whether one failure of this kind is enough. */
  readonly opensAtOnce: boolean
}

export interface CircuitBreaker {
  /** Undefined while it is open. */
  admit(): Admission | undefined
  isOpen(): boolean
  /** The last request that told something failed. */
  isFailing(): boolean
  /** Milliseconds until it is worth to ask again. */
  waitMs(): number
}

export interface CircuitBreakerOptions {
  /** Failures in a row that open it. */
  readonly threshold?: number
  readonly now?: () => number
  readonly random?: () => number
}

const THRESHOLD = 5
/** An endpoint that asks for hours is asked once in a while nevertheless: it may be back sooner. */
const MAX_RETRY_AFTER_MS = 300_000
/** While one request finds out whether the endpoint is back. */
const PROBE_WAIT_MS = 1_000

export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { threshold = THRESHOLD, now = () => performance.now(), random = Math.random } = options
  let failuresInARow = 0
  let openingsInARow = 0
  /** Grows with each opening, to tell requests that were sent before it. */
  let generation = 0
  let openUntil = 0
  let isProbing = false
  const isOpen = () => openingsInARow > 0

  function extend(ms: number | null): void {
    openUntil = Math.max(openUntil, now() + Math.min(ms ?? 0, MAX_RETRY_AFTER_MS))
  }

  function open(retryAfterMs: number | null): void {
    openingsInARow += 1
    generation += 1
    isProbing = false
    openUntil = now() + backoffMs(openingsInARow, random)
    extend(retryAfterMs)
  }

  function admissionOf(born: number, isProbe: boolean): Admission {
    return {
      succeed() {
        if (born !== generation) return
        failuresInARow = 0
        if (isProbe) openingsInARow = 0
      },
      fail({ retryAfterMs, opensAtOnce }) {
        if (born !== generation) return extend(retryAfterMs)
        failuresInARow += 1
        if (isProbe || opensAtOnce || failuresInARow >= threshold) open(retryAfterMs)
      },
      cancel() {
        if (isProbe && born === generation) isProbing = false
      },
    }
  }

  return {
    admit() {
      if (!isOpen()) return admissionOf(generation, false)
      if (isProbing || now() < openUntil) return undefined
      isProbing = true
      return admissionOf(generation, true)
    },
    isOpen,
    isFailing: () => failuresInARow > 0,
    waitMs() {
      if (!isOpen()) return 0
      return isProbing ? PROBE_WAIT_MS : Math.max(0, openUntil - now())
    },
  }
}
