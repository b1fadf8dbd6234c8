/** Tests the judge of a loud neighbour: it must notice when the quiet wait for it, and when it is held back itself. */
import { describe, expect, test } from 'vitest'
import { ANSWER_FACTOR, judgeSlowdown, shareOfTheRest, WAIT_FACTOR } from '../proofs/neighbour/verdict.ts'

/** A hundred of them, and the slowest two. */
function waits(usual: number, slowest: number): number[] {
  return [...Array.from({ length: 98 }, () => usual), slowest, slowest]
}

describe('the wait of the quiet', () => {
  const judgeWaits = (alone: number[], beside: number[]) => judgeSlowdown(alone, beside, WAIT_FACTOR)

  test('may be half as long again as it was, and 50 ms', () => {
    expect(judgeWaits(waits(20, 100), waits(30, 200))).toEqual({ measured: 200, bound: 200 })
  })

  test('is too long when one in fifty waited behind the heap', () => {
    const { measured, bound } = judgeWaits(waits(20, 100), waits(20, 5_000))
    expect(measured).toBeGreaterThan(bound)
  })

  test('is compared with what it was in the same run', () => {
    expect(judgeWaits(waits(200, 400), waits(200, 600)).bound).toBe(650)
  })

  test('shows nothing where nothing was measured', () => {
    const { measured, bound } = judgeWaits(waits(20, 100), [])
    expect(measured <= bound).toBe(false)
  })
})

describe('the answer to the quiet', () => {
  test('may take twice as long as it did, and 50 ms', () => {
    expect(judgeSlowdown(waits(5, 30), waits(9, 111), ANSWER_FACTOR)).toEqual({ measured: 111, bound: 110 })
  })
})

describe('what the loud tenant gets', () => {
  test('is all of the rest when nothing is lost between them', () => {
    expect(shareOfTheRest({ alone: 1_000, beside: 980, quiet: 20 })).toBe(1)
  })

  test('is little when the quiet cost more than they take', () => {
    expect(shareOfTheRest({ alone: 1_000, beside: 490, quiet: 20 })).toBe(0.5)
  })
})
