import { describe, expect, it } from 'vitest'
import { readStructure } from '../src/structure.ts'
import { sketch } from './support/sketch.ts'

const report = `# Annual report

To: The board
Date: 17 May 2024

## 1. Results

Revenue was EUR 41.8m. It grew by
15 per cent, as Dr. Ames said.

By company:

| Company | FY2022 | FY2023 |
|---|---|---|
| North | 9.1 | 10.9 |
| **Group** | | 41.8 |

## 2. People

- Staff: 268
- Offices
  - Utrecht
  - Bergen
`

describe('a document', () => {
  it('is read as header, headings and passages in the order of the text', () => {
    expect(sketch(report)).toEqual([
      'title Annual report',
      'field To = The board',
      'field Date = 17 May 2024',
      '#2 1. Results',
      'paragraph @1. Results | Revenue was EUR 41.8m. / It grew by 15 per cent, as Dr. Ames said.',
      '#9 By company:',
      'row 0.0 head @By company: | Company | FY2022 | FY2023',
      'row 0.1 @By company: | North | 9.1 | 10.9',
      'row 0.2 @By company: | Group | ∅ | 41.8',
      '#2 2. People',
      'item - 0 @2. People | [Staff] Staff: 268',
      'item - 0 @2. People | Offices',
      'item - 1 @2. People ^5 | Utrecht',
      'item - 1 @2. People ^5 | Bergen',
    ])
  })

  it('keeps offsets into the text as it came, one span per piece', () => {
    const { passages, header } = readStructure(report)
    const [first] = passages
    expect(header.title === undefined ? '' : report.slice(...header.title)).toBe('Annual report')
    expect(first?.kind === 'paragraph' ? first.sentences.map((span) => report.slice(...span)) : []).toEqual([
      'Revenue was EUR 41.8m.',
      'It grew by\n15 per cent, as Dr. Ames said.',
    ])
  })

  it('is plain JSON of format 1', () => {
    const structure = readStructure(report)
    expect(structure).toMatchObject({ format: 1 })
    expect(JSON.parse(JSON.stringify(structure))).toEqual(structure)
  })

  it('lists as marks what is drawn and not said', () => {
    const { marks } = readStructure(report)
    expect(marks.map((span) => report.slice(...span))).toEqual(['#', '##', '|---|---|---|', '##'])
  })

  it('may be empty or blank', () => {
    const nothing = { format: 1, header: { fields: [] }, headings: [], parts: [], tables: [], passages: [], marks: [] } // prettier-ignore
    expect(readStructure('')).toEqual(nothing)
    expect(readStructure(' \r\n\ufeff\u2028\t\f\n')).toEqual(nothing)
  })

  it('may be made of a hundred thousand pieces', () => {
    const counts = (piece: string) => {
      const { passages, headings, marks } = readStructure(piece.repeat(100_000))
      return [passages.length, headings.length, marks.length]
    }
    expect(counts('a\tb\n')).toEqual([100_000, 0, 0])
    expect(counts('- a\n')).toEqual([100_000, 0, 0])
    expect(counts('>\n')).toEqual([0, 0, 100_000])
    expect(counts('# a\n')).toEqual([0, 99_999, 100_000])
  })
})
