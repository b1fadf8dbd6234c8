import { describe, expect, it } from 'vitest'
import { retry } from '../../src/platform/retry.ts'

const AWAY = new Error('away')
const RETRY = { forMs: 60_000, maxPauseMs: 1, isWorthwhile: (error: unknown) => error === AWAY }

/** Fails so often with it, then succeeds. */
function failing(times: number, error: unknown) {
  let tries = 0
  return async () => {
    tries += 1
    if (tries <= times) throw error
    return tries
  }
}

describe('retry', () => {
  it('what succeeds is done once', async () => {
    expect(await retry(failing(0, AWAY), RETRY)).toBe(1)
  })

  it('what fails because somebody is away is tried until it succeeds, and the wait is told once', async () => {
    const told: unknown[] = []
    const onWaiting = (error: unknown) => void told.push(error)
    expect(await retry(failing(4, AWAY), { ...RETRY, onWaiting })).toBe(5)
    expect(told).toEqual([AWAY])
  })

  it('what fails for another reason fails at once', async () => {
    const wrong = new Error('wrong')
    const tried = failing(1, wrong)
    await expect(retry(tried, RETRY)).rejects.toBe(wrong)
    expect(await tried()).toBe(2)
  })

  it('what never succeeds fails when the time is over', async () => {
    await expect(retry(failing(Infinity, AWAY), { ...RETRY, forMs: 20 })).rejects.toBe(AWAY)
  })
})
