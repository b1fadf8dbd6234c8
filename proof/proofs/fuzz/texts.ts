/** Strings that a schema allows, in all the lengths and scripts that it allows, with a leaning towards the bounds. */
import * as fc from 'fast-check'
import type { Schema } from '../../harness/openapi/schema.ts'

/** Where a schema sets no upper bound. Long enough for several packets, short enough for the limit of a body. */
const UNBOUNDED = 3_000
/** Two UTF-16 units, four bytes, one character: counting anything but code points goes wrong here. */
const EMOJI = '😀'

export function textsOf({ minLength = 0, maxLength, pattern, format }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return instants
  const max = maxLength ?? UNBOUNDED
  if (pattern !== undefined) return matching(new RegExp(pattern, 'u'), minLength, max)
  const characters = fc.string({ unit: 'binary', minLength, maxLength: Math.min(max, minLength + 40) })
  return fc.oneof(
    { weight: 6, arbitrary: characters.map(withoutNul) },
    {
      weight: 2,
      arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: max }).filter(fits(minLength, max)),
    },
    { weight: 1, arbitrary: fc.constant(EMOJI.repeat(max)) },
    { weight: 1, arbitrary: fc.constant(EMOJI.repeat(minLength)) },
  )
}

/** Texts that a header can carry: of texts without a pattern those of printable ASCII that no parser trims. */
export function headerTextsOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.pattern !== undefined) return textsOf(schema)
  const { minLength = 1, maxLength = 60 } = schema
  return fc
    .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: Math.max(1, minLength), maxLength })
    .map((codes) => String.fromCodePoint(...codes))
}

/** Always in the future: an expiry in the past is refused, and no schema can say so. */
const instants = fc
  .date({ min: new Date('2100-01-01T00:00:00Z'), max: new Date('2199-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

function matching(pattern: RegExp, min: number, max: number): fc.Arbitrary<string> {
  const some = fc.stringMatching(pattern, { maxLength: max, size: 'medium' }).filter(fits(min, max))
  const stretched = some.map((value) => stretch(value, pattern, max))
  return fc.oneof({ weight: 4, arbitrary: fc.noBias(some) }, { weight: 1, arbitrary: stretched })
}

/** As long as allowed, by repeating the last character, where the pattern bears that. */
function stretch(value: string, pattern: RegExp, max: number): string {
  const longest = value + (value.at(-1) ?? '').repeat(Math.max(0, max - value.length))
  return pattern.test(longest) ? longest : value
}

function fits(min: number, max: number): (value: string) => boolean {
  return (value) => {
    const { length } = Array.from(value)
    return length >= min && length <= max && !value.includes('\0') && value.isWellFormed()
  }
}

/** The one character that is no text here; hostile requests send it on purpose. */
function withoutNul(value: string): string {
  return value.replaceAll('\0', 'N')
}
