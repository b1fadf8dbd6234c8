/** The plan of kills: the same for the same seed, and fair to every kind. */
import { describe, expect, test } from 'vitest'
import { killKinds, planKills } from '../proofs/kill/kill-plan.ts'
import { seededRandom } from '../harness/statistics.ts'

const plan = (kills: number, seed: number) =>
  planKills({ kills, random: seededRandom(seed), minGapMs: 100, maxGapMs: 700 })

describe('a plan of kills', () => {
  test('is repeated by its seed and differs with another', () => {
    expect(plan(20, 7)).toEqual(plan(20, 7))
    expect(plan(20, 7)).not.toEqual(plan(20, 8))
  })

  test('has as many kills as asked for, whatever the number', () => {
    for (const kills of [1, 5, 20, 33, 300]) expect(plan(kills, 1)).toHaveLength(kills)
  })

  test('has every kind several times in the short form already', () => {
    for (const seed of [1, 2, 3])
      for (const kind of killKinds)
        expect(plan(20, seed).filter((each) => each.kind === kind).length).toBeGreaterThanOrEqual(3)
  })

  test('keeps its gaps within the bounds', () => {
    for (const { afterMs } of plan(300, 5)) {
      expect(afterMs).toBeGreaterThanOrEqual(100)
      expect(afterMs).toBeLessThanOrEqual(700)
    }
  })
})
