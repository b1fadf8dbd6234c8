/** A search over claims: beginnings of words, what a claim is about, and periods. */
import { describe, expect, it } from 'vitest'
import { createClaimMatcher } from '../../src/domain/claim-search.ts'
import type { ClaimSearch } from '../../src/domain/claim-search.ts'
import { formatPeriod, parsePeriod } from '../../src/domain/period.ts'
import { statement } from '@concord/reading/test/support/claims.ts'

const claim = {
  ...statement(12),
  subject: { words: ['borealis'], text: 'Boréalis Ltd', from: 'clause' as const },
  attribute: { words: ['revenue'], text: 'net revenue' },
  qualifiers: ['audited'],
  period: parsePeriod('2025-Q3'),
  quote: 'Boréalis Ltd had net revenue of EUR 12.4m.',
  valueText: 'EUR 12.4m',
}
const finds = (search: ClaimSearch) => createClaimMatcher(search)?.(claim)

describe('a search over claims', () => {
  it('searches only where something is asked', () => {
    expect(createClaimMatcher({})).toBeUndefined()
  })

  it.each(['borealis', 'BORÉ', 'reven ltd', '12.4m', 'audit net'])('finds the words %j', (words) => {
    expect(finds({ words })).toBe(true)
  })

  it.each(['ealis', 'revenue profit', '!', '2.4m'])('does not find the words %j', (words) => {
    expect(finds({ words })).toBe(false)
  })

  it('keeps entity and attribute apart, and asks for all at once', () => {
    expect(finds({ entity: 'ltd', attribute: 'revenue' })).toBe(true)
    expect(finds({ entity: 'revenue' })).toBe(false)
    expect(finds({ attribute: 'borealis' })).toBe(false)
    expect(finds({ entity: 'ltd', words: 'profit' })).toBe(false)
  })

  it.each(['2025', '2025-H2', '2025-Q3', '2025-07', '2025-09-30', '2024-01-01/2025-07-01'])(
    'finds a claim about the third quarter in %s',
    (period) => expect(finds({ period })).toBe(true),
  )

  it.each(['2024', '2025-H1', '2025-Q4', '2025-06', '2025-10-01', '2025-10-01/2026-03-31'])(
    'does not find it in %s',
    (period) => expect(finds({ period })).toBe(false),
  )

  it('finds no claim without a period by one', () => {
    expect(createClaimMatcher({ period: '2025' })?.({ ...claim, period: null })).toBe(false)
  })
})

describe('a period', () => {
  it.each(['2025', '2025-H1', '2025-Q3', '2025-09', '2025-09-30', '2025-04-01/2026-03-31'])(
    'is read as it is written: %s',
    (period) => expect(formatPeriod(parsePeriod(period))).toBe(period),
  )

  it('ends with its month, and may be written from its end', () => {
    expect(formatPeriod(parsePeriod('2025-02-31'))).toBe('2025-02-28')
    expect(formatPeriod(parsePeriod('2025-04/2025-03-15'))).toBe('2025-03-15/2025-04-01')
  })
})
