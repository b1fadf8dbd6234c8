/**
 * Texts to read: any Unicode at all, prose, tables and forms that do claim things, and the one strewn into the other. Up to
 * the 100,000 characters that the API takes.
 */
import * as fc from 'fast-check'

export const MAX_CHARACTERS = 100_000

/** Each has gone wrong in some program that counts characters. */
const oddities = [
  '😀',
  '👩‍👩‍👧‍👦',
  '🇳🇴',
  '👍🏽',
  '𝟙𝟚',
  '𐍈',
  'é',
  'e\u0301',
  'a\u0308\u0323\u0327',
  '\u0301',
  'ﬁ',
  'İ',
  'ß',
  'ǆ',
  'שלום',
  'مرحبا',
  '١٢٣',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\u00ad',
  '\ufeff',
  '\u00a0',
  '\u202f',
  '\u2009',
  '\u3000',
  '１２３',
  '：',
  '\r\n',
  '\r',
  '\n',
  '\t',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u0007',
  '\u001b',
  '\ufffd',
  '\uffff',
  '−',
  '–',
  '“',
  '’',
  '½',
  '№',
  '²',
  '€',
  '₿',
  '|',
  '> ',
  '# ',
  '- ',
  '(',
  ')',
] as const

const oddity = fc.constantFrom(...oddities)

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(oddity, { maxLength: 30 }).map((each) => each.join('')),
)

const subject = fc.constantFrom(
  'The company',
  'Halden Marine AS',
  'The Lisbon site',
  'Ward 4',
  'The supplier',
  'Phase 2',
  'Größe & Söhne GmbH',
  'الشركة',
  'The 🚀 team',
)
const measure = fc.constantFrom(
  'revenue',
  'net debt',
  'the headcount',
  'the notice period',
  'the error rate',
  'the monthly rent',
  'the daily dose',
  'capacity',
)
const month = fc.constantFrom('January', 'March', 'June', 'September', 'December')
const year = fc.integer({ min: 2015, max: 2029 }).map(String)
const day = fc.integer({ min: 1, max: 28 })
const date = fc.tuple(day, month, year).map((parts) => parts.join(' '))

const value = fc.oneof(
  fc.integer({ min: 1, max: 990 }).map((number) => `EUR ${number}.${number % 10} million`),
  fc.integer({ min: 1, max: 99_999 }).map((number) => `$${number.toLocaleString('en')}`),
  fc.integer({ min: 0, max: 1000 }).map((number) => `${number / 10} %`),
  fc.integer({ min: 1, max: 400 }).map((number) => `${number} employees`),
  fc.integer({ min: 1, max: 90 }).map((number) => `${number} days`),
  fc.integer({ min: 1, max: 900 }).map((number) => `${number} mg`),
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 90 })).map((ends) => ends.join('–')),
  date,
)

const sentence = fc.oneof(
  fc.tuple(subject, measure, value, year).map(([who, what, much, when]) => {
    return `${who} reports that ${what} was ${much} in ${when}.`
  }),
  fc.tuple(measure, subject, value).map(([what, who, much]) => `In total ${what} of ${who} is ${much}.`),
  fc.tuple(subject, date).map(([who, when]) => `${who} signed the agreement on ${when}.`),
  fc.tuple(subject, value, value).map(([who, now, then]) => `${who} pays ${now}, not ${then}.`),
  fc.tuple(subject, measure).map(([who, what]) => `There is no record of ${what} at ${who}.`),
  fc.tuple(subject, value).map(([who, much]) => `“${who} has at least ${much},” she said (see note 3).`),
)

const paragraph = fc.array(sentence, { minLength: 1, maxLength: 5 }).map((each) => each.join(' '))

const form = fc
  .array(fc.tuple(measure, value), { minLength: 1, maxLength: 5 })
  .map((rows) => rows.map(([key, much]) => `${capital(key)}:    ${much}`).join('\n'))

const table = fc
  .tuple(fc.array(fc.tuple(measure, value, value), { minLength: 1, maxLength: 5 }), year, fc.nat(2))
  .map(([rows, when, style]) => {
    const lines = [['Item', when, String(Number(when) + 1)], ...rows.map(([...cells]) => cells)]
    if (style === 0)
      return lines
        .map((cells, row) => `| ${cells.join(' | ')} |${row === 0 ? '\n|---|---|---|' : ''}`)
        .join('\n')
    if (style === 1) return lines.map((cells) => cells.join('\t')).join('\n')
    return lines.map((cells) => cells.map((cell) => cell.padEnd(28)).join('')).join('\n')
  })

const heading = fc
  .tuple(fc.constantFrom('# ', '## ', '', '1. ', '2.1 '), subject)
  .map((each) => each.join(''))

const telling = fc.oneof({ weight: 4, arbitrary: paragraph }, form, table, heading)

/** Strews oddities into something, between any two of its UTF-16 units that are whole characters. */
const strewn = fc
  .tuple(telling, fc.array(fc.tuple(fc.nat(), oddity), { minLength: 1, maxLength: 8 }))
  .map(([text, strays]) => {
    const characters = Array.from(text)
    for (const [place, stray] of strays) characters.splice(place % (characters.length + 1), 0, stray)
    return characters.join('')
  })

const piece = fc.oneof(
  { weight: 4, arbitrary: telling },
  { weight: 4, arbitrary: strewn },
  { weight: 2, arbitrary: anyText },
)

const joint = fc.constantFrom('\n\n', '\n\n', '\n', '\r\n', '\r\n\r\n', ' ', '', '\u2028', '\n> ', '\n- ')

const pieces = fc
  .array(fc.tuple(piece, joint), { minLength: 1, maxLength: 24 })
  .map((each) => each.map((both) => both.join('')).join(''))

/** Now and then as long as the API takes, by repetition: a long text is made of more of the same. */
export const texts: fc.Arbitrary<string> = fc
  .tuple(pieces, fc.integer({ min: 0, max: 59 }))
  .map(([text, turn]) => fitting(turn === 0 ? stretched(text) : text))

function stretched(text: string): string {
  return text.repeat(Math.ceil(MAX_CHARACTERS / Math.max(1, text.length)))
}

/** Makes a text fit for the API: no NUL, no half of a character, not too long, not empty. */
function fitting(text: string): string {
  const whole = text.replaceAll('\0', '').toWellFormed()
  const cut = whole.length <= MAX_CHARACTERS ? whole : whole.slice(0, MAX_CHARACTERS).toWellFormed()
  return cut.trim() === '' ? `${cut}x` : cut
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
