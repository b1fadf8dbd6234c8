import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalForm } from '../../../src/domain/certificate/canonical.ts'
import type { CanonicalJson } from '../../../src/domain/certificate/canonical.ts'

/** The same value with its names the other way round. */
function reversed(value: CanonicalJson): CanonicalJson {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: CanonicalJson) => reversed(each))
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]): [string, CanonicalJson] => [name, reversed(each)])
      .toReversed(),
  )
}

const anyJson = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as CanonicalJson)

describe('the canonical form', () => {
  it('is JSON of the same value, and does not depend on the order of names', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const form = canonicalForm(value)
        expect(JSON.parse(form)).toEqual(value)
        expect(canonicalForm(reversed(value))).toBe(form)
      }),
    )
  })

  it('writes what RFC 8785 gives as its example', () => {
    const example = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
      string: '€$\u000F\u000aA\'B"\\\\"/',
      literals: [null, true, false],
    }
    expect(canonicalForm(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
    // By UTF-16 units: the pair of a character beyond U+FFFF comes before U+FB33.
    expect(canonicalForm({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 })).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    )
  })

  it('refuses what JSON cannot say', () => {
    for (const value of [Infinity, NaN, '\ud800', { '\ud800': 1 }])
      expect(() => canonicalForm(value)).toThrow(TypeError)
  })
})
