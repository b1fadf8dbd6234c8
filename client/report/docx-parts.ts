/** The parts of a DOCX file that are the same in every report, and the small pieces of its text. */
import { oneLine } from './words.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const TYPES = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

export const FIXED_PARTS = [
  {
    name: '[Content_Types].xml',
    text: `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${TYPES}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    text: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  },
  {
    name: 'word/_rels/document.xml.rels',
    text: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/styles" Target="styles.xml"/></Relationships>`,
  },
  { name: 'word/styles.xml', text: styles() },
] as const

function heading(level: number, halfPoints: number): string {
  return `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="${240 - 40 * (level - 1)}" w:after="80"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="${halfPoints}"/></w:rPr></w:style>`
}

function styles(): string {
  return `${HEAD}<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="21"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="80"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>${heading(1, 36)}${heading(2, 28)}${heading(3, 23)}<w:style w:type="paragraph" w:styleId="Detail"><w:name w:val="Detail"/><w:basedOn w:val="Normal"/><w:rPr><w:color w:val="5A5F66"/><w:sz w:val="18"/></w:rPr></w:style></w:styles>`
}

/** A4 with margins of 2 cm; the last element of a body says so. */
const PAGE =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>'

export function documentPart(blocks: readonly string[]): { name: string; text: string } {
  return {
    name: 'word/document.xml',
    text: `${HEAD}<w:document xmlns:w="${WORD}"><w:body>${blocks.join('')}${PAGE}</w:body></w:document>`,
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no place for half a surrogate pair or for U+FFFE and U+FFFF; `oneLine` takes control characters out before. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}

interface RunStyle {
  readonly bold?: boolean
  readonly marked?: boolean
}

/** Text as it is; its outer spaces count. */
export function run(text: string, { bold, marked }: RunStyle = {}): string {
  if (text === '') return ''
  const style = `${bold ? '<w:b/>' : ''}${marked ? '<w:highlight w:val="yellow"/>' : ''}`
  return `<w:r>${style === '' ? '' : `<w:rPr>${style}</w:rPr>`}<w:t xml:space="preserve">${escape(text)}</w:t></w:r>`
}

export function paragraph(
  content: string,
  style?: 'Heading1' | 'Heading2' | 'Heading3' | 'Detail',
  keepNext = false,
): string {
  const about = `${style === undefined ? '' : `<w:pStyle w:val="${style}"/>`}${keepNext ? '<w:keepNext/>' : ''}`
  return `<w:p>${about === '' ? '' : `<w:pPr>${about}</w:pPr>`}${content}</w:p>`
}

export function line(text: string, style?: Parameters<typeof paragraph>[1], keepNext = false): string {
  return paragraph(run(oneLine(text)), style, keepNext)
}

/** Between the margins, in twentieths of a point. */
const WIDTH = 9_638
const BORDERS = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="C8CBD0"/>`)
  .join('')

interface TableLayout {
  /** The share of each column; all columns are as wide where none is given. */
  readonly shares?: readonly number[]
  /** Whether the first row is shown on every page. */
  readonly hasHeading?: boolean
  readonly keepNext?: boolean
}

/** Cells hold paragraphs. A row is not torn between pages. */
export function table(
  rows: readonly (readonly string[])[],
  { shares, hasHeading = false, keepNext = false }: TableLayout = {},
): string {
  const columns = Math.max(1, ...rows.map((row) => row.length))
  const widths = (shares ?? Array.from({ length: columns }, () => 1 / columns)).map((share) =>
    Math.floor(WIDTH * share),
  )
  const cell = (content: string, column: number) =>
    `<w:tc><w:tcPr><w:tcW w:w="${widths[column] ?? 0}" w:type="dxa"/></w:tcPr>${content}</w:tc>`
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')
  const body = rows.map((row, at) => {
    const repeated = hasHeading && at === 0 ? '<w:tblHeader/>' : ''
    return `<w:tr><w:trPr><w:cantSplit/>${repeated}</w:trPr>${row.map(cell).join('')}</w:tr>`
  })
  return `<w:tbl><w:tblPr><w:tblW w:w="${WIDTH}" w:type="dxa"/><w:tblBorders>${BORDERS}</w:tblBorders><w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${body.join('')}</w:tbl>${paragraph('', undefined, keepNext)}`
}
