import { describe, expect, it } from 'vitest'
import { formatPeriod } from '../../src/domain/period.ts'
import { toClaim } from '../../src/model/normalise.ts'
import { haveSameValue, readPeriod, typeValue } from '../../src/model/typed-values.ts'

describe('a value in words', () => {
  it.each([
    ['GBP 25,000', 'money', { low: 25_000, unit: 'GBP' }],
    ['EUR 4.2 million', 'money', { low: 4_200_000, unit: 'EUR', step: 100_000 }],
    ['12.5 %', 'percent', { low: 12.5, unit: '%' }],
    ['31', 'count', { low: 31, unit: 'bedroom' }],
    ['31 rooms', 'count', { low: 31, unit: 'room' }],
    ['2024-03-31', 'date', { days: [19_813, 19_813] }],
    ['2024-03', 'date', { days: [19_783, 19_813] }],
    ['30 days', 'duration', { low: 2_592_000 }],
    ['at least 5 %', 'percent', { bound: 'min' }],
    ['high', 'level', { family: 'risk', word: 'high' }],
    ['expired', 'status', { family: 'validity', word: 'expired' }],
    ['yes', 'existence', { family: 'yes-no', word: 'yes' }],
    ['No', 'existence', { family: 'yes-no', word: 'no' }],
    ['Dr A. Ruiz', 'identity', { words: ['dr', 'a', 'ruiz'] }],
  ])('%s is typed as %s', (text, kind, value) => {
    expect(typeValue(text, 'number of bedrooms damaged by water')).toMatchObject({ kind, value })
  })

  it.each([
    '2023-01-17 23:40',
    'EUR 900 per month',
    '3 of 14 days',
    '+44 20 7946 0991',
    'between the parties',
  ])('%s says more than a number or a date, so it is kept as words', (text) =>
    expect(typeValue(text, 'value').kind).toBe('identity'),
  )
})

describe('a period in words', () => {
  it.each([
    ['FY2025', '2025'],
    ['as of 2024-03-31', '2024-03-31'],
    ['2024-03', '2024-03'],
    ['in 2024-03', '2024-03'],
    ['Q1 2024', '2024-Q1'],
    ['2021 to 2023', '2021-01-01/2023-12-31'],
  ])('%s covers %s', (text, days) => {
    const period = readPeriod(text)
    expect(period && formatPeriod(period)).toBe(days)
  })

  it.each(['since 2019', 'from 2019', 'until 2024-03', 'before 31 March 2024', 'After 2020'])(
    '%s has an end that is not said',
    (text) => expect(readPeriod(text)).toBeNull(),
  )

  it('from one date to another covers both', () => {
    const period = readPeriod('from 2021 to 2023')
    expect(period && formatPeriod(period)).toBe('2021-01-01/2023-12-31')
  })

  it('without a date covers none', () => {
    expect(readPeriod('before signing')).toBeNull()
    expect(readPeriod(null)).toBeNull()
  })
})

function claimOf(value: string, attribute = 'rent') {
  const extracted = {
    quote: value,
    subject: 'the mill',
    attribute,
    value,
    period: null,
    modality: 'fact' as const,
    statement: `It is ${value}.`,
  }
  return toClaim(value, extracted, [0, value.length], null)
}

describe('two values', () => {
  it('are the same in any notation of one number or date', () => {
    expect(haveSameValue(claimOf('EUR 900,000'), claimOf('EUR 0.9 million'))).toBe(true)
    expect(haveSameValue(claimOf('2024-03-31'), claimOf('31 March 2024'))).toBe(true)
  })

  it('are not the same where they differ, or where they are words', () => {
    expect(haveSameValue(claimOf('EUR 900'), claimOf('EUR 950'))).toBe(false)
    expect(haveSameValue(claimOf('EUR 900'), claimOf('GBP 900'))).toBe(false)
    expect(haveSameValue(claimOf('yes'), claimOf('yes'))).toBe(false)
    expect(haveSameValue(claimOf('2024-03'), claimOf('2024-03-31'))).toBe(false)
  })
})

describe('two numbers', () => {
  it.each([
    ['2 tablets per day', '2 tablets per week'],
    ['2 doses daily', '2 doses weekly'],
    ['3 times a week', '3 times a month'],
    ['40 beds occupied', '40 beds available'],
    ['64 years', '65 years'],
    ['99 years', '100 years'],
    ['60 months', '61 months'],
    ['56 weeks', '57 weeks'],
    ['EUR 1 million', 'EUR 1.4 million'],
    ['EUR 3 million', 'EUR 3,400,000'],
    ['EUR 41.8 million', 'EUR 41,900,000'],
    ['(EUR 3.2 million)', 'EUR 3.2 million'],
    ['($1,200)', '$1,200'],
    ['(3.2%)', '3.2%'],
    ['- 5%', '5%'],
    ['12345678901234567', '12345678901234568'],
  ])('%s and %s are not the same', (a, b) => {
    expect(haveSameValue(claimOf(a), claimOf(b))).toBe(false)
    expect(haveSameValue(claimOf(b), claimOf(a))).toBe(false)
  })

  it.each([
    ['2.1', '2.14', 'software version'],
    ['3.1', '3.10', 'clause'],
    ['4711', '04711', 'account number'],
  ])('%s and %s are not the same as names of things: %s %s', (a, b, attribute) => {
    expect(haveSameValue(claimOf(a, attribute), claimOf(b, attribute))).toBe(false)
  })

  it.each([
    ['12 months', 'one year'],
    ['EUR 12.4 million', 'EUR 12,400,000'],
    ['thirty-one bedrooms', '31 bedrooms'],
    ['about EUR 12 million', 'EUR 12.2 million'],
    ['-EUR 3.2 million', '−EUR 3,200,000'],
    ['52 weeks', 'one year'],
  ])('%s and %s are the same', (a, b) => {
    expect(haveSameValue(claimOf(a), claimOf(b))).toBe(true)
  })

  it('are the same where one has its noun in the attribute', () => {
    const attribute = 'number of employees'
    expect(haveSameValue(claimOf('187', attribute), claimOf('187 employees', attribute))).toBe(true)
  })

  it('of four digits is a count where its attribute counts, and a year elsewhere', () => {
    expect(typeValue('2000', 'number of employees')).toMatchObject({ kind: 'count', value: { low: 2000 } })
    expect(typeValue('2000', 'year of construction')).toMatchObject({ kind: 'date' })
  })
})

describe('the words of a value within its quote', () => {
  const claimIn = (quote: string, value: string) =>
    toClaim(
      quote,
      { quote, subject: 'mill', attribute: 'rent', value, period: null, modality: 'fact', statement: quote },
      [0, quote.length],
      null,
    )

  it('are found as written, or as another notation of the value', () => {
    expect(claimIn('The miller is Ada Quern.', 'Ada Quern').valueText).toBe('Ada Quern')
    expect(claimIn('Signed on 31 March 2024 in Bath.', '2024-03-31').valueText).toBe('31 March 2024')
    expect(claimIn('It has thirty-one bedrooms.', '31').valueText).toBe('thirty-one')
  })

  it('are words of their own, not parts of others', () => {
    const { valueSpan } = claimIn('In 2025 the team had 5 members.', '5')
    expect(valueSpan).toEqual([21, 22])
    expect(claimIn('The north side has no exit.', 'no').valueSpan).toEqual([19, 21])
    expect(claimIn('Rent: €900/month', '€900').valueText).toBe('€900')
  })

  it('are the whole quote where they are not to be found', () => {
    expect(claimIn('Nobody was hurt.', 'no').valueText).not.toBe('')
    expect(claimIn('The roof leaks.', 'defective').valueText).toBe('The roof leaks.')
  })
})
