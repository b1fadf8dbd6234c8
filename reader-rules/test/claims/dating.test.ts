import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import { readClaims } from '../../src/claims.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

const frame = 'The report of the committee was read to all of the members who were there at the time.'

function claimsOf(text: string): Claim[] {
  const whole = `${text}\n\n${frame}\n`
  return readClaims(whole, readStructure(whole))
}

function day(iso: string): number {
  return Date.parse(iso) / 86_400_000
}

describe('when a document speaks', () => {
  it.each([
    [
      'Insurance summary\nBroker: Calder Row, 30 January 2026\n\nThe policy ends on 31 December 2026. The premium is GBP 40,000.',
      '2026-01-30',
    ],
    [
      'Annual accounts for the year to 31 December 2025\nAuditor: Greyfriars LLP, 20 March 2026\n\nRevenue was GBP 4.0m.',
      '2026-03-20',
    ],
    [
      'Annual accounts\nYear ended 31 December 2025\nGreyfriars LLP, 20 March 2026\n\nRevenue was GBP 4.0m.',
      '2026-03-20',
    ],
    [
      '# Note\n\nThe lease runs until 30 June 2031.\n\nSigned at Ashcombe, 4 May 2026\n\nThe rent is GBP 900.',
      '2026-05-04',
    ],
  ])('%s', (text, iso) => {
    expect(new Set(claimsOf(text).map(({ assertedAt }) => assertedAt))).toEqual(new Set([day(iso)]))
  })

  it('is not told by a date of what the text is about', () => {
    const claims = claimsOf('# Cover\n\nThe policy ends on 31 December 2026.\n\nThe premium is GBP 40,000.')
    expect(claims.map(({ assertedAt }) => assertedAt)).not.toContain(day('2026-12-31'))
  })
})

describe('a date without a year', () => {
  const memo = (sentence: string) => claimsOf(`# Memo\n\nDate: 9 February 2026\n\n${sentence}`)

  it('is the last one where the month is long to come', () => {
    const count = memo('The headcount was 398 at the end of December.').find(({ kind }) => kind === 'count')
    expect(count?.period).toEqual([day('2025-12-31'), day('2025-12-31')])
    const quarter = memo('Revenue in the fourth quarter was EUR 4m.').find(({ kind }) => kind === 'money')
    expect(quarter?.period).toEqual([day('2025-10-01'), day('2025-12-31')])
  })

  it('is the next one where the sentence looks ahead', () => {
    const move = memo('The office will be moved on 3 November.').find(({ kind }) => kind === 'date')
    expect(move?.value).toEqual({ type: 'date', days: [day('2026-11-03'), day('2026-11-03')] })
  })
})
