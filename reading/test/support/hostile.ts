/** Texts of a given length that try to make the reader slow, beside ordinary ones to measure it by. */

function filled(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}

function nested(marker: string, length: number): string {
  let text = ''
  for (let depth = 0; text.length < length; depth += 1) text += `${' '.repeat(2 * depth)}${marker} x\n`
  return text.slice(0, length)
}

const sentence =
  'Revenue for the year was EUR 41.8m, which is 15 per cent more than in the year before, as Dr. Ames of Acme Inc. said. '
const paragraph = `${sentence.repeat(4).trim()}\n\n`
const wrapped = `${sentence
  .repeat(4)
  .replaceAll(/(.{60,75}) /g, '$1\n')
  .trim()}\n\n`
const report = `## 3. Results\n\n${paragraph}- Staff: 268\n- Offices: three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nDate:      3 May\n\n${wrapped}`

export const ordinary: Readonly<Record<string, (length: number) => string>> = {
  'prose, one line to a paragraph': (length) => filled(paragraph, length),
  'prose, wrapped by hand': (length) => filled(wrapped, length),
  'a report with lists, tables and forms': (length) => filled(report, length),
  'prose on one giant line': (length) => filled(sentence, length),
}

const pieces: Readonly<Record<string, string>> = {
  bars: '|',
  dashes: '-',
  hashes: '#',
  spaces: ' ',
  'line breaks': '\n',
  'pairs of CR and LF': '\r\n',
  'letters with stops': 'a.',
  initials: 'A. B. ',
  brackets: '(',
  stars: '*a_`',
  colons: 'a: ',
  bullets: '- x\n',
  'bullets on one line': '- ',
  'quote marks': '> > >',
  'quoted lines': '> > > a\n> b\n',
  comparisons: '> 5\n',
  'many scripts': 'Привет. 你好。שלום! مرحبا؟ Hi. ',
  'stacked marks': `z${'\u0301'.repeat(30)}`,
  'joined emoji': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'letters without end': 'abc',
  'rows with bars': '|a|b|\n',
  'short bars': '|\n',
  'rows with tabs': 'a\tb\tc\n',
  'uneven tabs': 'a\tb\tc\na\tb\n',
  'aligned rows': 'a  b  c\n',
  'uneven rows': 'aaa  b  c\na   b c   d\n',
  'rows and rulers': 'aaa  b\n----\n',
  'comma rows': 'a,b,c\n',
  'uneven comma rows': 'a,b,c\na,b,c,d\n',
  'mail keys': 'to: a\n',
  'mail keys and more': 'to: a\n  b\n  b\n',
  'keys and values': 'Key:   value\n',
  'short keys': 'Key: value\n',
  fences: '```\n',
  'fences that nobody closes': '```a\n',
  capitals: 'ABC\n\n',
  labels: 'Abc:\n  x\n',
  'numbered lines': '1. Abc\n',
  clauses: '1.1 Abc\n',
  'run-in labels': '**a.** b\n',
  underlines: 'Abc\n---\n',
  addresses: 'Abc\nDef\n',
}

export const hostile: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    Object.entries(pieces).map(([name, piece]) => [name, (length: number) => filled(piece, length)]),
  ),
  'nested bullets': (length) => nested('-', length),
  'nested keys': (length) => nested('a:', length),
}
