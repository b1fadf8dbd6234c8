import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TokenBucket, UNLIMITED } from '../../src/platform/token-bucket.ts'

const rate = { perSecond: 10, burst: 20 }

function takeAll(bucket: TokenBucket, nowMs: number): number {
  let taken = 0
  while (bucket.take(1, nowMs)) taken += 1
  return taken
}

describe('a token bucket', () => {
  it('gives its burst at once and then what its rate brings', () => {
    const bucket = new TokenBucket(rate, 0)
    expect(takeAll(bucket, 0)).toBe(20)
    expect(takeAll(bucket, 99)).toBe(0)
    expect(takeAll(bucket, 100)).toBe(1)
    expect(takeAll(bucket, 1_100)).toBe(10)
  })

  it('holds no more than its burst, however long it is left alone', () => {
    const bucket = new TokenBucket(rate, 0)
    expect(takeAll(bucket, 1e9)).toBe(20)
  })

  it('lets in what is larger than itself, and is in debt for it', () => {
    const bucket = new TokenBucket(rate, 0)
    expect(bucket.take(50, 0)).toBe(true)
    expect(bucket.left).toBe(0)
    expect(bucket.secondsToNext()).toBe(4)
    expect(bucket.take(1, 3_000)).toBe(false)
    expect(bucket.take(1, 3_100)).toBe(true)
  })

  it('can be charged for what is known only afterwards', () => {
    const bucket = new TokenBucket(rate, 0)
    bucket.debit(25)
    expect(bucket.take(1, 0)).toBe(false)
    expect(bucket.take(1, 600)).toBe(true)
  })

  it('says how much is left and when it is full again', () => {
    const bucket = new TokenBucket(rate, 0)
    for (let time = 0; time < 15; time += 1) bucket.take(1, 0)
    expect([bucket.left, bucket.secondsToFull(), bucket.secondsToNext()]).toEqual([5, 2, 1])
    expect([bucket.isFull(1_000), bucket.isFull(1_500)]).toEqual([false, true])
  })

  it('never runs empty where there is no limit', () => {
    const bucket = new TokenBucket(UNLIMITED, 0)
    for (const now of [0, 0, 5, 1e6]) expect(bucket.take(1e12, now)).toBe(true)
    expect(bucket.isFull(1e6)).toBe(true)
  })

  it('gives in any span at most its burst and what its rate brings in that span', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 200 }), (gaps) => {
        const bucket = new TokenBucket(rate, 0)
        let now = 0
        let taken = 0
        for (const gap of gaps) {
          now += gap
          taken += takeAll(bucket, now)
        }
        expect(taken).toBeLessThanOrEqual(rate.burst + (now / 1_000) * rate.perSecond + 1e-6)
      }),
    )
  })
})
