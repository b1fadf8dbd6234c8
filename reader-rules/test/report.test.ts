import { describe, expect, it } from 'vitest'
import type { Claim } from '@concord/reading/src/claim.ts'
import type { ReadingReport } from '@concord/reading/src/report.ts'
import { extentOf } from '@concord/reading/src/report.ts'
import { collectClaims } from '../src/claims/collection.ts'
import { readDocument } from '../src/document.ts'
import { readStructure } from '@concord/reading/src/structure.ts'
import { statement } from '@concord/reading/test/support/claims.ts'
import { expectSums } from '@concord/reading/test/support/sums.ts'

function reportOf(text: string): ReadingReport {
  const { report, structure, claims } = readDocument(text)
  expectSums(report)
  expect(report.passages).toBe(structure.passages.length)
  expect(report.claims).toBe(claims.length)
  return report
}

describe('the report on a text in English', () => {
  it('says that everything was read, in characters and in passages', () => {
    const text =
      '# Lease of the mill\n\nThe rent is EUR 900 a month.\n\n- It is due on the first day of each month.\n\n    a = 1\n'
    expect(reportOf(text)).toEqual({
      reader: 'rules',
      readerVersion: '1',
      format: 'text',
      language: 'en',
      languageConfidence: expect.any(Number),
      characters: text.length,
      charactersRead: text.length,
      passages: 3,
      passagesRead: 3,
      unread: [],
      claims: readDocument(text).claims.length,
      quotesDropped: 0,
    })
  })

  it('counts code points, so that a character outside of the first plane is one', () => {
    const report = reportOf('💠 The rent of the mill is EUR 900 a month. 💠')
    expect(report.characters).toBe(44)
    expect(report.charactersRead).toBe(44)
  })
})

/** Paragraphs with two claims each, all of them different. */
function manyFigures(paragraphs: number): string {
  return Array.from(
    { length: paragraphs },
    (_, at) => `Store number ${at + 11} sold ${at + 1_017} lamps in 2025 and had ${at + 311} visitors.`,
  ).join('\n\n')
}

describe('the limit on claims', () => {
  it('leaves passages unread, and the report says how many and how long they are', () => {
    const text = `# Sales of the year\n\n${manyFigures(600)}`
    const report = reportOf(text)
    expect(report.claims).toBe(400)
    const unread = readStructure(text).passages.slice(report.passagesRead)
    expect(report.unread).toEqual([
      {
        reason: 'limit',
        passages: unread.length,
        characters: unread.reduce((sum, { span }) => sum + span[1] - span[0], 0),
      },
    ])
    expect(extentOf(report)).toBe('part')
  })

  it('is not met by a text that stays below it', () => {
    const report = reportOf(manyFigures(50))
    expect(report.claims).toBeGreaterThan(50)
    expect(report.unread).toEqual([])
  })
})

it('the report counts fields of a header behind the thirtieth as unread', () => {
  const fields = Array.from({ length: 34 }, (_, at) => `Meter ${at + 1}: ${at + 100} kWh`)
  const text = `${fields.join('\n')}\n\n${'The meters are read once in a month, and the figures are sent to the owner. '.repeat(2)}`
  const { structure } = readDocument(text)
  const lost = structure.header.fields.slice(30)
  const characters = lost.reduce((sum, { span }) => sum + span[1] - span[0], 0)
  expect(lost.length).toBeGreaterThan(0)
  expect(reportOf(text).unread).toEqual([{ reason: 'limit', characters, passages: 0 }])
})

describe('a limit within a passage', () => {
  const around = 'The plant reported its output for the year to the owner, and the owner has read the report.'
  const sites = (count: number) =>
    Array.from({ length: count }, (_, at) => `site ${at + 1} had ${at + 10} staff`).join(', ')
  const row = (count: number, cell: (at: number) => string) =>
    `| ${Array.from({ length: count }, (_, at) => cell(at)).join(' | ')} |`

  it.each([
    ['a sentence', `At the end of 2025 ${sites(9)}.`, `At the end of 2025 ${sites(3)}.`],
    ['a field', 'Premises: 10 sites, 20 offices, 30 labs, 40 depots, 50 shops', 'Premises: 10 sites'],
    [
      'a row',
      `${row(16, (at) => `y${2000 + at}`)}\n${row(16, () => '---')}\n${row(16, (at) => (at === 0 ? 'Revenue' : `EUR ${at}m`))}`,
      `${row(4, (at) => `y${2000 + at}`)}\n${row(4, () => '---')}\n${row(4, (at) => (at === 0 ? 'Revenue' : `EUR ${at}m`))}`,
    ],
  ])('of %s leaves that part unread, and the rest read', (_, over, within) => {
    const report = reportOf(`# Plant\n\n${around}\n\n${over}\n\n${around}\n`)
    expect(report.unread).toMatchObject([{ reason: 'limit' }])
    expect(report.characters - report.charactersRead).toBeLessThanOrEqual(over.length)
    expect(reportOf(`# Plant\n\n${around}\n\n${within}\n\n${around}\n`).unread).toEqual([])
  })
})

describe('collecting the claims of passages', () => {
  const { passages } = readStructure('First the one.\n\nThen the other.\n\nAt last the third.')
  const quoted = (quote: string): Claim => ({ ...statement(1), quote })

  it('goes on behind a passage on which reading fails, and says which one it was', () => {
    const { claims, unread } = collectClaims(passages, [], (index) => {
      if (index === 1) throw new TypeError('no such word')
      return { claims: [quoted(`quote ${index}`)], isCut: false }
    })
    expect(claims.map(({ quote }) => quote)).toEqual(['quote 0', 'quote 2'])
    expect(unread).toEqual([{ reason: 'failed', span: passages[1]?.span, isPassage: true }])
  })

  it('keeps no more than a million characters of claims, and the rest is unread', () => {
    const { claims, unread } = collectClaims(passages, [], (index) => ({
      claims: [quoted(`${index}`.repeat(600_000)), quoted('short')],
      isCut: false,
    }))
    expect(claims.map(({ quote }) => quote.length)).toEqual([600_000, 5])
    expect(unread.map(({ reason, span }) => [reason, span])).toEqual([
      ['limit', passages[1]?.span],
      ['limit', passages[2]?.span],
    ])
  })

  it('takes a repeated claim for read, also when no further one would be kept', () => {
    const first = Array.from({ length: 399 }, (_, at) => quoted(`header ${at}`))
    const { claims, unread } = collectClaims(passages.slice(0, 1), first, () => ({
      claims: [quoted('the same'), quoted('the same')],
      isCut: false,
    }))
    expect(claims).toHaveLength(400)
    expect(unread).toEqual([])
  })
})
