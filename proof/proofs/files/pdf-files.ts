/** Hostile PDF files: lies about pages, loops, streams that unpack to far more, fonts that make no sense. */
import { deflateSync } from 'node:zlib'
import { makePdf } from '@concord/tools/sample-files'
import { ANY_END, CLAIM, filesOf } from './hostile-file.ts'
import type { HostileFile } from './hostile-file.ts'

const pages = makePdf([[CLAIM], ['Second page'], ['Third page']])
const MIB = 1_048_576

/** Objects 1, 2 and so on, as they are, with a table that says where they begin. */
function makeRawPdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [at, object] of objects.entries()) {
    const part = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    offsets.push(length)
    parts.push(part)
    length += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const tree = (kids: string, count: number) => `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`
const page = (resources = '/Font << /F1 5 0 R >>', more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << ${resources} >> ${more} >>`
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const shown = (text: string) => `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`

function stream(content: Buffer | string, dictionary = ''): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

const deflated = (content: Buffer | string) => stream(deflateSync(content), '/Filter /FlateDecode')

/** One page with this content, this font and these other objects, from the sixth on. */
function onePage(content: Buffer | string, font = HELVETICA, ...others: (string | Buffer)[]): Buffer {
  const body = typeof content === 'string' ? stream(content) : content
  return makeRawPdf([CATALOG, tree('3 0 R', 1), page(), body, font, ...others])
}

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

function filters(times: number): Buffer {
  let bytes: Buffer = Buffer.from(shown(CLAIM))
  for (let time = 0; time < times; time += 1) bytes = deflateSync(bytes)
  return stream(bytes, `/Filter [${'/FlateDecode '.repeat(times)}]`)
}

export function pdfFiles(): HostileFile[] {
  return [...structures, ...streams, ...fonts, ...broken]
}

const structures: readonly HostileFile[] = filesOf('pdf', [
  ['!10,000 pages', () => makePdf(Array.from({ length: 10_000 }, () => ['x'])), 'too_many_parts'],
  [
    '!one page that is 10,000 pages',
    () =>
      makeRawPdf([CATALOG, tree('3 0 R '.repeat(10_000), 10_000), page(), stream(shown(CLAIM)), HELVETICA]),
    'too_many_parts',
  ],
  [
    '!a count of 999,999,999',
    () => makeRawPdf([CATALOG, tree('3 0 R', 999_999_999), page(), stream(shown(CLAIM)), HELVETICA]),
    'too_many_parts',
    'read',
    'damaged',
  ],
  [
    'a negative count',
    () => makeRawPdf([CATALOG, tree('3 0 R', -5), page(), stream(shown(CLAIM)), HELVETICA]),
    ...ANY_END,
  ],
  ['!a tree of pages that holds itself', () => makeRawPdf([CATALOG, tree('2 0 R', 3)]), 'damaged', 'no_text'],
  [
    'a tree of pages 3,000 deep',
    () =>
      makeRawPdf([
        '<< /Type /Catalog /Pages 6 0 R >>',
        tree('3 0 R', 1),
        page(),
        stream(shown(CLAIM)),
        HELVETICA,
        ...Array.from({ length: 3_000 }, (_, at) => tree(at === 2_999 ? '3 0 R' : `${at + 7} 0 R`, 1)),
      ]),
    ...ANY_END,
  ],
  ['a page that is a string', () => makeRawPdf([CATALOG, tree('3 0 R', 1), '(page)']), ...ANY_END],
  ['no catalog', () => makeRawPdf(['<< /Type /Nothing >>']), 'damaged'],
  ['a catalog that is itself', () => makeRawPdf(['1 0 R']), 'damaged'],
  [
    '!a table that points at itself',
    () => makeRawPdf([CATALOG, tree('3 0 R', 1), page(), stream(shown(CLAIM)), HELVETICA], '/Prev 15'),
    ...ANY_END,
  ],
  [
    'a table beyond the end',
    () => Buffer.from(pages.toString('latin1').replace(/startxref\n\d+/, 'startxref\n99999999'), 'latin1'),
    ...ANY_END,
  ],
  [
    'arrays 100,000 deep',
    () => makeRawPdf([CATALOG, `<< /Type /Pages /Kids ${nested(100_000, '[', ']')} /Count 1 >>`]),
    ...ANY_END,
  ],
  ['dictionaries 50,000 deep', () => makeRawPdf([CATALOG, nested(50_000, '<< /A ', ' >>')]), ...ANY_END],
  [
    'a script that opens',
    () =>
      makeRawPdf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (while\\(true\\){}) >> >>',
        tree('3 0 R', 1),
        page(),
        stream(shown(CLAIM)),
        HELVETICA,
      ]),
    'read',
  ],
  [
    '!a program that starts',
    () =>
      makeRawPdf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (/bin/sh) >> >>',
        tree('3 0 R', 1),
        page(),
        stream(shown(CLAIM)),
        HELVETICA,
      ]),
    'read',
  ],
  [
    'a file in the file',
    () =>
      makeRawPdf([
        CATALOG,
        tree('3 0 R', 1),
        page('/Font << /F1 5 0 R >>', '/Annots [6 0 R]'),
        stream(shown(CLAIM)),
        HELVETICA,
        '<< /Subtype /FileAttachment /FS << /F (../../etc/passwd) >> >>',
      ]),
    'read',
  ],
  [
    '!a password',
    () =>
      makeRawPdf(
        [CATALOG, tree('3 0 R', 1), page(), stream(shown(CLAIM)), HELVETICA],
        `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`,
      ),
    'encrypted',
  ],
  [
    'a lock that nobody knows',
    () =>
      makeRawPdf(
        [CATALOG, tree('3 0 R', 1), page(), stream(shown(CLAIM)), HELVETICA],
        '/Encrypt << /Filter /Unheard /V 99 >>',
      ),
    'damaged',
    'encrypted',
  ],
])

const spaces = () => deflateSync(Buffer.alloc(400 * MIB, ' '))
const form = (name: string) =>
  stream(
    `/${name} Do /${name} Do`,
    `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /${name} 5 0 R >> >>`,
  )
const nothing = () => deflated('() Tj '.repeat(400_000))
const streams: readonly HostileFile[] = filesOf('pdf', [
  [
    'a stream that unpacks to 400 MiB of space',
    () => onePage(stream(spaces(), '/Filter /FlateDecode')),
    'no_text',
    'time_exceeded',
    'memory_exceeded',
  ],
  ['filters 30 deep', () => onePage(filters(30)), 'read'],
  [
    'a bomb in a bomb',
    () => onePage(stream(deflateSync(spaces()), '/Filter [/FlateDecode /FlateDecode]')),
    'no_text',
    'time_exceeded',
    'memory_exceeded',
  ],
  [
    '!a form that draws itself twice',
    () =>
      makeRawPdf([CATALOG, tree('3 0 R', 1), page('/XObject << /X 5 0 R >>'), stream('/X Do'), form('X')]),
    'no_text',
    'time_exceeded',
    'memory_exceeded',
    'damaged',
  ],
  [
    '5,000 pages of 400,000 empty words',
    () => makeRawPdf([CATALOG, tree('3 0 R '.repeat(5_000), 5_000), page(), nothing(), HELVETICA]),
    'time_exceeded',
    'memory_exceeded',
    'no_text',
  ],
  [
    'a text of 3,000,000 letters',
    () => onePage(deflated(`BT /F1 1 Tf 1 1 Td ${'(aaaaaaaaaa) Tj T* '.repeat(300_000)} ET`)),
    'text_too_long',
    'read',
    'memory_exceeded',
    'time_exceeded',
  ],
  [
    'a stream that is cut',
    () =>
      onePage(stream(deflateSync(Buffer.alloc(MIB, shown(CLAIM))).subarray(0, 300), '/Filter /FlateDecode')),
    ...ANY_END,
  ],
  [
    'a length that lies',
    () =>
      onePage(
        Buffer.from(
          stream(shown(CLAIM))
            .toString()
            .replace(/Length \d+/, 'Length 99999999'),
        ),
      ),
    ...ANY_END,
  ],
  [
    'a length that is a loop',
    () =>
      onePage(
        Buffer.from(
          stream(shown(CLAIM))
            .toString()
            .replace(/Length \d+/, 'Length 4 0 R'),
        ),
      ),
    ...ANY_END,
  ],
  ['an unknown filter', () => onePage(stream(shown(CLAIM), '/Filter /Unheard')), ...ANY_END],
  [
    'a picture of 60,000 by 60,000',
    () =>
      makeRawPdf([
        CATALOG,
        tree('3 0 R', 1),
        page('/XObject << /X 5 0 R >>'),
        stream('/X Do'),
        stream(
          'x',
          '/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
        ),
      ]),
    'no_text',
  ],
  ['50,000 saved states', () => onePage('q '.repeat(50_000) + shown(CLAIM)), 'read', 'time_exceeded'],
  ['arrays in a content 50,000 deep', () => onePage(`${nested(50_000, '[', ']')} TJ`), ...ANY_END],
  ['numbers without an end', () => onePage(`BT /F1 ${'9'.repeat(100_000)} Tf (${CLAIM}) Tj ET`), ...ANY_END],
  ['a name of 1,000,000 letters', () => onePage(`/${'A'.repeat(1_000_000)} gs ${shown(CLAIM)}`), ...ANY_END],
  ['a string that never ends', () => onePage(`BT /F1 12 Tf (${'('.repeat(100_000)}`), ...ANY_END],
  ['an inline picture that never ends', () => onePage(`BI /W 9 /H 9 ID ${'x'.repeat(100_000)}`), ...ANY_END],
])

const embedded = (font: Buffer | string) =>
  onePage(
    stream(shown(CLAIM)),
    '<< /Type /Font /Subtype /TrueType /BaseFont /Odd /FirstChar 32 /LastChar 90 /Widths [] /FontDescriptor 6 0 R >>',
    '<< /Type /FontDescriptor /FontName /Odd /Flags 4 /FontFile2 7 0 R >>',
    stream(font),
  )
const mapped = (map: string) =>
  onePage(
    stream(shown(CLAIM)),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
    stream(map),
  )
const cmap = (body: string) => `/CIDInit /ProcSet findresource begin begincmap ${body} endcmap end`
const fonts: readonly HostileFile[] = filesOf('pdf', [
  ['!a font of nonsense', () => embedded('nonsense '.repeat(1_000)), ...ANY_END],
  ['an empty font', () => embedded(''), ...ANY_END],
  ['a font of zeroes', () => embedded(Buffer.alloc(100_000)), ...ANY_END],
  [
    'a font whose tables overlap',
    () => embedded(Buffer.concat([Buffer.from('00010000ffff0000', 'hex'), Buffer.alloc(60_000, 0xff)])),
    ...ANY_END,
  ],
  [
    '!letters that stand for 4,294,967,295 letters',
    () => mapped(cmap('1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange')),
    ...ANY_END,
    'memory_exceeded',
    'time_exceeded',
  ],
  [
    'a letter that stands for 100,000',
    () => mapped(cmap(`1 beginbfchar <41> <${'0041'.repeat(100_000)}> endbfchar`)),
    ...ANY_END,
  ],
  ['a map that uses itself', () => mapped(cmap('/Self usecmap 1 beginbfchar')), ...ANY_END],
  ['no font', () => onePage(stream(shown(CLAIM)), 'null'), ...ANY_END],
  ['a font that is itself', () => onePage(stream(shown(CLAIM)), '5 0 R'), ...ANY_END],
  [
    'a drawn font that draws itself',
    () =>
      onePage(
        stream(shown('A')),
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 65 /Widths [9] /Encoding << /Differences [65 /A] >> /CharProcs << /A 6 0 R >> /Resources << /Font << /F1 5 0 R >> >> >>',
        stream(shown('A')),
      ),
    ...ANY_END,
  ],
  [
    'widths without an end',
    () =>
      onePage(
        stream(shown(CLAIM)),
        `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar -99999 /LastChar 9999999 /Widths [${'1 '.repeat(100_000)}] >>`,
      ),
    ...ANY_END,
  ],
])

const cut = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 0.99]
const broken: readonly HostileFile[] = filesOf('pdf', [
  ['!not a PDF', () => 'not a PDF', 'wrong_type'],
  ['!only its first line', () => '%PDF-1.7\n', 'damaged'],
  [
    'zeroes behind the first line',
    () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(MIB)]),
    'damaged',
  ],
  [
    'a million ends',
    () => `%PDF-1.7\n${'%%EOF\n'.repeat(1_000_000)}`,
    'damaged',
    'time_exceeded',
    'memory_exceeded',
  ],
  [
    'a million objects without an end',
    () => `%PDF-1.7\n${'1 0 obj << '.repeat(1_000_000)}`,
    'damaged',
    'time_exceeded',
    'memory_exceeded',
  ],
  ['2,000 bytes before the first line', () => Buffer.concat([Buffer.alloc(2_000, 'x'), pages]), 'wrong_type'],
  ...cut.map(
    (share) =>
      [
        `cut at ${100 * share} %`,
        () => pages.subarray(0, Math.floor(share * pages.length)),
        ...ANY_END,
      ] as const,
  ),
])
