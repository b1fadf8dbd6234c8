/** Hostile and broken files: each is refused with its reason, and none is unpacked further than the bounds. */
import { makeDocx, makePdf, makeXlsx, makeZip } from '@concord/tools/sample-files'
import { describe, expect, it } from 'vitest'
import type { FileFault, FileType } from '../../src/domain/file-layout.ts'
import { locateClaims } from '../../src/app/documents/claim-locations.ts'
import { createLocator, MAX_LAYOUT_BYTES, PLAIN_LAYOUT } from '../../src/domain/file-layout.ts'
import { decodeExtraction, encodeExtraction } from '../../src/hatchery/extractor/wire.ts'
import { extractFile } from '../../src/extraction/extract.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const xlsx = makeXlsx({ A: [['one', 'two']] })
const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])

function sheetOf(data: string, name = 'A'): Buffer {
  const base = 'http://schemas.openxmlformats.org'
  return makeZip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="${name}" r:id="s0"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s0" Type="${base}/worksheet" Target="../xl/worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': data,
  })
}

const entities =
  '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><worksheet><sheetData><row><c t="str"><v>&c;</v></c></row></sheetData></worksheet>'

const cases: readonly (readonly [what: string, type: FileType, file: Uint8Array, fault: FileFault])[] = [
  ['no PDF', 'pdf', bytes('not a PDF'), 'wrong_type'],
  ['a PDF that is cut', 'pdf', makePdf([['a']]).subarray(0, 60), 'damaged'],
  ['a PDF of scans', 'pdf', makePdf([[], []]), 'no_text'],
  ['a PDF named DOCX', 'docx', makePdf([['a']]), 'wrong_type'],
  ['a DOCX named XLSX', 'xlsx', makeDocx('<w:p/>'), 'wrong_type'],
  ['an XLSX named PPTX', 'pptx', xlsx, 'wrong_type'],
  ['an XLSX named DOCX', 'docx', xlsx, 'wrong_type'],
  ['an XLSX named text', 'txt', xlsx, 'wrong_type'],
  ['an XLSX that is cut', 'xlsx', xlsx.subarray(0, xlsx.length - 40), 'damaged'],
  ['a file of Excel 97', 'xlsx', compound, 'legacy_format'],
  [
    'an encrypted package',
    'docx',
    Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]),
    'encrypted',
  ],
  ['entities that multiply', 'xlsx', sheetOf(entities), 'forbidden_markup'],
  [
    'a bomb of XML',
    'xlsx',
    sheetOf(`<worksheet><sheetData>${' '.repeat(70 * 1_048_576)}</sheetData></worksheet>`),
    'expands_too_much',
  ],
  [
    'a bomb in Word',
    'docx',
    makeDocx(`<w:p><w:r><w:t>${'a'.repeat(70 * 1_048_576)}</w:t></w:r></w:p>`),
    'expands_too_much',
  ],
  [
    'two cells far apart',
    'xlsx',
    sheetOf(
      `<worksheet><sheetData>${Array.from({ length: 2_000 }, (_, at) => `<row r="${at + 1}"><c r="${columnName(at)}${at + 1}"><v>1</v></c><c r="A${at + 1}"><v>1</v></c></row>`).join('')}</sheetData></worksheet>`,
    ),
    'too_many_parts',
  ],
  [
    'a row that no sheet has',
    'xlsx',
    sheetOf('<worksheet><sheetData><row r="99999999999"/></sheetData></worksheet>'),
    'damaged',
  ],
  ['a slide that is missing', 'pptx', withoutSlides(), 'damaged'],
  ['an e-mail nested too deeply', 'eml', nestedMail(30), 'too_many_parts'],
  ['no e-mail', 'eml', bytes('hello'), 'wrong_type'],
  ['a text that is too long', 'txt', bytes('a '.repeat(1_000_001)), 'text_too_long'],
  ['a text that is no UTF-8', 'md', new Uint8Array([0x5a, 0xfc, 0x72]), 'not_utf8'],
  ['a text with nothing in it', 'txt', bytes(' \n'), 'no_text'],
  ['HTML nested too deeply', 'html', bytes('<div>'.repeat(300_000)), 'too_many_parts'],
  ['HTML of a mail nested too deeply', 'eml', htmlMail('<b>'.repeat(300_000)), 'too_many_parts'],
  ['a sheet nested too deeply', 'xlsx', sheetOf('<a>'.repeat(300_000)), 'too_many_parts'],
  ['bytes named HTML', 'html', new Uint8Array([0x3c, 0, 0x3e]), 'wrong_type'],
]

function columnName(index: number): string {
  const letters = [index % 26, Math.floor(index / 26) % 26, Math.floor(index / 676)]
  return letters
    .toReversed()
    .map((each) => String.fromCharCode(65 + each))
    .join('')
}

function withoutSlides(): Buffer {
  const base = 'http://schemas.openxmlformats.org'
  return makeZip({
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': `<Relationships><Relationship Id="a" Type="${base}/slide" Target="slides/slide1.xml"/></Relationships>`,
  })
}

function htmlMail(html: string): Uint8Array {
  return bytes(`From: a\nContent-Type: text/html\n\n${html}`)
}

function nestedMail(depth: number): Uint8Array {
  const open = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}x\n\n--b${at}x\n`,
  )
  return bytes(`From: a\n${open.join('')}\nText`)
}

describe('a file that cannot be read', () => {
  it.each(cases)('is refused with its reason: %s (%s)', async (_, type, file, fault) => {
    await expect(extractFile(type, file)).rejects.toMatchObject({ fault })
  })

  it('names parts by no path: a part outside of the package is one that nobody asks for', async () => {
    const file = makeZip({ '../../etc/passwd': 'x', 'word/../../a': 'x' })
    await expect(extractFile('xlsx', file)).rejects.toMatchObject({ fault: 'wrong_type' })
  })

  it('is read if its markup is nested less deeply, however often', async () => {
    const page = `${'<div>'.repeat(1_900)}words${'</div>'.repeat(1_900)}<br><img src="a"><p>more`
    expect(await extractFile('html', bytes(page.repeat(20)))).toMatchObject({ layout: { kind: 'headings' } })
  })

  it('may claim to be smaller than it is', async () => {
    const lied = Buffer.from(sheetOf(`<worksheet>${' '.repeat(70 * 1_048_576)}</worksheet>`))
    // The unpacked length in the directory, which nothing may believe.
    for (let at = lied.indexOf('PK\u0001\u0002'); at !== -1; at = lied.indexOf('PK\u0001\u0002', at + 4))
      lied.writeUInt32LE(10, at + 24)
    await expect(extractFile('xlsx', lied)).rejects.toMatchObject({ fault: 'expands_too_much' })
  })
})

describe('a sheet with a name of a million characters', () => {
  const rows =
    '<worksheet><sheetData><row><c t="str"><v>Staff</v></c><c><v>12</v></c></row></sheetData></worksheet>'
  const claim = (at: number) => ({
    json: Buffer.from(JSON.stringify({ span: [at, at + 2], valueSpan: [at, at + 2] })),
  })

  it.each([
    ['spaces', ' '.repeat(1_048_576), null],
    ['letters', 'ab'.repeat(524_288), 'ab'.repeat(100)],
    ['line breaks', `Q1&#10;${'&#10;'.repeat(200_000)}2026`, 'Q1 2026'],
    ['pairs of surrogates', `a${'😀'.repeat(250_000)}`, `a${'😀'.repeat(99)}\ufffd`],
  ])('keeps layout, text and claims small: %s', async (_, name, sheet) => {
    const { text, layout } = await extractFile('xlsx', sheetOf(rows, name))
    expect(JSON.stringify(layout).length).toBeLessThan(300_000)
    expect(text.length).toBeLessThan(1_000)
    const at = Array.from(text.slice(0, text.indexOf('12'))).length
    const located = await locateClaims(
      Array.from({ length: 400 }, () => claim(at)),
      text,
      layout,
    )
    expect(JSON.parse(String(located[0]?.json))).toMatchObject({ location: { sheet, cell: 'B1' } })
    for (const { json } of located) expect(json.length).toBeLessThan(8_192)
  })

  it('is cut in each claim even if the layout has the whole name', async () => {
    const layout = {
      ...PLAIN_LAYOUT,
      kind: 'sheets' as const,
      sheets: ['x'.repeat(1_048_576)],
      sheetStarts: [0],
    }
    const [located] = await locateClaims([claim(0)], '12', layout)
    expect(located?.json.length).toBeLessThan(8_192)
  })
})

describe('a workbook of tables that have every other column', () => {
  const cells = (row: number) =>
    Array.from({ length: 2_000 }, (_, at) => `<c r="${columnName(2 * at)}${row}"><v>1</v></c>`).join('')
  const rows = Array.from({ length: 90 }, (_, at) => `<row r="${2 * at + 1}">${cells(2 * at + 1)}</row>`)
  const file = sheetOf(`<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`, 'Q1')

  it('has a layout below its bound; later cells are located by their sheet', async () => {
    const { text, layout } = await extractFile('xlsx', file)
    expect(Buffer.byteLength(JSON.stringify(layout))).toBeLessThan(MAX_LAYOUT_BYTES / 2)
    const locate = createLocator(text, layout)
    expect(locate(text.indexOf('1 |'))).toMatchObject({ sheet: 'Q1', cell: 'AAA1' })
    expect(locate(text.lastIndexOf('1 |'))).toMatchObject({ sheet: 'Q1', cell: null })
  })
})

describe('the answer of a process that read a file', () => {
  it('counts as broken if its layout is larger than any file may have', () => {
    const layout = { ...PLAIN_LAYOUT, sheets: ['x'.repeat(MAX_LAYOUT_BYTES + 2_000)] }
    expect(decodeExtraction(encodeExtraction({ text: 'text', layout }))).toBeUndefined()
    expect(decodeExtraction(encodeExtraction({ text: 'text', layout: PLAIN_LAYOUT }))).toMatchObject({
      text: 'text',
    })
  })
})
