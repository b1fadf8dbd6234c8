import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NumberValue, Value } from '../src/claim.ts'
import { findValues, sameNumber, type FoundValue, type Hints } from '../src/values.ts'

function isoDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

/** One value in one line: words, kind, value, unit, and what is said of it. */
function sketch(text: string, { kind, value, span, confidence }: FoundValue): string {
  const words = text.slice(span[0], span[1])
  if (value.type === 'date') {
    const [first, last] = value.days.map(isoDay)
    const days = first === last ? first : `${first}..${last}`
    return `${words} | ${days}${confidence < 1 ? '?' : ''}`
  }
  if (value.type !== 'number') return `${words} | ${value.type}`
  const { low, high, unit, about, bound } = value
  const size = low === high ? String(low) : `${low ?? ''}..${high ?? ''}`
  return [`${words} | ${kind} ${size}${unit === '' ? '' : ` ${unit}`}`, about ? 'about' : '', bound ?? '']
    .filter((word) => word !== '')
    .join(' ')
}

function values(text: string, hints?: Hints): string[] {
  return findValues(text, 0, text.length, hints).map((found) => sketch(text, found))
}

function number(text: string): NumberValue {
  const value = findValues(text, 0, text.length)[0]?.value
  if (value?.type !== 'number') throw new Error(`no number in ${text}`)
  return value
}

type Table = readonly (readonly [text: string, ...values: string[]])[]

function reads(what: string, table: Table): void {
  describe(`reading ${what}`, () => {
    for (const [text, ...expected] of table) {
      it(`of ${text}`, () => {
        expect(values(text)).toEqual(expected)
      })
    }
  })
}

reads('money', [
  ['ARR stood at EUR 34.6m.', 'EUR 34.6m | money 34600000 EUR'],
  ['amounted to €33,100,000.', '€33,100,000 | money 33100000 EUR'],
  ['a fee of £204,000', '£204,000 | money 204000 GBP'],
  ['about 8.1 million euros', '8.1 million euros | money 8100000 EUR about'],
  ['USD 2bn of debt', 'USD 2bn | money 2000000000 USD'],
  ['US$1.2 million', 'US$1.2 million | money 1200000 USD'],
  ['EUR40k', 'EUR40k | money 40000 EUR'],
  ['guidance of €270M–€290M', '€270M–€290M | money 270000000..290000000 EUR'],
  ['guidance of €270–290M', '€270–290M | money 270000000..290000000 EUR'],
  ['between EUR 33m and EUR 36m', 'EUR 33m and EUR 36m | money 33000000..36000000 EUR'],
  ['a result of EUR (4.8M)', 'EUR (4.8M) | money -4800000 EUR'],
  ['a result of -€3m', '-€3m | money -3000000 EUR'],
  ['seven to eight euros', 'seven to eight euros | money 7..8 EUR'],
  ['33 100 000 EUR', '33 100 000 EUR | money 33100000 EUR'],
  ['1.140,50 EUR', '1.140,50 EUR | money 1140.5 EUR'],
  ['EUR 4,7 Mio.', 'EUR 4,7 Mio | money 4700000 EUR'],
  ['EUR 900 a year', 'EUR 900 | money 900 EUR'],
  ['EUR 5.0m, against 3.1m the year before', 'EUR 5.0m | money 5000000 EUR', '3.1m | money 3100000 EUR'],
  ['from EUR 3m to EUR 4m', 'EUR 3m | money 3000000 EUR', 'EUR 4m | money 4000000 EUR'],
  ['cash (EUR 2.8m) was', 'EUR 2.8m | money 2800000 EUR'],
  ['invoices add up to EUR 412,000', 'EUR 412,000 | money 412000 EUR'],
  ['it turned over some EUR 50m', 'EUR 50m | money 50000000 EUR about'],
  ['EUR 600,000 - 800,000', 'EUR 600,000 - 800,000 | money 600000..800000 EUR'],
  ['EUR 3-5M', 'EUR 3-5M | money 3000000..5000000 EUR'],
  ['half a million dollars', 'half a million dollars | money 500000 USD'],
])

reads('shares', [
  ['4.1 per cent', '4.1 per cent | percent 4.1 %'],
  ['52.3 % and 7.7 percent', '52.3 % | percent 52.3 %', '7.7 percent | percent 7.7 %'],
  ['6–8%', '6–8% | percent 6..8 %'],
  ['-13 pts', '-13 pts | percent -13 pp'],
  ['1.8 per mille', '1.8 per mille | percent 1.8 ‰'],
  ['two percentage points', 'two percentage points | percent 2 pp'],
  ['25 basis points', '25 basis points | percent 25 bp'],
  ['Slightly less than four fifths of revenue', 'four fifths | percent 80 % about'],
  ['more than a tenth of revenue', 'a tenth | percent 10.. % over'],
  ['More than half of our colleagues', 'half | percent 50.. % over'],
  ['two thirds of them', 'two thirds | percent 66.6666666667 %'],
  ['about a third is in the final stage', 'a third | percent 33.3333333333 % about'],
  ['a third party with the third partner'],
  ['rose from 4.1 to 5.2 per cent', '4.1 | percent 4.1 %', '5.2 per cent | percent 5.2 %'],
  ['at most 8 per cent by weight', '8 per cent | percent ..8 % max'],
])

reads('ratios', [
  ['54 / 100', '54 / 100 | ratio 54 of 100'],
  ['in 2 of 5 samples', '2 of 5 | ratio 2 of 5'],
  ['seven out of eight contracts', 'seven out of eight | ratio 7 of 8'],
  ['a score of 7.3 out of 10', '7.3 out of 10 | ratio 7.3 of 10'],
  ['12/54 (22.2 %)', '12/54 | ratio 12 of 54', '22.2 % | percent 22.2 %'],
  ['leverage of 3.2x', '3.2x | ratio 3.2 x'],
  ['two and a half times what was expected', 'two and a half times | ratio 2.5 x'],
  ['randomised 1:4', '1:4 | ratio 0.25 :'],
  ['randomised 2:1', '2:1 | ratio 2 :'],
])

reads('counts', [
  ['The Group had 268 employees', '268 | count 268'],
  ['1,140 people', '1,140 | count 1140'],
  ['1 140 people', '1 140 | count 1140'],
  ['two high and nine medium issues', 'two | count 2', 'nine | count 9'],
  ['two hundred and forty pages', 'two hundred and forty | count 240'],
  ['thirty-one accidents', 'thirty-one | count 31'],
  ['with 18 ML engineers', '18 | count 18'],
  ['a dozen cases', 'a dozen | count 12'],
  ['at least 54 patients', '54 | count 54.. min'],
  ['a score of 16 or more', '16 | count 16.. min'],
  ['some 700 people', '700 | count 700 about'],
  ['from the third day of absence', 'third day | count 3 ordinal'],
  ['more than 2000 people', '2000 | count 2000.. over'],
  ['the works council met eleven times', 'eleven | count 11'],
])

reads('measures', [
  ['1,140 m2 or 200 square metres', '1,140 m2 | measure 1140 m2', '200 square metres | measure 200 m2'],
  ['dry, below 25 °C', '25 °C | measure ..25 degC under'],
  ['15 to 25 °C', '15 to 25 °C | measure 15..25 degC'],
  ['2–8 °C', '2–8 °C | measure 2..8 degC'],
  ['1.2 TB', '1.2 TB | measure 1200 GB'],
  ['raspberry pieces 3-8 mm', '3-8 mm | measure 0.003..0.008 m'],
  ['20 and 40 mg', '20 | measure 0.02 g', '40 mg | measure 0.04 g'],
  ['4.7 g/100 g', '4.7 g/100 g | measure 4.7 g/100g'],
  ['2.3 × 10³ cfu/g', '2.3 × 10³ cfu/g | measure 2300 cfu/g'],
  ['a 45 m span', '45 m | measure 45 m'],
  ['.5 mg', '.5 mg | measure 0.0005 g'],
])

reads('durations', [
  ['3 hours and 20 minutes', '3 hours and 20 minutes | duration 12000 s'],
  ["ninety days' notice", 'ninety days | duration 7776000 s'],
  ['a 90-day period', '90-day | duration 7776000 s'],
  ['a three-year term', 'three-year | duration 94672800 s'],
  ['within 24 hours', '24 hours | duration 86400 s'],
  ['within a week', 'a week | duration 604800 s'],
  ['half an hour', 'half an hour | duration 1800 s'],
  ['two or three days', 'two or three days | duration 172800..259200 s'],
  ['ten working days', 'ten working days | duration 10 working day'],
  ['thirty (30) days', 'thirty (30) days | duration 2592000 s'],
  ['spread over two years', 'two years | duration 63115200 s'],
  ['for over two years', 'two years | duration 63115200.. s over'],
  ['8 working hours', '8 working hours | duration 8 working hour'],
  ['a review every two years', 'two years | duration 63115200 every s'],
  ['EUR 60 a month per calendar day', 'EUR 60 | money 60 EUR'],
])

reads('dates', [
  ['31 December 2023', '31 December 2023 | 2023-12-31'],
  ['Dec. 31, 2023', 'Dec. 31, 2023 | 2023-12-31'],
  ['December 31st, 2023', 'December 31st, 2023 | 2023-12-31'],
  ['31.12.2023', '31.12.2023 | 2023-12-31'],
  ['2023-12-31', '2023-12-31 | 2023-12-31'],
  ['03/05/2016', '03/05/2016 | 2016-05-03?'],
  ['03/25/2016', '03/25/2016 | 2016-03-25'],
  ['26-APR-2023', '26-APR-2023 | 2023-04-26'],
  ['the seventeenth of August 2023', 'seventeenth of August 2023 | 2023-08-17'],
  ['May 2023', 'May 2023 | 2023-05-01..2023-05-31'],
  ['in 2019', '2019 | 2019-01-01..2019-12-31'],
  ['FY2023 and FY 24', 'FY2023 | 2023-01-01..2023-12-31', 'FY 24 | 2024-01-01..2024-12-31'],
  ['fiscal 2023', 'fiscal 2023 | 2023-01-01..2023-12-31'],
  ['during calendar year 2023', 'calendar year 2023 | 2023-01-01..2023-12-31'],
  ['Q1 2024', 'Q1 2024 | 2024-01-01..2024-03-31'],
  ['the first quarter of 2024', 'first quarter of 2024 | 2024-01-01..2024-03-31'],
  ['H1 2023', 'H1 2023 | 2023-01-01..2023-06-30'],
  ['the first half of June 2024', 'first half of June 2024 | 2024-06-01..2024-06-15'],
  ['at the end of March 2024', 'end of March 2024 | 2024-03-31'],
  ['12 to 18 October 2023', '12 to 18 October 2023 | 2023-10-12..2023-10-18'],
  ['23 and 24 May 2023', '23 | 2023-05-23', '24 May 2023 | 2023-05-24'],
  ['between 15 April and 16 May 2024', '15 April and 16 May 2024 | 2024-04-15..2024-05-16'],
  ['nine months ended 30 September 2023', 'nine months ended 30 September 2023 | 2023-01-01..2023-09-30'],
  ['the year to 31 March 2024', 'year to 31 March 2024 | 2023-04-01..2024-03-31'],
  ['on 30 June we may meet'],
  ['received April 12-15, 2025', 'April 12-15, 2025 | 2025-04-12..2025-04-15'],
  ['received April 12-15 from all'],
  ['the April 18 report'],
  ['the twenty-eighth day of June 2019', 'twenty-eighth day of June 2019 | 2019-06-28'],
  ['26-APR-23', '26-APR-23 | 2023-04-26'],
  ['cleaned on 17.08., swabs negative'],
  ['2021–2024', '2021–2024 | 2021-01-01..2024-12-31'],
  ['FY2022/23', 'FY2022/23 | 2022-01-01..2023-12-31'],
  ['moved from 31 March 2024 to 30 April 2024', '31 March 2024 | 2024-03-31', '30 April 2024 | 2024-04-30'],
  ['mid-2023', 'mid-2023 | 2023-05-02..2023-08-31'],
  ['31.02.2023'],
])

reads('versions', [
  ['version 2.0 of 14 February 2022', '2.0 | version 2000000 version', '14 February 2022 | 2022-02-14'],
  ['v1.4.2', '1.4.2 | version 1004002 version'],
  ['**Version:** 4'.replaceAll('*', ''), '4 | version 4000000 version'],
])

reads('no value in what only names', [
  ['4.2 Backup retention'],
  ['1. First item'],
  ['(2) second item'],
  ['see section 3.1, Article 5 and clauses 12 to 14'],
  ['Table 2 and annex 3, page 17, footnote [4]'],
  ['INC-2023-0611, PF-23-0817, HV-2022-118'],
  ['ISO/IEC 27001, AES-256, EASI-75, COVID-19, SOC 2'],
  ['17 Triq il-Mina, Valletta'],
  ['at 22:00 or 09:30 to 13:15, 5pm'],
  ['call +44 20 7946 0958'],
  ['extension 4410'],
  ['Line 1 packs fruit pieces'],
  ['one of the partners, no one else, one-off, a two-way street'],
  ['batch 0815'],
  ['Form 10-K, item 1A'],
  ['subject to: (1) sign-off, and (2) consent'],
  ['support 24/7'],
  ['21 CFR Part 11'],
  ['a Big Four firm'],
  ['a 1-in-200 year event'],
  ['C 81944, MT 2290 1147'],
  ['report 23-118840, sample 118840-1'],
  ['Page 1 of 3'],
  ['slide 7, folder 9.3, Q 14'],
  ['TLS 1.2 or higher'],
  ['the top 5 clients'],
  ['circular 2023/11', '2023 | 2023-01-01..2023-12-31'],
  ['12(b)'],
  ['1:1:1'],
])

describe('a table says what its numbers are', () => {
  it('money in millions', () => {
    expect(values('41.8', { currency: 'EUR', scale: 1e6 })).toEqual(['41.8 | money 41800000 EUR'])
    expect(values('(4.8)', { currency: 'EUR', scale: 1e6 })).toEqual(['(4.8) | money -4800000 EUR'])
    expect(values('2,023', { currency: 'EUR' })).toEqual(['2,023 | money 2023 EUR'])
    expect(values('2023', { currency: 'EUR' })).toEqual(['2023 | money 2023 EUR'])
  })
  it('per cent', () => {
    expect(values('14.2', { unit: '%' })).toEqual(['14.2 | percent 14.2 %'])
  })
  it('dates without a year, and which way round they are', () => {
    expect(values('30 June', { year: 2024 })).toEqual(['30 June | 2024-06-30'])
    expect(values('03/05/2016', { dayFirst: false })).toEqual(['03/05/2016 | 2016-03-05'])
  })
})

describe('the place of the last digit', () => {
  for (const [text, step] of [
    ['EUR 34.6m', 100_000],
    ['EUR 41,790,000', 1],
    ['42 million', 1_000_000],
    ['52.30 %', 0.01],
    ['35 days', 86_400],
  ] as const) {
    it(`of ${text}`, () => {
      expect(number(text).step).toBe(step)
    })
  }
})

describe('whether two numbers say the same', () => {
  for (const [a, b, expected] of [
    ['EUR 41.8m', '€41,790,000', 'same'],
    ['EUR 41.8m', 'nearly 42 million euros', 'same'],
    ['EUR 34.6m', '€33,100,000', 'differ'],
    ['EUR 34.6m', 'USD 34.6m', 'other_unit'],
    ['271 people', '269 people', 'differ'],
    ['12 months', 'one year', 'same'],
    ['18 months', 'one year', 'differ'],
    ['three months', '90 days', 'same'],
    ['24 hours', 'one day', 'same'],
    ['four weeks', '30 days', 'differ'],
    ['more than half of staff', '52.3 %', 'compatible'],
    ['more than half of staff', '48 %', 'differ'],
    ['Slightly less than four fifths of revenue', '78 per cent', 'same'],
    ['between EUR 33m and EUR 36m', 'EUR 34m', 'compatible'],
    ['between EUR 33m and EUR 36m', 'EUR 37m', 'differ'],
    ['below 25 °C', 'below 30 °C', 'differ'],
    ['at most 8 %', 'at least 5 %', 'compatible'],
    ['at most 4 %', 'at least 5 %', 'differ'],
    ['1.2 TB', '1,200 GB', 'same'],
    ['version 2.0', 'version 2', 'same'],
    ['4.1 per cent', '4.2 per cent', 'differ'],
    ['8 per cent', '8.4 per cent', 'same'],
  ] as const) {
    it(`${a}, ${b}: ${expected}`, () => {
      expect(sameNumber(number(a), number(b))).toBe(expected)
      expect(sameNumber(number(b), number(a))).toBe(expected)
    })
  }
})

const pieces = fc.constantFrom(
  ...'12 1,140 34.6 m EUR € ( ) - – to and between of 31 December 2023 . , / : % per cent half a third every Q FY v 𝟙 days'.split(
    ' ',
  ),
  ' ',
  '\n',
)
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')),
  fc.array(pieces, { maxLength: 40 }).map((list) => list.join(' ')),
)

function isSound(value: Value): boolean {
  if (value.type === 'date') return value.days[0] <= value.days[1]
  return value.type === 'number' && !Number.isNaN(value.low ?? value.high)
}

describe('on any text', () => {
  it('finds spans inside it, in order and apart', () => {
    fc.assert(
      fc.property(anything, fc.nat(20), fc.nat(20), (text, skip, drop) => {
        const start = Math.min(skip, text.length)
        const end = Math.max(start, text.length - drop)
        let last = start
        for (const { span, value } of findValues(text, start, end)) {
          expect(span[0]).toBeGreaterThanOrEqual(last)
          expect(span[1]).toBeGreaterThan(span[0])
          last = span[1]
          expect(isSound(value)).toBe(true)
        }
        expect(last).toBeLessThanOrEqual(end)
      }),
      { numRuns: 2000 },
    )
  })
})

/** Processor time of this thread, not the clock, as in the speed of reading. */
function milliseconds(text: string, readings: number): number {
  const start = process.threadCpuUsage()
  for (let reading = 0; reading < readings; reading += 1) findValues(text, 0, text.length)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000 / readings
}

function fill(piece: string, length: number): string {
  return Buffer.from(piece.repeat(Math.ceil(length / piece.length)).slice(0, length)).toString('utf8')
}

const prose =
  'The plant employs 140 people, up to 210 in the season, and was audited on 23 May 2023 by the same firm as before. '
const quiet =
  'The customer may return goods at the cost of the supplier without further notice unless the parties say otherwise. '
const hostile = {
  digits: '1',
  'ones and commas': '1,',
  'dotted ones': '1.',
  'numbers and spaces': '1 ',
  groups: '111 ',
  'days of no month': '1, 2, 3, ',
  hyphens: '1-',
  labels: 'no no no ',
  words: 'one hundred and ',
  brackets: '((((EUR ',
  dates: '1 to 2 May ',
  modifiers: 'not more than about ',
  names: 'a-1/',
  durations: '3 years 2 months 1 day ',
}

describe('values take time in proportion to the text', () => {
  for (const [name, piece] of Object.entries({ prose, ...hostile })) {
    it(`for ${name}`, { timeout: 60_000 }, () => {
      const [short, long] = [fill(piece, 10_000), fill(piece, 100_000)]
      let growth = Infinity
      for (let attempt = 0; attempt < 10 && growth > 2; attempt += 1) {
        const floor = Math.max(milliseconds(short, 10), 0.5)
        growth = Math.min(growth, milliseconds(long, 2) / floor / 10)
      }
      expect(growth).toBeLessThanOrEqual(2)
    })
  }

  for (const [name, text, least] of [
    ['prose full of values', fill(prose, 4000), 1],
    ['prose without any', fill(quiet, 4000), 3],
  ] as const) {
    it(`at ${least} MB or more a second for ${name}`, { timeout: 60_000 }, () => {
      const speeds = Array.from({ length: 10 }, () => 0.004 / (milliseconds(text, 100) / 1000))
      process.stdout.write(`values of ${name} ${Math.max(...speeds).toFixed(1)} MB/s\n`)
      expect(Math.max(...speeds)).toBeGreaterThanOrEqual(least)
    })
  }
})
