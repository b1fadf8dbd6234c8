import { describe, expect, it } from 'vitest'
import { plainText } from '../src/structure.ts'

function plain(text: string, quote = 0): string {
  return plainText(text, [0, text.length], quote)
}

describe('the plain text of a span', () => {
  it('undoes hard wraps and indentation', () => {
    expect(plain('in the\r\n   twelve\tmonths  before')).toBe('in the twelve months before')
  })

  it('takes quote marks off continued lines, only as many as the passage is deep', () => {
    expect(plain('a\n> b\n>\t> c', 1)).toBe('a b > c')
    expect(plain('more\n> 5', 0)).toBe('more > 5')
  })

  it('joins words that a hyphen broke, and keeps the hyphen, which may belong there', () => {
    expect(plain('third-\nparty and co\u00ad\noperate')).toBe('third-party and cooperate')
    expect(plain('two-\nand three-year')).toBe('two- and three-year')
    expect(plain('FY2022-\nFY2023')).toBe('FY2022- FY2023')
  })

  it('puts no space between lines of a script that has none', () => {
    expect(plain('今天\n很好。')).toBe('今天很好。')
  })

  it('takes only its span', () => {
    expect(plainText('ab cd\nef gh', [3, 8])).toBe('cd ef')
  })
})
