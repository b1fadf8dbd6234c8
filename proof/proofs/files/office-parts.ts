/** Hostile office files of one type alone: cells, slides and tables that no office has, and parts that lead elsewhere. */
import { makeDocx, makePptx, makeXlsx } from '@concord/tools/sample-files'
import { ANY_END, CLAIM, filesOf } from './hostile-file.ts'
import type { HostileFile } from './hostile-file.ts'
import { good, packageOf, partOf, RELATION } from './packages.ts'

const sheet = (rows: string) => packageOf('xlsx', `<worksheet><sheetData>${rows}</sheetData></worksheet>`)
const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

const rows = (count: number, cells: string) =>
  Array.from({ length: count }, () => `<row>${cells}</row>`).join('')
const word = (body: string) => makeDocx(body)
const table = (inside: string) => `<w:tbl><w:tr><w:tc>${inside}</w:tc></w:tr></w:tbl>`
export const mixedUp: readonly HostileFile[] = [
  ...filesOf('xlsx', [
    ['!a Word document', () => good.docx, 'wrong_type'],
    ['a presentation', () => good.pptx, 'wrong_type'],
    [
      '1,100,000 cells',
      () => sheet(rows(1_100, '<c><v>1</v></c>'.repeat(1_000))),
      'too_many_parts',
      'text_too_long',
    ],
    [
      '!cells far apart',
      () =>
        sheet(
          Array.from(
            { length: 2_000 },
            (_, at) =>
              `<row r="${at + 1}"><c r="${letters(at)}${at + 1}"><v>1</v></c><c r="A${at + 1}"><v>1</v></c></row>`,
          ).join(''),
        ),
      'too_many_parts',
    ],
    ['a row that no sheet has', () => sheet('<row r="99999999999"/>'), 'damaged'],
    ['a row below nothing', () => sheet('<row r="-7"><c><v>1</v></c></row>'), 'damaged'],
    ['a column that no sheet has', () => sheet('<row><c r="ZZZ1"><v>1</v></c></row>'), 'damaged'],
    ['a column without a name', () => sheet('<row><c r="€€"><v>1</v></c></row>'), 'damaged'],
    ['words that are not there', () => sheet('<row><c t="s"><v>999999</v></c></row>'), 'no_text', 'read'],
    [
      '1,100 sheets',
      () => makeXlsx(Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`S${at}`, [['a', 'b']]]))),
      'too_many_parts',
    ],
    [
      'a sheet that is a loop',
      () =>
        packageOf('xlsx', partOf('xlsx', CLAIM), {
          'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s0" Type="${RELATION}/worksheet" Target="workbook.xml"/></Relationships>`,
        }),
      'no_text',
      'read',
    ],
    [
      'a sheet outside of it',
      () =>
        packageOf('xlsx', partOf('xlsx', CLAIM), {
          'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s0" Type="${RELATION}/worksheet" Target="../../../etc/passwd"/></Relationships>`,
        }),
      'damaged',
    ],
    [
      'a sheet on another machine',
      () =>
        packageOf('xlsx', partOf('xlsx', CLAIM), {
          'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s0" Type="${RELATION}/worksheet" TargetMode="External" Target="http://127.0.0.1:1/"/></Relationships>`,
        }),
      'damaged',
      'no_text',
      'read',
    ],
    [
      'days before all calendars',
      () => sheet('<row><c><v>-1e308</v></c><c><v>1e309</v></c><c t="d"><v>x</v></c></row>'),
      'read',
    ],
    [
      'a format of 100,000 signs',
      () =>
        packageOf('xlsx', partOf('xlsx', CLAIM), {
          'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'[$-409]#,##0.00;'.repeat(6_000)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
        }),
      'read',
    ],
  ]),
  ...filesOf('pptx', [
    ['a workbook', () => good.xlsx, 'wrong_type'],
    [
      '!2,100 slides',
      () => makePptx(Array.from({ length: 2_100 }, () => ({ title: 'x' }))),
      'too_many_parts',
    ],
    [
      'a slide that is missing',
      () =>
        packageOf('pptx', partOf('pptx', CLAIM), {
          'ppt/_rels/presentation.xml.rels': `<Relationships><Relationship Id="a" Type="${RELATION}/slide" Target="slides/none.xml"/></Relationships>`,
        }),
      'damaged',
    ],
    [
      'notes that are their slide',
      () =>
        packageOf('pptx', partOf('pptx', CLAIM), {
          'ppt/slides/_rels/slide1.xml.rels': `<Relationships><Relationship Id="n" Type="${RELATION}/notesSlide" Target="slide1.xml"/></Relationships>`,
        }),
      'read',
    ],
    [
      'a table of 3,000,000 cells',
      () =>
        packageOf(
          'pptx',
          `<p:sld><a:tbl><a:tr>${'<a:tc/>'.repeat(3_000)}</a:tr>${'<a:tr><a:tc><a:p><a:r><a:t>x</a:t></a:r></a:p></a:tc></a:tr>'.repeat(1_000)}</a:tbl></p:sld>`,
        ),
      ...ANY_END,
      'text_too_long',
    ],
    ['only pictures', () => makePptx([{ hasPicture: true }]), 'no_text'],
  ]),
  ...filesOf('docx', [
    ['a workbook', () => good.xlsx, 'wrong_type'],
    [
      'tables 2,000 deep',
      () =>
        word(
          table(`<w:p><w:r><w:t>${CLAIM}</w:t></w:r></w:p>`) +
            '<w:tbl><w:tr><w:tc>'.repeat(2_000) +
            '</w:tc></w:tr></w:tbl>'.repeat(2_000),
        ),
      ...ANY_END,
      'memory_exceeded',
      'time_exceeded',
    ],
    [
      'a table of 400,000 rows',
      () =>
        word(
          `<w:tbl>${'<w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc><w:tc/></w:tr>'.repeat(400_000)}</w:tbl>`,
        ),
      'text_too_long',
      'time_exceeded',
      'memory_exceeded',
      'read',
    ],
    [
      '100,000 runs',
      () => word(`<w:p>${'<w:r><w:t>a </w:t></w:r>'.repeat(100_000)}</w:p>`),
      'read',
      'time_exceeded',
    ],
    [
      'a style that is its own',
      () =>
        packageOf('docx', partOf('docx', CLAIM), {
          'word/styles.xml':
            '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="A"><w:name w:val="a"/><w:basedOn w:val="A"/></w:style></w:styles>',
        }),
      'read',
    ],
  ]),
]
