import { describe, expect, it } from 'vitest'
import { calibrationError, sureAndRight } from '../src/calibration.ts'
import { missedFloors } from '../src/floors.ts'

const sample = (confidence: number, right: boolean) => ({ rule: 'value', confidence, right })

describe('calibration', () => {
  it('errs by how far confidence is from the share that is right, bin by bin', () => {
    expect(calibrationError([])).toBeNull()
    expect(
      calibrationError([sample(0.75, true), sample(0.75, true), sample(0.75, true), sample(0.75, false)]),
    ).toBe(0)
    expect(calibrationError([sample(0.9, false), sample(0.6, true)])).toBeCloseTo((0.9 + 0.4) / 2)
  })

  it('counts those reported with confidence that are right', () => {
    expect(sureAndRight([sample(0.8, true), sample(0.95, false), sample(0.79, false)])).toEqual({
      part: 1,
      whole: 2,
    })
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
