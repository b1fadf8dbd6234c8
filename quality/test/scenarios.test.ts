import { describe, expect, it } from 'vitest'
import { holds } from '../src/sets/scenarios.ts'

describe('a side of a labelled scenario', () => {
  it.each([
    ['The index stands at 94.0%.', 'Index baseline ~94% (pre-storm quarter)'],
    ['It declined from 94% to 91%.', 'Q1 2026 weighted compliance index 91% (down from 94%)'],
    ['Composite Score:     54 / 100', 'Overall risk rating MEDIUM (score 54/100)'],
    ['Hepatotoxicity rate of 5.6%', 'Critical data correction at Site 07'],
  ])('is held by %s', (quote, value) => {
    expect(holds(quote, value, 'hepatotoxicity')).toBe(true)
  })

  it.each([
    ['In 2026 the index was at 88%.', 'Q1 2026 weighted compliance index 91%'],
    ['The rate was 194.0%.', 'Index baseline 94%'],
    ['Site 07 was visited.', 'Critical data correction at Site 07'],
  ])('is not held by %s', (quote, value) => {
    expect(holds(quote, value, 'hepatotoxicity')).toBe(false)
  })
})
