import { describe, expect, it } from 'vitest'
import { readLines } from '../src/lines.ts'
import { sketch } from './support/sketch.ts'

function contents(text: string): string[] {
  return readLines(text).map((line) => text.slice(line.from, line.to))
}

describe('lines', () => {
  it('end at every kind of line break, a pair of CR and LF counting once', () => {
    expect(contents('a\nb\r\nc\rd\u2028e\u2029f\fg\vh')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    expect(readLines('a\r\nb')[1]?.gap).toBe(0)
  })

  it('stand apart after a blank line and on a new page', () => {
    expect(readLines('a\n\n\nb\fc').map((line) => line.gap)).toEqual([1, 2, 1])
  })

  it('come without the white space and the byte order mark around them', () => {
    expect(contents('\ufeff  a \u00a0\n\u3000b\t')).toEqual(['a', 'b'])
  })

  it('count their indentation in columns, a tab reaching the next fourth', () => {
    expect(readLines('\ta\n  \tb\n   c\n\ufeffd').map((line) => line.indent)).toEqual([4, 4, 3, 0])
  })

  it('keep characters of no width as content', () => {
    expect(contents('\u200ba\u200d')).toEqual(['\u200ba\u200d'])
  })
})

describe('a document', () => {
  const text =
    'Minutes\n\nPresent: A. Lund\n\n1. Progress\n\nAll piles are in place. The hammer\nleaves the site on Friday.\n'

  it('reads the same whatever ends its lines', () => {
    const expected = sketch(text)
    expect(expected).toHaveLength(4)
    for (const end of ['\r\n', '\r', '\u2028', '\u2029'])
      expect(sketch(text.replaceAll('\n', end))).toEqual(expected)
  })
})
