/** Strings as the contract counts them. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCodePoints, findTextFault, text } from '../src/text.ts'
import { DocumentId } from '../src/schemas/identity.ts'

/** Any well-formed string without U+0000, rich in characters outside the basic plane. */
const anyText = fc
  .array(
    fc.oneof(fc.constantFrom('😀', '𝒳', 'é', 'a', '\uffff', '\u{10ffff}'), fc.string({ unit: 'binary' })),
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))

describe('a character is a code point', () => {
  test('the count is that of Array.from, which walks code points', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(countCodePoints(value)).toBe(Array.from(value).length)
      }),
    )
  })

  test('a string is refused for its length exactly when its code points are outside the bounds', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.nat(20), (value, min, extra) => {
        const max = min + extra
        const length = Array.from(value).length
        const expected = length > max ? 'too_long' : length < min ? 'too_short' : undefined
        expect(findTextFault(value, { min, max })).toBe(expected)
      }),
    )
  })

  test('every bound lies exactly between the longest that passes and the shortest that fails', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'é', '😀'), fc.integer({ min: 1, max: 300 }), (unit, bound) => {
        expect(findTextFault(unit.repeat(bound), { min: bound, max: bound })).toBeUndefined()
        expect(findTextFault(unit.repeat(bound + 1), { max: bound })).toBe('too_long')
        expect(findTextFault(unit.repeat(bound - 1), { min: bound })).toBe('too_short')
      }),
    )
  })
})

describe('what cannot be stored unchanged is refused', () => {
  test('U+0000 is refused wherever it stands', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        expect(findTextFault(`${before}\0${after}`, {})).toBe('invalid_character')
      }),
    )
  })

  test.each([
    ['a high surrogate at the end', 'a\ud83d'],
    ['a low surrogate alone', '\ude00'],
    ['a pair in the wrong order', '\ude00\ud83d'],
    ['a high surrogate before a letter', '\ud83da'],
  ])('%s is refused', (_, value) => {
    expect(findTextFault(value, {})).toBe('invalid_character')
  })

  test('whatever is not well-formed UTF-16 is refused, and nothing else is', () => {
    const anyUnits = fc
      .array(fc.integer({ min: 1, max: 0xffff }))
      .map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(anyUnits, (value) => {
        expect(findTextFault(value, {})).toBe(value.isWellFormed() ? undefined : 'invalid_character')
      }),
    )
  })
})

describe('the schema', () => {
  const schema = text({ min: 2, max: 3, pattern: /^[a-z]+$/ })

  test.each([
    ['a', 'too_short', 'Send at least 2 characters.'],
    ['abcd', 'too_long', 'Send at most 3 characters (Unicode code points).'],
    ['AB', 'pattern_mismatch', 'Send a value that matches ^[a-z]+$.'],
    ['a\0', 'invalid_character', 'Remove U+0000 and unpaired surrogates; they cannot be stored unchanged.'],
  ])('says of %j which rule it breaks and what to do', (value, code, message) => {
    const issue = schema.safeParse(value).error?.issues[0]
    expect(issue).toMatchObject({ params: { code }, message })
  })

  test.each([12, true, null, ['ab'], { length: 2 }])('does not turn %j into a string', (value) => {
    expect(schema.safeParse(value).success).toBe(false)
  })
})

describe('the id of a document', () => {
  test.each(['.', '..'])('is not %s, which every path loses', (id) => {
    expect(DocumentId.safeParse(id).success).toBe(false)
  })

  test.each(['...', './a', 'a..'])('may be %s', (id) => {
    expect(DocumentId.safeParse(id).success).toBe(true)
  })
})
