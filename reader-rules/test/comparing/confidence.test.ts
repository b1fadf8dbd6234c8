import { describe, expect, it } from 'vitest'
import { calibration } from '../../src/comparing/calibration.ts'
import { calibrated, confidenceOf } from '../../src/comparing/confidence.ts'

const table = {
  scores: [0.5, 0.6, 1],
  rules: { value: [0.4, 0.7, 0.9] },
  others: [0.5, 0.6, 0.8],
}
const worth = (reason: string, score: number) => calibrated({ reason, score }, table)

describe('confidence', () => {
  it('is what a rule and score are noted with, on straight lines between them', () => {
    expect([0.5, 0.55, 0.6, 0.8, 1].map((score) => worth('value', score))).toEqual([0.4, 0.55, 0.7, 0.8, 0.9])
  })

  it('goes no farther than the table at either end', () => {
    expect(worth('value', 0.2)).toBe(0.4)
    expect(worth('value', 1.2)).toBe(0.9)
  })

  it('takes a rule that nobody has judged for one of the others', () => {
    expect(worth('new rule', 0.6)).toBe(0.6)
  })

  it('never falls while the score of a rule rises, and never is certain', () => {
    for (const reason of [...Object.keys(calibration.rules), 'new rule']) {
      const shares = Array.from({ length: 51 }, (_, step) => (50 + step) / 100).map((score) =>
        confidenceOf({ relation: 'conflict', reason, score }),
      )
      expect(shares).toEqual(shares.toSorted((x, y) => x - y))
      expect(shares.at(-1)).toBeLessThan(1)
    }
  })
})
