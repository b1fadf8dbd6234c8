import { describe, expect, it } from 'vitest'
import { formatDay, formatPeriod } from '../../src/domain/period.ts'

const day = (text: string) => Date.parse(text) / 86_400_000

describe('a period', () => {
  it.each([
    ['2025-01-01', '2025-12-31', '2025'],
    ['2025-01-01', '2025-06-30', '2025-H1'],
    ['2025-07-01', '2025-12-31', '2025-H2'],
    ['2025-07-01', '2025-09-30', '2025-Q3'],
    ['2024-02-01', '2024-02-29', '2024-02'],
    ['2025-02-01', '2025-02-28', '2025-02'],
    ['2025-09-30', '2025-09-30', '2025-09-30'],
    ['2025-04-01', '2026-03-31', '2025-04-01/2026-03-31'],
    ['2025-02-01', '2025-04-30', '2025-02-01/2025-04-30'],
    ['1969-12-31', '1970-01-01', '1969-12-31/1970-01-01'],
    ['0999-01-01', '0999-12-31', '0999'],
  ])('from %s to %s is %s', (first, last, written) => {
    expect(formatPeriod([day(first), day(last)])).toBe(written)
  })
})

it('a day is written as ISO 8601 does', () => {
  expect([formatDay(0), formatDay(-1)]).toEqual(['1970-01-01', '1969-12-31'])
})
