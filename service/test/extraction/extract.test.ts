/** Files as text: the words in their order, with headings, tables and pages where they were, and each planted sentence found at its place. */
import { makeDocx, makePdf, makePptx, makeXlsx } from '@concord/tools/sample-files'
import { describe, expect, it } from 'vitest'
import { createLocator } from '../../src/domain/file-layout.ts'
import type { FileLocation, FileType } from '../../src/domain/file-layout.ts'
import { extractFile } from '../../src/extraction/extract.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function textOf(type: FileType, file: Uint8Array): Promise<string> {
  return (await extractFile(type, file)).text
}

/** Where the words stand, by the layout of the file. */
async function locate(type: FileType, file: Uint8Array, words: string): Promise<FileLocation | null> {
  const { text, layout } = await extractFile(type, file)
  const at = text.indexOf(words)
  if (at === -1) throw new Error(`"${words}" is not in the text:\n${text}`)
  return createLocator(text, layout)(Array.from(text.slice(0, at)).length)
}

const nowhere = { page: null, slide: null, sheet: null, cell: null, heading: null, line: null }

describe('PDF', () => {
  const pdf = makePdf([
    ['Annual report', '', '', 'Revenue was EUR 12.4m', 'in 2025.'],
    [],
    ['Headcount (group): 240'],
  ])

  it('keeps lines, paragraphs and pages, and names pages without text as unread', async () => {
    const { text, layout } = await extractFile('pdf', pdf)
    expect(text).toBe('Annual report\n\nRevenue was EUR 12.4m\nin 2025.\n\f\nHeadcount (group): 240')
    expect(layout.unread).toEqual([{ part: 'page', number: 2 }])
  })

  it('leads from words to their page', async () => {
    expect(await locate('pdf', pdf, 'EUR 12.4m')).toEqual({ ...nowhere, page: 1 })
    expect(await locate('pdf', pdf, '240')).toEqual({ ...nowhere, page: 3 })
  })
})

describe('DOCX', () => {
  const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
  const docx = makeDocx(
    `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Minutes 😀</w:t></w:r></w:p>
     <w:p><w:r><w:t>Revenue was EUR 12.4m.</w:t></w:r></w:p>
     <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Costs</w:t></w:r></w:p>
     <w:tbl><w:tr>${cell('Item')}${cell('EUR')}</w:tr><w:tr>${cell('Rent')}${cell('1,200')}</w:tr></w:tbl>`,
  )

  it('keeps headings, paragraphs and tables, and leads from words to their heading', async () => {
    expect(await textOf('docx', docx)).toBe(
      '# Minutes 😀\n\nRevenue was EUR 12.4m.\n\n# Costs\n\n| Item | EUR |\n| --- | --- |\n| Rent | 1,200 |',
    )
    expect(await locate('docx', docx, 'EUR 12.4m')).toEqual({ ...nowhere, heading: 'Minutes 😀' })
    expect(await locate('docx', docx, '1,200')).toEqual({ ...nowhere, heading: 'Costs' })
  })
})

describe('XLSX', () => {
  const xlsx = makeXlsx({
    Notes: [['Figures 😀 of the group'], [], ['Reviewed in May.']],
    'Q1 | 2026': [
      ['Sales by region'],
      ['Region', null, 'Revenue'],
      ['North', null, 12.4],
      ['South | East', null, 0.1 + 0.2],
      [],
      [null, 'Headcount', 240],
    ],
  })

  it('has one heading a sheet, and tables where rows stand together', async () => {
    expect(await textOf('xlsx', xlsx)).toBe(
      [
        '# Notes',
        'Figures 😀 of the group',
        'Reviewed in May.',
        '# Q1 / 2026',
        'Sales by region',
        '| Region | Revenue |\n| --- | --- |\n| North | 12.4 |\n| South / East | 0.3 |',
        '| Headcount | 240 |\n| --- | --- |',
      ].join('\n\n'),
    )
  })

  it.each([
    ['Figures 😀', 'Notes', 'A1'],
    ['Reviewed', 'Notes', 'A3'],
    ['Sales', 'Q1 | 2026', 'A1'],
    ['Revenue', 'Q1 | 2026', 'C2'],
    ['12.4', 'Q1 | 2026', 'C3'],
    ['South', 'Q1 | 2026', 'A4'],
    ['0.3', 'Q1 | 2026', 'C4'],
    ['Headcount', 'Q1 | 2026', 'B6'],
    ['240', 'Q1 | 2026', 'C6'],
    ['Q1 / 2026', 'Q1 | 2026', null],
  ])('leads from %s to sheet %s, cell %s', async (words, sheet, cell) => {
    expect(await locate('xlsx', xlsx, words)).toEqual({ ...nowhere, sheet, cell })
  })
})

describe('PPTX', () => {
  const pptx = makePptx([
    { title: 'Outlook', paragraphs: ['Revenue grows & grows.', 'Margins hold.'] },
    { hasPicture: true },
    {},
    { paragraphs: ['Launch in June.'] },
  ])

  it('has the slides in their order, and names those that are a picture as unread', async () => {
    const { text, layout } = await extractFile('pptx', pptx)
    expect(text).toBe('## Outlook\n\nRevenue grows & grows.\n\nMargins hold.\n\f\nLaunch in June.')
    expect(layout.unread).toEqual([{ part: 'slide', number: 2 }])
    expect(await locate('pptx', pptx, 'Margins')).toEqual({ ...nowhere, slide: 1 })
    expect(await locate('pptx', pptx, 'June')).toEqual({ ...nowhere, slide: 4 })
  })
})

describe('CSV', () => {
  it('is one table whose cells are named, whatever separates them', async () => {
    const csv = bytes('Site;Staff\r\n"Lund; north";"2 ""new"""\r\n\r\nYork;7')
    expect(await textOf('csv', csv)).toBe(
      '| Site | Staff |\n| --- | --- |\n| Lund; north | 2 "new" |\n\n| York | 7 |\n| --- | --- |',
    )
    expect(await locate('csv', csv, '7 |')).toEqual({ ...nowhere, cell: 'B4' })
  })
})

describe('EML', () => {
  const eml = [
    'From: =?utf-8?Q?J=C3=BCrg?= <j@example.org>',
    'To: a@example.org,',
    ' b@example.org',
    'Subject: =?utf-8?B?UMO8bmt0bGljaA==?=',
    'Date: Mon, 2 Mar 2026 10:00:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="x"',
    '',
    '--x',
    'Content-Type: multipart/alternative; boundary=y',
    '',
    '--y',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'The caf=E9 opens on 1=',
    ' May.',
    '--y',
    'Content-Type: text/html',
    '',
    '<p>another</p>',
    '--y--',
    '--x',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename="../../etc/passwd"',
    '',
    'JVBERi0=',
    '--x--',
    '',
  ].join('\r\n')

  it('has who wrote what to whom, the plain version of the body, and counts attachments as unread', async () => {
    const { text, layout } = await extractFile('eml', bytes(eml))
    expect(text).toBe(
      [
        'From: Jürg <j@example.org>',
        'To: a@example.org, b@example.org',
        'Date: Mon, 2 Mar 2026 10:00:00 +0100',
        'Subject: Pünktlich',
        '',
        'The café opens on 1 May.',
      ].join('\n'),
    )
    expect(layout.unread).toEqual([{ part: 'attachment', number: 1 }])
  })
})

describe('HTML, Markdown and plain text', () => {
  it('keep their words, and headings are places where there are any', async () => {
    const page = bytes('<h1>A</h1><p>one</p><h2>B <i>c</i></h2><p>two</p>')
    expect(await textOf('html', page)).toBe('# A\n\none\n\n## B c\n\ntwo')
    expect(await locate('html', page, 'two')).toEqual({ ...nowhere, heading: 'B c' })
    expect(await locate('html', page, 'A')).toEqual({ ...nowhere, heading: 'A' })
    expect(await locate('html', bytes('<p>before</p><h1>A</h1>'), 'before')).toBeNull()
    const notes = bytes('\n\nbefore 😀\n\n# A\r\n\none')
    expect(await locate('md', notes, 'before')).toEqual({ ...nowhere, line: 3 })
    expect(await locate('md', notes, 'one')).toEqual({ ...nowhere, heading: 'A', line: 7 })
    expect(await textOf('txt', bytes('\uFEFFZürich'))).toBe('Zürich')
    expect(await textOf('md', Buffer.from('\uFEFFa', 'utf16le'))).toBe('a')
    expect(await locate('txt', bytes('# no heading'), 'no')).toEqual({ ...nowhere, line: 1 })
  })

  it('are converted in a time that grows with their length, though it is one long paragraph of tags', async () => {
    const takes = async (words: number) => {
      const html = bytes(`<p>${'<b>a</b> '.repeat(words)}</p>`)
      const times: number[] = []
      for (let nth = 0; nth < 3; nth += 1) {
        const start = performance.now()
        await extractFile('html', html)
        times.push(performance.now() - start)
      }
      return Math.min(...times)
    }
    // Eight times as much took sixty-four times as long.
    expect((await takes(160_000)) / (await takes(20_000))).toBeLessThan(32)
  })
})
