/** The judge of offsets notices each kind of fault, and the texts are what the API takes. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shapes } from '../proofs/offsets/hostile.ts'
import { isAtItsPlace, judgeClaim } from '../proofs/offsets/judge.ts'
import { MAX_CHARACTERS, texts } from '../proofs/offsets/texts.ts'
import { growthOf } from '../proofs/offsets/timing.ts'

const text = '😀 The rent is EUR 5. Next.'
const good = {
  span: [3, 22],
  valueSpan: [15, 20],
  quote: 'The rent is EUR 5.',
  valueText: 'EUR 5',
} as const

describe('the judge of a claim', () => {
  test('finds nothing wrong with one that stands where it says', () => {
    const span = [3, 21] as const
    expect(judgeClaim(text, { ...good, span })).toEqual([])
  })

  test.each([
    ['a quote that is one off', { span: [2, 20] }, 'quotes that are not the text at their offsets'],
    [
      'a quote with other words',
      { quote: 'The rent is EUR 6.' },
      'quotes that are not the text at their offsets',
    ],
    ['a quote beyond the end', { span: [3, 99] }, 'quotes that are not the text at their offsets'],
    ['an empty quote', { span: [3, 3], quote: '' }, 'quotes that are not the text at their offsets'],
    ['another value', { valueText: 'EUR 6' }, 'values that are not the text at their offsets'],
    ['a value of another sentence', { valueSpan: [22, 26], valueText: 'Next' }, 'values outside their quote'],
    ['half an emoji', { span: [1, 21], quote: text.slice(1, 21) }, 'offsets that cut a character in two'],
  ] as const)('notices %s', (_, change, fault) => {
    expect(judgeClaim(text, { ...good, span: [3, 21], ...change })).toContain(fault)
  })

  test('counts characters where the API does', () => {
    expect(isAtItsPlace(Array.from(text), { quote: good.quote, start: 2, end: 20 })).toBe(true)
    expect(isAtItsPlace(Array.from(text), { quote: good.quote, start: 3, end: 21 })).toBe(false)
  })
})

describe('the texts', () => {
  test('are such as the API takes', () => {
    for (const each of fc.sample(texts, { seed: 1, numRuns: 300 })) {
      expect(each.isWellFormed() && !each.includes('\0') && each.trim() !== '').toBe(true)
      expect(Array.from(each).length).toBeLessThanOrEqual(MAX_CHARACTERS)
    }
  })

  test('are as long as the API takes now and then', () => {
    const lengths = fc.sample(texts, { seed: 1, numRuns: 300 }).map(({ length }) => length)
    expect(Math.max(...lengths)).toBe(MAX_CHARACTERS)
  })
})

describe('the growth of time', () => {
  const [shape] = shapes

  test('is none where each character is looked at once', () => {
    const count = (long: string) => {
      let sum = 0
      for (let at = 0; at < long.length; at += 1) sum += long.charCodeAt(at) % 7
      return sum
    }
    expect(shape && growthOf(shape, { read: count, lengths: [2_000_000], bound: 1.5 }).factor).toBeLessThan(5)
  })

  test('shows where every line looks through all of them again', () => {
    const rescan = (long: string) =>
      long.split('\n').reduce((sum, _, line) => sum + long.indexOf(`no such ${line}`), 0)
    expect(shape && growthOf(shape, { read: rescan, lengths: [100_000], bound: 1.5 }).factor).toBeGreaterThan(
      4,
    )
  })
})
