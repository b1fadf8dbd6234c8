/** Hostile pages, tables, mails and texts: encodings that are none, nesting and tables without an end. */
import { ANY_END, CLAIM, filesOf } from './hostile-file.ts'
import type { HostileFile } from './hostile-file.ts'

const LATIN = Buffer.from([0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68])
const TOO_LONG = 'a '.repeat(1_000_001)
const PDF_IN_DISGUISE = '%PDF-1.7\n'

export function textFiles(): HostileFile[] {
  return [...htmlFiles, ...csvFiles, ...emlFiles, ...plainFiles]
}

const deepPage = (tag: string, depth: number) => `<${tag}>`.repeat(depth) + CLAIM + `</${tag}>`.repeat(depth)
const htmlFiles: readonly HostileFile[] = filesOf('html', [
  ['!tags 10,000 deep', () => deepPage('div', 10_000), 'read'],
  ['tags 500,000 deep', () => deepPage('div', 500_000), 'read', 'time_exceeded'],
  [
    'tables 100,000 deep',
    () => deepPage('table><tr><td', 100_000).replaceAll('</table><tr><td>', '</td></tr></table>'),
    'read',
    'time_exceeded',
  ],
  ['lists 200,000 deep', () => deepPage('ul><li', 200_000), ...ANY_END, 'time_exceeded', 'memory_exceeded'],
  [
    '!a table without an end',
    () => `<table><tr>${'<td>x'.repeat(3_000)}</tr>${'<tr><td>x'.repeat(2_000)}`,
    'too_many_parts',
    'text_too_long',
  ],
  [
    '20,000,000 brackets',
    () => '<'.repeat(20_000_000),
    'text_too_long',
    'no_text',
    'read',
    'time_exceeded',
    'memory_exceeded',
  ],
  [
    'a tag that never ends',
    () => `${CLAIM}<a ${'b="c" '.repeat(1_000_000)}`,
    'read',
    'no_text',
    'time_exceeded',
    'memory_exceeded',
  ],
  ['a comment that never ends', () => `${CLAIM}<!-- ${'-'.repeat(5_000_000)}`, 'read'],
  ['a script that never ends', () => `<script>${'while(1){}'.repeat(100_000)}`, 'no_text'],
  [
    'entities that are none',
    () => `${'&nothing;&#x110000;&#0;'.repeat(50_000)}${CLAIM}`,
    'read',
    'text_too_long',
  ],
  ['an encoding that nobody knows', () => `<meta charset="klingon">${CLAIM}`, 'read'],
  [
    'an encoding that is another',
    () => Buffer.concat([Buffer.from('<meta charset="utf-16le">'), LATIN]),
    ...ANY_END,
  ],
  ['!zeroes', () => Buffer.from([0x3c, 0, 0x3e]), 'wrong_type'],
  ['a PDF', () => PDF_IN_DISGUISE, 'wrong_type'],
  ['only tags', () => '<p></p>'.repeat(100_000), 'no_text'],
  ['a text that is too long', () => `<p>${TOO_LONG}`, 'text_too_long'],
  ['an attribute of 20,000,000 letters', () => `<p title="${'x'.repeat(20_000_000)}">${CLAIM}</p>`, 'read'],
])

const csvFiles: readonly HostileFile[] = filesOf('csv', [
  ['!a quote that never closes', () => `a,b\n"${'x,'.repeat(400_000)}`, 'read'],
  ['1,100,000 cells', () => '1,'.repeat(1_100_000), 'too_many_parts', 'text_too_long'],
  [
    '!a row far wider than the others',
    () => `${'x,'.repeat(3_000)}x\n${'a,b\n'.repeat(2_000)}`,
    'too_many_parts',
    'text_too_long',
  ],
  ['only separators', () => ';'.repeat(2_000_000), 'no_text'],
  ['only quotes', () => '"'.repeat(2_000_000), ...ANY_END, 'time_exceeded', 'memory_exceeded'],
  ['!no UTF-8', () => LATIN, 'not_utf8'],
  ['half a letter', () => Buffer.from('a,b\n1,€').subarray(0, -1), 'not_utf8'],
  ['formulas', () => "=cmd|'/c calc'!A0,@SUM(1)\n+1,-1\n", 'read'],
  ['zeroes', () => Buffer.alloc(100), 'wrong_type'],
  ['ends of lines alone', () => '\r'.repeat(1_000_000), 'no_text'],
  ['a cell of 2,100,000 letters', () => `a,b\n${'x'.repeat(2_100_000)},1`, 'text_too_long'],
])

const nested = (depth: number) =>
  `From: a\n${Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}x\n\n--b${at}x\n`).join('')}\n${CLAIM}`
const parts = (count: number, part: string) =>
  `From: a\nContent-Type: multipart/mixed; boundary=b\n\n${`--b\n${part}\n`.repeat(count)}--b--`
const body = (headers: string, text: string) => `From: a@example.com\n${headers}\n\n${text}`
const emlFiles: readonly HostileFile[] = filesOf('eml', [
  ['!parts 30 deep', () => nested(30), 'too_many_parts'],
  ['parts 20,000 deep', () => nested(20_000), 'too_many_parts'],
  ['!600 parts', () => parts(600, `Content-Type: text/plain\n\n${CLAIM}`), 'too_many_parts'],
  ['1,000,000 boundaries', () => parts(1_000_000, ''), 'too_many_parts'],
  [
    'a boundary that is empty',
    () => body('Content-Type: multipart/mixed; boundary=""', `--\n\n${CLAIM}\n--`),
    ...ANY_END,
  ],
  ['no boundary', () => body('Content-Type: multipart/mixed', CLAIM), ...ANY_END],
  ['a boundary that never comes', () => body('Content-Type: multipart/mixed; boundary=b', CLAIM), ...ANY_END],
  [
    'base64 that is none',
    () => body('Content-Transfer-Encoding: base64', '€€ ===='.repeat(10_000)),
    ...ANY_END,
  ],
  [
    'quotes that are none',
    () => body('Content-Transfer-Encoding: quoted-printable', `=ZZ=${CLAIM}=`),
    'read',
  ],
  [
    'an encoding that nobody knows',
    () => body('Content-Type: text/plain; charset=klingon', CLAIM),
    ...ANY_END,
  ],
  [
    'a subject that is encoded without an end',
    () => body(`Subject: =?utf-8?Q?${'=?utf-8?B?'.repeat(50_000)}`, CLAIM),
    'read',
    'time_exceeded',
  ],
  ['100,000 headers', () => body('X-A: b\n'.repeat(100_000).trim(), CLAIM), 'read'],
  ['a header of 5,000,000 letters', () => body(`Subject: ${'x'.repeat(5_000_000)}`, CLAIM), 'text_too_long'],
  ['a header that is folded 200,000 times', () => body(`X-A: ${'a\n '.repeat(200_000)}b`, CLAIM), 'read'],
  [
    'pages in it 50,000 deep',
    () => body('Content-Type: text/html', `${'<div>'.repeat(50_000)}${CLAIM}`),
    'read',
  ],
  ['!no mail', () => 'hello', 'wrong_type'],
  [
    'only a program',
    () =>
      parts(
        1,
        'Content-Type: application/x-msdownload\nContent-Disposition: attachment; filename="../../x.exe"\n\nMZ',
      ),
    'read',
  ],
])

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(CLAIM, 'utf16le')])
const plainFiles: readonly HostileFile[] = [
  ...filesOf('txt', [
    ['!a text that is too long', () => TOO_LONG, 'text_too_long'],
    ['25 MiB', () => 'x'.repeat(26_214_400), 'text_too_long'],
    ['!nothing but space', () => ' \n\t'.repeat(1_000), 'no_text'],
    ['!a PDF', () => PDF_IN_DISGUISE, 'wrong_type'],
    ['zeroes', () => Buffer.alloc(1_000), 'wrong_type'],
    ['a mark and nothing else', () => Buffer.from([0xef, 0xbb, 0xbf]), 'no_text'],
    ['half a letter of UTF-16', () => utf16.subarray(0, -1), 'not_utf8'],
    ['half a pair of UTF-16', () => Buffer.concat([utf16, Buffer.from([0x3d, 0xd8])]), 'not_utf8'],
    ['letters longer than they need be', () => Buffer.from([0xc0, 0x80, 0xe0, 0x80, 0x80]), 'not_utf8'],
    ['one line of 1,900,000 letters', () => 'x'.repeat(1_900_000), 'read'],
    ['1,900,000 lines', () => 'x\n'.repeat(950_000), 'read'],
    ['signs that steer', () => `\u001b]0;x\u0007\u202e${CLAIM}`, 'read'],
    ['marks above marks', () => `e${'\u0301'.repeat(500_000)}`, 'read'],
  ]),
  ...filesOf('md', [
    ['!no UTF-8', () => LATIN, 'not_utf8'],
    ['100,000 headings', () => '# a\n\n'.repeat(100_000), 'read'],
    ['quotes 100,000 deep', () => `${'> '.repeat(100_000)}${CLAIM}`, 'read'],
    ['brackets 500,000 deep', () => `${'['.repeat(500_000)}${CLAIM}${']('.repeat(100_000)}`, 'read'],
    ['a table of 300,000 bars', () => `${'|'.repeat(300_000)}\n${'|-'.repeat(150_000)}|\n${CLAIM}`, 'read'],
    ['code that never ends', () => `\`\`\`${'`'.repeat(500_000)}${CLAIM}`, 'read'],
  ]),
]
