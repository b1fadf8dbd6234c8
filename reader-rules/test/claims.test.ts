import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import { readClaims } from '../src/claims.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

function claimsOf(text: string): Claim[] {
  return readClaims(text, readStructure(text))
}

function said(text: string): string[] {
  return claimsOf(text).map((claim) => `${claim.kind} ${claim.valueText}: ${claim.attribute.words.join(' ')}`)
}

const frame = 'The report of the committee was read to all of the members who were there at the time.'

describe('what a value measures', () => {
  it.each([
    ['Gross customer churn in FY2021 was 3.2 per cent.', 'percent 3.2 per cent: churn customer gross'],
    ['The Group had 512 employees at 30 June 2022.', 'count 512: employee'],
    ['Recordings are kept for 21 days.', 'duration 21 days: keep record'],
    ['The audited accounts show revenue of EUR 7.4m for 2020.', 'money EUR 7.4m: revenue'],
    ['The survey found three high and seven medium faults.', 'count three: fault high'],
    ['A total of 90 patients will be enrolled.', 'count 90: patient enrol'],
  ])('%s', (sentence, expected) => {
    expect(said(`${frame} ${sentence}`)).toContain(expected)
  })
})

describe('what a date dates', () => {
  it.each([
    ['The licence expires on 4 May 2027.', 'date 4 May 2027: end licence'],
    ['The branch was opened on 12 March 2019.', 'date 12 March 2019: open branch'],
  ])('%s', (sentence, expected) => {
    expect(said(`${frame} ${sentence}`)).toContain(expected)
  })
})

describe('fields, rows and roles', () => {
  it('reads a form', () => {
    const text =
      'FORM FOR THE YEARLY REVIEW OF A SUPPLIER\n\n2.1 Number of employees:      42\n2.2 Log retention:            30 days\n'
    expect(said(text)).toEqual(expect.arrayContaining(['count 42: employee', 'duration 30 days: keep log']))
  })

  it('gives cells the period of their column and the unit of the corner', () => {
    const text = `# Figures of the company for the last two years\n\n| EUR m | FY2019 | FY2020 |\n|---|---|---|\n| Revenue | 3.5 | 4.1 |\n`
    const [, second] = claimsOf(text)
    expect(second?.value).toMatchObject({ unit: 'EUR', low: 4_100_000 })
    expect(second?.period).toEqual([18_262, 18_627])
  })

  it('knows who holds a role', () => {
    const claim = claimsOf(
      `${frame}\n\n- Marta Vilhelm, Chief Financial Officer\n- Jonas Berg, Managing Director\n`,
    ).find(({ kind }) => kind === 'identity')
    expect(claim).toMatchObject({ kind: 'identity', attribute: { words: ['officer', 'financial', 'chief'] } })
    expect(claim?.value).toEqual({ type: 'name', words: ['marta', 'vilhelm'] })
  })
})

describe('every claim', () => {
  const texts = [
    'The rent is £12,000 a year, not £10,000 as was said in the letter of the agent.\n\nThere were no accidents on the site in 2021.',
    'From: A\nTo: B\nDate: 3 May 2021\n\nThe price was raised from EUR 5 to EUR 6 and that is all of it for the time being.',
  ]

  it.each(texts)('quotes the text at its offsets: %s', (text) => {
    const claims = claimsOf(text)
    expect(claims.length).toBeGreaterThan(0)
    for (const claim of claims) {
      expect(claim.quote).toBe(text.slice(...claim.span))
      expect(claim.valueText).toBe(text.slice(...claim.valueSpan))
    }
  })

  it('is the same whenever it is read', () => {
    expect(texts.map(claimsOf)).toEqual(texts.map(claimsOf))
  })

  it('is not read from another language', () => {
    expect(
      claimsOf(
        'Der Umsatz der Gesellschaft ist im Jahr 2021 auf 4,1 Mio. EUR gestiegen und wird nicht geprüft.',
      ),
    ).toEqual([])
  })
})

describe('hostile texts', () => {
  const pieces = [
    'of',
    'the',
    '12',
    '%',
    '(',
    '"',
    ';',
    'not',
    'no',
    '\u{1f600}',
    '\ud800',
    'Ä',
    '—',
    '\n',
    '| a | 1 |',
    'Key: 4',
    "'s",
    '.',
    'is',
    'EUR',
  ]

  it('never throws', () => {
    let seed = 7
    const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648)
    for (let round = 0; round < 200; round += 1) {
      const text = Array.from({ length: 60 }, () => pieces[next() % pieces.length]).join(
        round % 2 === 0 ? ' ' : '',
      )
      for (const claim of claimsOf(text)) expect(claim.quote).toBe(text.slice(...claim.span))
    }
  })

  it('gives at most 400 claims', () => {
    expect(claimsOf(`${frame} ${'The fee is EUR 5. '.repeat(2000)}`).length).toBeLessThanOrEqual(400)
  })
})

describe('what a document repeats', () => {
  it('is claimed once, where it stands first', () => {
    const page = 'The licence expires on 4 May 2027. The branch was opened on 12 March 2019.'
    const text = [frame, page, frame, page].join('\n\n')
    const dates = claimsOf(text).filter(({ kind }) => kind === 'date')
    expect(dates.map(({ quote }) => quote)).toEqual([
      'The licence expires on 4 May 2027.',
      'The branch was opened on 12 March 2019.',
    ])
    expect(Math.max(...dates.map(({ span }) => span[1]))).toBeLessThan(text.lastIndexOf(frame))
  })

  it('is claimed again of another subject', () => {
    const text =
      '## Harbour depot\n\nNumber of employees: 42\n\n## Hillside depot\n\nNumber of employees: 42\n'
    const counts = claimsOf(`${frame}\n\n${text}`).filter(({ kind }) => kind === 'count')
    expect(counts).toHaveLength(2)
  })
})
