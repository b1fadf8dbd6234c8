/** When an endpoint that fails is left alone, and for how long, by a clock that the test moves. */
import { beforeEach, describe, expect, it } from 'vitest'
import { backoffMs } from '../../src/endpoint/backoff.ts'
import { createCircuitBreaker } from '../../src/endpoint/circuit-breaker.ts'
import type { Admission, CircuitBreaker } from '../../src/endpoint/circuit-breaker.ts'
import { createConcurrencyLimit } from '../../src/endpoint/concurrency.ts'

const PLAIN = { retryAfterMs: null, opensAtOnce: false }

let clock = 0
let breaker: CircuitBreaker

beforeEach(() => {
  clock = 0
  breaker = createCircuitBreaker({ threshold: 3, now: () => clock, random: () => 1 })
})

function admitted(): Admission {
  const admission = breaker.admit()
  if (!admission) throw new Error('the breaker is open')
  return admission
}

function failTimes(times: number): void {
  for (let n = 0; n < times; n += 1) admitted().fail(PLAIN)
}

describe('a circuit breaker', () => {
  it('opens after failures in a row, and a success between them starts the count again', () => {
    failTimes(2)
    admitted().succeed()
    failTimes(2)
    expect(breaker.isOpen()).toBe(false)
    expect(breaker.isFailing()).toBe(true)
    failTimes(1)
    expect(breaker.isOpen()).toBe(true)
    expect(breaker.admit()).toBeUndefined()
    expect(breaker.waitMs()).toBe(1_000)
  })

  it('lets one request through after the pause, and closes when it succeeds', () => {
    failTimes(3)
    clock = 1_000
    const probe = admitted()
    expect(breaker.admit()).toBeUndefined()
    expect(breaker.waitMs()).toBeGreaterThan(0)
    probe.succeed()
    expect([breaker.isOpen(), breaker.isFailing(), breaker.waitMs()]).toEqual([false, false, 0])
    expect(breaker.admit()).toBeDefined()
  })

  it('pauses longer each time that one request fails, at most a minute', () => {
    failTimes(3)
    const pauses: number[] = []
    for (let n = 0; n < 9; n += 1) {
      pauses.push(breaker.waitMs())
      clock += breaker.waitMs()
      admitted().fail(PLAIN)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000))
  })

  it('is not opened further by requests that were sent before, and a success of theirs does not close it', () => {
    const [late, later] = [admitted(), admitted()]
    failTimes(3)
    late.fail(PLAIN)
    later.succeed()
    expect(breaker.waitMs()).toBe(1_000)
    clock = 1_000
    admitted().fail(PLAIN)
    expect(breaker.waitMs()).toBe(2_000)
  })

  it('opens at once where one failure is enough, until the time that the endpoint names', () => {
    const late = admitted()
    admitted().fail({ retryAfterMs: 20_000, opensAtOnce: true })
    expect(breaker.waitMs()).toBe(20_000)
    late.fail({ retryAfterMs: 30_000, opensAtOnce: true })
    expect(breaker.waitMs()).toBe(30_000)
    clock = 29_999
    expect(breaker.admit()).toBeUndefined()
    clock = 30_000
    expect(breaker.admit()).toBeDefined()
  })

  it('does not stay away for hours', () => {
    admitted().fail({ retryAfterMs: 86_400_000, opensAtOnce: true })
    expect(breaker.waitMs()).toBe(300_000)
  })

  it('lets another request through where the one was given up', () => {
    failTimes(3)
    clock = 1_000
    admitted().cancel()
    expect(breaker.isOpen()).toBe(true)
    admitted().succeed()
    expect(breaker.isOpen()).toBe(false)
  })

  it('has pauses between one second and a minute, with jitter', () => {
    for (let failures = 1; failures < 40; failures += 1)
      for (const random of [0, 0.3, 1]) {
        const pause = backoffMs(failures, () => random)
        expect(pause).toBeGreaterThanOrEqual(1_000)
        expect(pause).toBeLessThanOrEqual(60_000)
      }
    expect(backoffMs(5, () => 0)).toBe(8_000)
    expect(backoffMs(5, () => 1)).toBe(16_000)
  })
})

describe('the limit on requests in flight', () => {
  it('lets others wait in order, and halves and grows with the endpoint', async () => {
    const limit = createConcurrencyLimit(8)
    await Promise.all(Array.from({ length: 8 }, () => limit.acquire()))
    const order: number[] = []
    const waits = [1, 2].map((n) => limit.acquire().then(() => order.push(n)))
    expect([limit.inFlight(), limit.waiting()]).toEqual([8, 2])
    limit.shrink()
    for (let n = 0; n < 4; n += 1) limit.release()
    expect([limit.inFlight(), limit.waiting(), limit.limit()]).toEqual([4, 2, 4])
    limit.release()
    limit.release()
    await Promise.all(waits)
    expect(order).toEqual([1, 2])
    for (let n = 0; n < 60; n += 1) limit.grow()
    expect(limit.limit()).toBe(8)
    for (let n = 0; n < 9; n += 1) limit.shrink()
    expect(limit.limit()).toBe(1)
  })

  it('forgets a request whose caller gives up while it waits', async () => {
    const limit = createConcurrencyLimit(1)
    await limit.acquire()
    const leaving = new AbortController()
    const waiting = limit.acquire(leaving.signal)
    leaving.abort(new Error('given up'))
    await expect(waiting).rejects.toThrow('given up')
    limit.release()
    expect([limit.inFlight(), limit.waiting()]).toEqual([0, 0])
  })
})
