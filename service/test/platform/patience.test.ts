import { describe, expect, it } from 'vitest'
import { withPatience } from '../../src/platform/patience.ts'

const AWAY = new Error('away')
const PATIENCE = { forMs: 60_000, maxPauseMs: 1, isWorthwhile: (error: unknown) => error === AWAY }

/** Fails so often with it, then succeeds. */
function failing(times: number, error: unknown) {
  let tries = 0
  return async () => {
    tries += 1
    if (tries <= times) throw error
    return tries
  }
}

describe('with patience', () => {
  it('what succeeds is done once', async () => {
    expect(await withPatience(failing(0, AWAY), PATIENCE)).toBe(1)
  })

  it('what fails because somebody is away is tried until it succeeds, and the wait is told once', async () => {
    const told: unknown[] = []
    const onWaiting = (error: unknown) => void told.push(error)
    expect(await withPatience(failing(4, AWAY), { ...PATIENCE, onWaiting })).toBe(5)
    expect(told).toEqual([AWAY])
  })

  it('what fails for another reason fails at once', async () => {
    const wrong = new Error('wrong')
    const tried = failing(1, wrong)
    await expect(withPatience(tried, PATIENCE)).rejects.toBe(wrong)
    expect(await tried()).toBe(2)
  })

  it('what never succeeds fails when the time is over', async () => {
    await expect(withPatience(failing(Infinity, AWAY), { ...PATIENCE, forMs: 20 })).rejects.toBe(AWAY)
  })
})
