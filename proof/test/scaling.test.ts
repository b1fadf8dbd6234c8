import { describe, expect, it } from 'vitest'
import { countReversals, judgeScaling } from '../proofs/scaling/verdict.ts'

const sight = (at: number, wanted: number, running = wanted) => ({ at, wanted, running })
const phases = { stepAt: 10, stepEndAt: 60 }

describe('a step that is followed', () => {
  const sights = [
    sight(0, 2),
    sight(9, 2),
    sight(12, 6, 2),
    sight(15, 8, 6),
    sight(17, 8),
    sight(59, 8),
    sight(80, 5),
    sight(101, 2),
  ]
  it('is judged by what ran, not by what was wanted', () => {
    expect(judgeScaling(sights, phases)).toEqual({
      before: 2,
      needed: 8,
      secondsToReach: 7,
      reversals: 1,
      secondsToReturn: 41,
      secondsToShrink: 20,
    })
  })
  it('that is not followed never reaches, shrinks nor returns', () => {
    expect(judgeScaling([sight(0, 2), sight(30, 9, 2), sight(59, 9, 2), sight(90, 9)], phases)).toMatchObject(
      {
        secondsToReach: Infinity,
        secondsToReturn: Infinity,
        secondsToShrink: Infinity,
      },
    )
  })
})

it.each([
  [[], 0],
  [[1, 1, 4, 8, 8, 3, 1], 1],
  [[1, 4, 2, 4], 2],
])('%j turns %i times', (numbers, turns) => {
  expect(countReversals(numbers)).toBe(turns)
})
