import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createQuoteSearch } from '../../src/model/anchor.ts'

function search(text: string) {
  const find = createQuoteSearch(text, [0, text.length])
  return (quote: string, near = 0) => {
    const span = find(quote, near)
    return span === null ? null : text.slice(...span)
  }
}

describe('a quote', () => {
  it('is found letter by letter', () => {
    expect(search('The rent is EUR 900 a month.')('rent is EUR 900')).toBe('rent is EUR 900')
  })

  it('is found across line breaks, and the words kept are those of the text', () => {
    expect(search('The rent is\n    EUR 900\na month.')('The rent is EUR 900 a month.')).toBe(
      'The rent is\n    EUR 900\na month.',
    )
  })

  it('is found in another case, with other quotation marks and dashes, and without marks of emphasis', () => {
    expect(search('**RENT:** the “old mill” – EUR 900')('Rent: the "old mill" - EUR 900')).toBe(
      'RENT:** the “old mill” – EUR 900',
    )
  })

  it('is not found where a single letter or figure differs', () => {
    expect(search('The rent is EUR 900 a month.')('The rent is EUR 800 a month.')).toBeNull()
    expect(search('The rent is EUR 900 a month.')('the rents is EUR 900')).toBeNull()
    expect(search('The rent is EUR 900 a month.')(' \n ')).toBeNull()
    expect(search('The rent is EUR 900 a month.')('***')).toBeNull()
  })

  it('that stands in several places is the next one from the claim before on', () => {
    const text = 'Mill A: 900\nMill B: 700\nMill C: 900\nMill D: 900\n'
    const find = createQuoteSearch(text, [0, text.length])
    expect(find('900', 0)).toEqual([8, 11])
    expect(find('900', text.indexOf('Mill C'))).toEqual([32, 35])
    expect(find('900', text.indexOf('Mill D') - 2)).toEqual([44, 47])
    expect(find('900', text.length)).toEqual([44, 47])
  })

  it('that every entry of a form repeats is the one of its entry', () => {
    const entry = (site: string) =>
      `Site ${site}\nStatus: approved\nInspector: A. Ruiz of the northern office\n\n`
    const text = ['A', 'B', 'C'].map(entry).join('')
    const find = createQuoteSearch(text, [0, text.length])
    const quotes = ['Status: approved', 'Inspector: A. Ruiz']
    let near = 0
    const found = ['A', 'B', 'C'].flatMap(() =>
      quotes.map((quote) => {
        near = find(quote, near)?.[0] ?? -1
        return text
          .slice(0, near)
          .match(/Site \w/g)
          ?.at(-1)
      }),
    )
    expect(found).toEqual(['Site A', 'Site A', 'Site B', 'Site B', 'Site C', 'Site C'])
  })

  it('is looked for in its window only', () => {
    const text = 'one two three one'
    expect(createQuoteSearch(text, [4, 13])('one', 4)).toBeNull()
    expect(createQuoteSearch(text, [4, 17])('one', 4)).toEqual([14, 17])
  })

  it('of any part of any text is found, also with other white space', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...Array.from('aAbB01 \n\t.,“"–-*é😀ß')),
      minLength: 1,
      maxLength: 120,
    })
    fc.assert(
      fc.property(texts, fc.nat(120), fc.nat(120), fc.nat(200), (text, from, length, near) => {
        const quote = text.slice(from, from + length).trim()
        const find = createQuoteSearch(text, [0, text.length])
        const span = find(quote, near)
        fc.pre(quote !== '')
        expect(span && text.slice(...span)).toBe(quote)
        const spread = find(quote.replaceAll(/\s+/g, ' \n '), near)
        expect(spread && text.slice(...spread).replaceAll(/\s/g, '')).toBe(quote.replaceAll(/\s/g, ''))
      }),
    )
  })

  it('never gives words that the text does not have', () => {
    const words = fc.string({ unit: fc.constantFrom(...Array.from('abAB 1\n*')), maxLength: 60 })
    fc.assert(
      fc.property(words, words, fc.nat(80), (text, quote, near) => {
        const span = createQuoteSearch(text, [0, text.length])(quote, near)
        const found = span === null ? quote : text.slice(...span)
        const bare = (letters: string) => letters.replaceAll(/[\s*]/g, '').toLowerCase()
        expect(bare(found)).toBe(bare(quote))
      }),
    )
  })
})
