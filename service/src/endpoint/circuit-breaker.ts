/**
 * A circuit breaker. After failures it opens for a while, and then one probe request shows whether the endpoint is
 * back. Requests that were sent before it opened do not change its state, except by a later `Retry-After`.
 */
import { backoffMs } from './backoff.ts'

export interface Admission {
  /** Call exactly one of these when the request ends. */
  succeed(): void
  fail(failure: BreakerFailure): void
  /** The result says nothing about the endpoint. */
  cancel(): void
}

export interface BreakerFailure {
  readonly retryAfterMs: number | null
  /** Whether one failure of this kind opens the breaker. */
  readonly opensAtOnce: boolean
}

export interface CircuitBreaker {
  /** Returns undefined while the breaker is open. */
  admit(): Admission | undefined
  isOpen(): boolean
  /** Whether the last conclusive request failed. */
  isFailing(): boolean
  /** Milliseconds until a request may be sent. */
  waitMs(): number
}

export interface CircuitBreakerOptions {
  /** The number of consecutive failures that open it. */
  readonly threshold?: number
  readonly now?: () => number
  readonly random?: () => number
}

const THRESHOLD = 5
/** The maximum pause, also for a longer `Retry-After`: the endpoint may be back sooner. */
const MAX_RETRY_AFTER_MS = 300_000
/** The pause while the probe request is in flight. */
const PROBE_WAIT_MS = 1_000

export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { threshold = THRESHOLD, now = () => performance.now(), random = Math.random } = options
  let failuresInARow = 0
  let openingsInARow = 0
  /** Grows with each opening, to recognise requests that were sent before it. */
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
