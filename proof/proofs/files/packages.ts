/** Office packages by their least parts, so that any part can be another one. */
import { makeDocx, makePptx, makeXlsx, makeZip } from '@concord/tools/sample-files'
import { CLAIM } from './hostile-file.ts'

export const TYPES = ['docx', 'xlsx', 'pptx'] as const
export type Office = (typeof TYPES)[number]

export const good: Readonly<Record<Office, Buffer>> = {
  docx: makeDocx(`<w:p><w:r><w:t>${CLAIM}</w:t></w:r></w:p>`),
  xlsx: makeXlsx({
    A: [
      ['Region', 'Revenue'],
      ['North', 12.4],
    ],
  }),
  pptx: makePptx([{ title: 'Outlook', paragraphs: [CLAIM] }]),
}

export const main: Readonly<Record<Office, string>> = {
  docx: 'word/document.xml',
  xlsx: 'xl/worksheets/sheet1.xml',
  pptx: 'ppt/slides/slide1.xml',
}

export const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function relations(id: string, kind: string, target: string): string {
  return `<Relationships><Relationship Id="${id}" Type="${RELATION}/${kind}" Target="${target}"/></Relationships>`
}

/** The least of a package of this type, with this main part and these others. */
export function packageOf(
  type: Office,
  part: string | Buffer,
  others: Readonly<Record<string, string | Buffer>> = {},
): Buffer {
  const frames: Readonly<Record<Office, Readonly<Record<string, string>>>> = {
    docx: {
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relations('r1', 'officeDocument', 'word/document.xml'),
    },
    xlsx: {
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="s0"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations('s0', 'worksheet', 'worksheets/sheet1.xml'),
    },
    pptx: {
      'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations('a', 'slide', 'slides/slide1.xml'),
    },
  }
  return makeZip({ ...frames[type], [main[type]]: part, ...others })
}

/** Good XML of the main part around these words. */
export function partOf(type: Office, words: string, before = ''): string {
  const bodies: Readonly<Record<Office, string>> = {
    docx: `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:body></w:document>`,
    xlsx: `<worksheet><sheetData><row><c t="str"><v>${words}</v></c></row></sheetData></worksheet>`,
    pptx: `<p:sld><p:sp><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:sp></p:sld>`,
  }
  return `${before}${bodies[type]}`
}
