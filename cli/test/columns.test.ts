import { describe, expect, it } from 'vitest'
import { fitColumns, shorten, shortenPath, sideBySide, wrap } from '../terminal/columns.ts'

describe('wrapping', () => {
  it.each([
    ['breaks between words', 'one two three', 7, ['one two', 'three']],
    ['breaks a word that is wider than its column', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
    [
      'breaks a path after one of its signs',
      'case/annual-report-2025.pdf',
      12,
      ['case/annual-', 'report-2025.', 'pdf'],
    ],
    ['does not leave a line nearly empty', 'a/bcdefghijkl', 8, ['a/bcdefg', 'hijkl']],
    ['counts characters, not units', '💠💠💠 a', 3, ['💠💠💠', 'a']],
    ['has one line where there is nothing', '', 5, ['']],
    ['fills a line to its end', 'ab cd', 5, ['ab cd']],
  ])('%s', (_, text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines)
  })
})

it('keeps the colour of a word that it breaks', () => {
  expect(wrap('\u001B[1mabcdef\u001B[22m', 3)).toEqual(['\u001B[1mabc\u001B[22m', '\u001B[1mdef\u001B[22m'])
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

it.each([
  ['case/a.pdf', 10, 'case/a.pdf'],
  ['case/annual-report.pdf', 11, '…report.pdf'],
])('shortens the path %s to %s characters and keeps its end', (path, width, short) => {
  expect(shortenPath(path, width)).toBe(short)
})

it('cuts columns of paths at their beginning and all others at their end', () => {
  const lines = fitColumns(
    [
      ['DOCUMENT', 'SAYS'],
      ['correspondence/letter.txt', 'thirty thousand euros'],
    ],
    24,
    ['DOCUMENT'],
  )
  expect(lines).toEqual(['DOCUMENT     SAYS', '…letter.txt  thirty tho…'])
})
