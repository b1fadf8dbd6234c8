import { describe, expect, it } from 'vitest'
import { shorten, sideBySide, wrap } from '../terminal/columns.ts'

describe('wrapping', () => {
  it.each([
    ['breaks between words', 'one two three', 7, ['one two', 'three']],
    ['breaks a word that is wider than its column', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
    ['counts characters, not units', '💠💠💠 a', 3, ['💠💠💠', 'a']],
    ['has one line where there is nothing', '', 5, ['']],
    ['fills a line to its end', 'ab cd', 5, ['ab cd']],
  ])('%s', (_, text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines)
  })
})

describe('side by side', () => {
  it('keeps each pair of lines beside each other', () => {
    expect(sideBySide(['short', 'the last line'], ['a longer line than that', 'last'], 27)).toEqual([
      'short        | a longer',
      '             | line than',
      '             | that',
      'the last     | last',
      'line         |',
    ])
  })

  it('shows what only one of them has', () => {
    expect(sideBySide(['a'], ['b', 'c'], 23)).toEqual(['a          | b', '           | c'])
  })

  it.each([40, 80, 120])('is never wider than %s', (width) => {
    const words = 'some words and a veryveryveryveryveryveryverylongone '.repeat(9)
    for (const line of sideBySide([words], [words, words], width))
      expect(Array.from(line).length).toBeLessThanOrEqual(width)
  })
})

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['💠💠💠💠', 3, '💠💠…'],
])('shortens %s to %s characters', (text, width, short) => {
  expect(shorten(text, width)).toBe(short)
})
