import { describe, expect, it } from 'vitest'
import { calibrated } from '@concord/reader-rules/src/comparing/confidence.ts'
import { brierScore, calibrationError, sureAndRight } from '../src/calibration.ts'
import { fit } from '../src/fitting.ts'
import { missedFloors } from '../src/floors.ts'

const sample = (confidence: number, right: boolean) => ({
  rule: 'value',
  confidence,
  score: confidence,
  right,
})

describe('calibration', () => {
  it('errs by how far confidence is from the share that is right, bin by bin', () => {
    expect(calibrationError([])).toBeNull()
    expect(
      calibrationError([sample(0.75, true), sample(0.75, true), sample(0.75, true), sample(0.75, false)]),
    ).toBe(0)
    expect(calibrationError([sample(0.9, false), sample(0.6, true)])).toBeCloseTo((0.9 + 0.4) / 2)
  })

  it('squares how far confidence is from what turned out', () => {
    expect(brierScore([])).toBeNull()
    expect(brierScore([sample(0.9, true), sample(0.4, false)])).toBeCloseTo((0.01 + 0.16) / 2)
  })

  it('counts those reported with confidence that are right', () => {
    expect(sureAndRight([sample(0.8, true), sample(0.95, false), sample(0.79, false)])).toEqual({
      part: 1,
      whole: 2,
    })
  })
})

const repeated = (times: number, rule: string, score: number, right: boolean) =>
  Array.from({ length: times }, () => ({ ...sample(score, right), rule }))

describe('fitting', () => {
  const cases = [
    ...repeated(36, 'value', 0.55, true),
    ...repeated(24, 'value', 0.55, false),
    ...repeated(57, 'value', 0.75, true),
    ...repeated(3, 'value', 0.75, false),
    ...repeated(20, 'date', 0.55, false),
    ...repeated(1, 'level', 0.55, false),
  ]
  const fitted = fit(new Map([['cases', cases]]))
  const at = (reason: string, score: number) => calibrated({ reason, score }, fitted)

  it('gives a score the share that was right, rule by rule', () => {
    expect(at('value', 0.55)).toBeCloseTo(0.6, 1)
    expect(at('value', 0.75)).toBeCloseTo(0.95, 1)
    expect(at('date', 0.55)).toBeLessThan(0.15)
  })

  it('draws a rule that was seen once towards all of them', () => {
    expect(at('level', 0.55)).toBeGreaterThan(at('date', 0.55))
    expect(at('level', 0.55)).toBeLessThan(at('unheard of', 0.55))
  })

  it('gives a higher score no less, and certainty to none', () => {
    for (const shares of [...Object.values(fitted.rules), fitted.others])
      expect([...shares, 0.98]).toEqual([...shares, 0.98].toSorted((x, y) => x - y))
  })

  it('lets a generated set count for little, and one that is not to be fitted on for nothing', () => {
    const many = repeated(2000, 'value', 0.55, false)
    const beside = (set: string) =>
      calibrated(
        { reason: 'value', score: 0.55 },
        fit(
          new Map([
            ['cases', cases],
            [set, many],
          ]),
        ),
      )
    expect(beside('seeded')).toBeGreaterThan(0.4)
    expect(beside('further')).toBeLessThan(0.1)
    expect(beside('held')).toBe(at('value', 0.55))
  })

  it('does not depend on the order of reports', () => {
    expect(fit(new Map([['cases', cases.toReversed()]]))).toEqual(fitted)
  })
})

describe('floors', () => {
  const floors = {
    cases: { precision: { min: 0.8 }, alarms: { max: 0.05 } },
    docsets: { recall: { min: 0.5 } },
  }

  it('are missed from below and from above, and by what is not there', () => {
    expect(missedFloors(floors, new Map([['cases', { precision: 0.8, alarms: 0.05 }]]))).toEqual([])
    expect(missedFloors(floors, new Map([['cases', { precision: 0.79, alarms: 0.06 }]]))).toHaveLength(2)
    expect(missedFloors(floors, new Map([['docsets', { recall: null }]]))).toHaveLength(1)
  })
})
