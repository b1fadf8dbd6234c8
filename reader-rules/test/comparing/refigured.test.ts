import { describe, expect, it } from 'vitest'
import type { Judgement } from '@concord/reading/src/finding.ts'
import { readClaims } from '../../src/claims.ts'
import { judge } from '../../src/comparing.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

const frame = 'The report of the committee was read to all of the members who were there at the time.'

/** Whatever two texts are to each other, beyond what cannot be compared. */
function judgeTexts(a: string, b: string): Judgement[] {
  const [x, y] = [a, b].map((text) => {
    const whole = `${text}\n\n${frame}\n`
    return readClaims(whole, readStructure(whole)).filter(
      ({ quote }) => !quote.startsWith('The report of the committee'),
    )
  })
  return (x ?? [])
    .flatMap((claim) => (y ?? []).map((other) => judge(claim, other)))
    .filter(({ relation }) => relation !== 'not_comparable')
}

const reasons = (judgements: readonly Judgement[]) => judgements.map(({ reason }) => reason)

describe('a sentence told twice with another figure', () => {
  const told = (figure: string) =>
    `Recommendation ${figure} of the task force requires enhanced checks of all business relationships with family members.`

  it('is a disagreement, in either order', () => {
    for (const found of [judgeTexts(told('12'), told('14')), judgeTexts(told('14'), told('12'))]) {
      expect(reasons(found)).toContain('figure')
      expect(found.find(({ reason }) => reason === 'figure')?.score).toBeGreaterThanOrEqual(0.5)
    }
  })

  it('is none where the figure numbers one of a series, or is a year', () => {
    const site = (no: string) =>
      `The monitoring visit at site ${no} found all consent forms complete, signed and properly filed.`
    expect(reasons(judgeTexts(site('4'), site('7')))).not.toContain('figure')
    const year = (of: string) =>
      `The annual inspection of ${of} found all fire doors, alarms and escape routes in good order.`
    expect(reasons(judgeTexts(year('2021'), year('2022')))).not.toContain('figure')
  })

  it('is none where few words are shared', () => {
    expect(reasons(judgeTexts('We saw 12 boats.', 'We saw 14 boats.'))).not.toContain('figure')
  })

  it('is none where more than the figure differs', () => {
    const other = told('14').replace('requires', 'forbids').replace('enhanced', 'lenient')
    expect(reasons(judgeTexts(told('12'), other))).not.toContain('figure')
  })
})

describe('documents about one of a series each', () => {
  const report = (site: string, patients: number) =>
    `Site Number: ${site}\nReport Date: 2024-04-22\n\nPatients Screened: ${patients}`

  it('do not disagree with each other', () => {
    expect(
      judgeTexts(report('01', 61), report('04', 54)).filter(({ relation }) => relation !== 'same'),
    ).toEqual([])
  })

  it('disagree where both are about the same', () => {
    expect(reasons(judgeTexts(report('01', 61), report('01', 54)))).toContain('value')
  })
})

describe('two counts of one noun', () => {
  it('disagree where both are of the same day', () => {
    const found = judgeTexts(
      'Employees on 31 December 2023: 1,677',
      'On 31 December 2023 we employed 1,704 people.',
    )
    expect(found.some(({ relation }) => relation === 'conflict')).toBe(true)
  })
})

describe('initials', () => {
  it('say as much as the words they stand for', () => {
    const found = judgeTexts(
      'Standard CDD was completed for the corporate entity.',
      'Standard customer due diligence was completed for the corporate client.',
    )
    expect(found.map(({ relation }) => relation)).toContain('same')
  })
})
