import { describe, expect, it } from 'vitest'
import type { Claim } from '../src/claim.ts'
import { inCodePoints } from '../src/code-points.ts'
import { statement } from './support/claims.ts'

function placed(text: string, words: string, value: string): Claim {
  const [start, at] = [text.indexOf(words), text.indexOf(value)]
  return { ...statement(1), span: [start, start + words.length], valueSpan: [at, at + value.length] }
}

describe('offsets in code points', () => {
  it('are those of UTF-16 where every character is one unit', () => {
    const claims = [placed('Ärger kostet 5 €.', 'kostet 5 €', '5 €')]
    expect(inCodePoints('Ärger kostet 5 €.', claims)).toBe(claims)
  })

  it.each([
    ['before', '💠💠 It costs 5 EUR.', 'It costs 5 EUR.', '5 EUR'],
    ['within', '💠 It 💠 costs 💠 5 EUR.', 'It 💠 costs 💠 5 EUR.', '5 EUR'],
    ['after', 'It costs 5 EUR. 💠', 'It costs 5 EUR.', '5 EUR'],
    ['at its edges', '💠It costs 5 EUR💠', '💠It costs 5 EUR💠', '5 EUR💠'],
  ])('leave the same words where two units are one character: %s', (_, text, words, value) => {
    const [claim] = inCodePoints(text, [placed(text, words, value)])
    const cut = ([start, end] = [0, 0] as readonly [number, number]) =>
      Array.from(text).slice(start, end).join('')
    expect([cut(claim?.span), cut(claim?.valueSpan)]).toEqual([words, value])
  })

  it('are right for several claims, in whatever order they come', () => {
    const text = '💠 One is 1. 💠 Two is 2. 💠 Three is 3.'
    const words = ['Three is 3.', 'One is 1.', 'Two is 2.']
    const claims = inCodePoints(
      text,
      words.map((each) => placed(text, each, each.slice(-2, -1))),
    )
    expect(claims.map(({ span: [start, end] }) => Array.from(text).slice(start, end).join(''))).toEqual(words)
  })
})
