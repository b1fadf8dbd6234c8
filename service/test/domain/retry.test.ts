import { describe, expect, it } from 'vitest'
import { MAX_ATTEMPTS, retryDelayMs } from '../../src/domain/retry.ts'

describe('the pause before another attempt', () => {
  it.each([
    [1, 500, 1_000],
    [2, 1_000, 2_000],
    [3, 2_000, 4_000],
    [4, 4_000, 8_000],
  ])('after attempt %i lies between %i and %i ms', (attempt, least, most) => {
    expect(retryDelayMs(attempt, 0)).toBe(least)
    expect(retryDelayMs(attempt, 1)).toBe(most)
    expect(retryDelayMs(attempt, 0.5)).toBe((least + most) / 2)
  })

  it('never grows beyond a minute, however many attempts there were', () => {
    for (const attempt of [7, 8, 20, 100, 5_000]) expect(retryDelayMs(attempt, 1)).toBe(60_000)
  })

  it('is a whole number of milliseconds', () => {
    for (const random of [0.123, 0.777, 0.999]) expect(retryDelayMs(3, random) % 1).toBe(0)
  })

  it('leaves a document at most half a minute of pauses before it has failed for good', () => {
    const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => retryDelayMs(index + 1, 1))
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(30_000)
  })
})
