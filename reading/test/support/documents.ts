/** Texts for the properties: arbitrary Unicode, documents put together at random, and damaged copies of real ones. */
import * as fc from 'fast-check'

/** Characters that mean something to the reader, beside some that break careless code. */
const signs = [
  ...' \t\n\n\n\r-=_*#>|:;,.!?()[]"`~+/\\%&aAbBzZ019€£'.split(''),
  '\r\n', '\u2028', '\u2029', '\f', '\v', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u200d', '\u0301', '\u0085', '\u00ad',
  '👨‍👩‍👧', '😀', '\ud83d', '\ude00', '你', '好', '。', 'ש', 'م', '؟', '•', '—', '“', '：', '\u0000',
] // prettier-ignore

export const noise = fc.string({ unit: fc.constantFrom(...signs), maxLength: 400 })

export const unicode = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    maxLength: 300,
  }),
)

const words = fc
  .array(
    fc.constantFrom(
      ...'Revenue was EUR 41.8m in FY2023. The Group No. 14 Dr. Smith said: “why?” (see 3.1) it’s 99.9 % S.A. e.g. Ltd. 你好。 שלום naïve'.split(
        ' ',
      ),
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((list) => list.join(' '))

const lineBreak = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '\u2028', '\f')
const indent = fc.nat({ max: 9 }).map((width) => ' '.repeat(width))

const block = fc.oneof(
  words,
  fc.tuple(words, words, words).map((lines) => lines.join('\n')),
  fc.tuple(fc.constantFrom('#', '##', '###### '), words).map((parts) => parts.join(' ')),
  fc.tuple(words, fc.constantFrom('====', '----')).map((parts) => parts.join('\n')),
  fc.tuple(fc.constantFrom('1.', '3.2', 'A.', '(a)', '-', '*', '•', '[x]', 'Item 3:', 'ARTICLE IV'), words).map((parts) => parts.join(' ')),
  fc.tuple(fc.constantFrom('Key', 'From', 'To', 'Date', '**Bold**', 'Very long key of a form'), fc.constantFrom(': ', ':   ', ':\t', ':', '?   '), words).map((parts) => parts.join('')),
  fc.array(fc.tuple(words, words).map(([a, b]) => `| ${a} | ${b} |`), { minLength: 1, maxLength: 4 }).map((rows) => [rows[0], '|---|---|', ...rows].join('\n')),
  fc.array(fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `Row ${a % 7}`.padEnd(20) + String(b).padStart(12)), { minLength: 1, maxLength: 5 }).map((rows) => rows.join('\n')),
  fc.array(fc.tuple(words, words).map((cells) => cells.join('\t')), { minLength: 1, maxLength: 4 }).map((rows) => rows.join('\n')),
  fc.tuple(fc.constantFrom('```', '~~~', '```ts'), words, fc.constantFrom('```', '~~~', '')).map((parts) => parts.join('\n')),
  fc.tuple(fc.constantFrom('> ', '>> ', '> > '), words).map((parts) => parts.join('')),
  fc.constantFrom('---', '=====', '-- ', '-----Original message-----', 'From: A\nTo: B\nDate: C', 'DEFINITIONS', 'Notes:'),
) // prettier-ignore

/** Blocks of every kind, indented and parted at random. */
export const documents = fc
  .array(fc.tuple(indent, block, lineBreak, fc.constantFrom('', '\n', '\n\n')), { maxLength: 14 })
  .map((parts) => parts.map(([space, words_, end, gap]) => indented(space, words_) + end + gap).join(''))

function indented(space: string, text: string): string {
  return text
    .split('\n')
    .map((line) => space + line)
    .join('\n')
}

/** A text with some pieces cut out, doubled, or replaced by signs. */
export function damaged(texts: readonly string[]): fc.Arbitrary<string> {
  const cut = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat({ max: 60 }),
    fc.constantFrom('', '\n', '|', '>', ...signs),
  )
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(cut, { minLength: 1, maxLength: 12 }))
    .map(([text, cuts]) => {
      let result = text.slice(0, 4000)
      for (const [place, length, sign] of cuts) {
        const at = Math.floor(place * result.length)
        result = result.slice(0, at) + sign + result.slice(at + length)
      }
      return result
    })
}
