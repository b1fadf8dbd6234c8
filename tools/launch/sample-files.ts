/** Small files of each type that a person might send, made here so that what they hold can be read in a test. */
import { crc32, deflateRawSync } from 'node:zlib'

/** One page an entry; each line of a page 14 points below the other, an empty one leaves room. */
export function makePdf(pages: readonly (readonly string[])[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, at) => {
      const drawn = lines.map(
        (line, row) =>
          `BT /F1 12 Tf 72 ${760 - row * 14} Td (${line.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`,
      )
      const content = drawn.join('\n')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = body.length
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The body in the words of WordprocessingML. */
export function makeDocx(body: string): Buffer {
  return makeZip({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/styles.xml':
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
    'word/_rels/document.xml.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  })
}

const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** A number is stored as one, everything else as a shared string; null leaves a cell out. */
export type SampleCell = string | number | null

/** Sheets by their names, as rows of cells; an empty row is left out of the file. */
export function makeXlsx(sheets: Readonly<Record<string, readonly (readonly SampleCell[])[]>>): Buffer {
  const strings: string[] = []
  const names = Object.keys(sheets)
  const relations = names.map(
    (_, at) =>
      `<Relationship Id="s${at}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  const parts = Object.values(sheets).map((rows, at): [string, string] => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `${HEAD}<worksheet xmlns="${SHEETS}"><sheetData>${rows.map((row, index) => drawRow(row, index, strings)).join('')}</sheetData></worksheet>`,
  ])
  return makeZip({
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}">${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${SHEETS}">${strings.map((each) => `<si><t xml:space="preserve">${escapeXml(each)}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(parts),
  })
}

function drawRow(row: readonly SampleCell[], index: number, strings: string[]): string {
  const cells = row.flatMap((cell, column) => {
    if (cell === null) return []
    const place = `${String.fromCharCode(65 + column)}${index + 1}`
    if (typeof cell === 'number') return [`<c r="${place}"><v>${cell}</v></c>`]
    strings.push(cell)
    return [`<c r="${place}" t="s"><v>${strings.length - 1}</v></c>`]
  })
  return cells.length === 0 ? '' : `<row r="${index + 1}">${cells.join('')}</row>`
}

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const SLIDES = 'http://schemas.openxmlformats.org/presentationml/2006/main'

export interface SampleSlide {
  readonly title?: string
  readonly paragraphs?: readonly string[]
  readonly hasPicture?: boolean
}

export function makePptx(slides: readonly SampleSlide[]): Buffer {
  const drawn = slides.map((slide, at): [string, string] => [
    `ppt/slides/slide${at + 1}.xml`,
    drawSlide(slide),
  ])
  return makeZip({
    'ppt/presentation.xml': `${HEAD}<p:presentation xmlns:p="${SLIDES}" xmlns:r="${OFFICE}"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships xmlns="${RELATIONS}">${slides.map((_, at) => `<Relationship Id="s${at}" Type="${OFFICE}/slide" Target="slides/slide${at + 1}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(drawn),
  })
}

function drawShape(place: string, texts: readonly string[]): string {
  const drawn = texts.map((text) => `<a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p>`).join('')
  return `<p:sp><p:nvSpPr><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody>${drawn}</p:txBody></p:sp>`
}

function drawSlide({ title, paragraphs = [], hasPicture = false }: SampleSlide): string {
  const shapes = [
    title === undefined ? '' : drawShape('<p:ph type="title"/>', [title]),
    paragraphs.length === 0 ? '' : drawShape('<p:ph idx="1"/>', paragraphs),
    hasPicture ? '<p:pic/>' : '',
  ]
  return `${HEAD}<p:sld xmlns:p="${SLIDES}" xmlns:a="${DRAWING}"><p:cSld><p:spTree>${shapes.join('')}</p:spTree></p:cSld></p:sld>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Each part by its name. */
export function makeZip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const data = typeof text === 'string' ? Buffer.from(text) : text
    const packed = deflateRawSync(data)
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(path.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, packed])
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, place, path]))
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006'), end])
}
