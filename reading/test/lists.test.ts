import { describe, expect, it } from 'vitest'
import { sketch } from './support/sketch.ts'

describe('list items', () => {
  it('begin with a bullet, a box, a number or a letter', () => {
    const markers = ['-', '*', '•', '–', '[x]', '- [ ]', '1.', '2)', '(3)', 'a)', '(iv)', '3.1', '3.1.2']
    for (const marker of markers)
      expect(sketch(`${marker} Words here`)).toEqual([`item ${marker} 0 | Words here`])
  })

  it('do not begin with an initial, an amount, a date or a dash that frames', () => {
    const lines = [
      'C. Jarrity',
      '1.5 million euros',
      '99.9 per cent',
      '31. December 2023',
      '1.5 EUR',
      '— END —',
      '-5 degrees',
      '*word*',
    ]
    for (const line of lines) expect(sketch(line)).toEqual([`paragraph | ${line}`])
  })

  it('go on over wrapped lines', () => {
    expect(
      sketch('- Turnover. Credits, just over thirty,\n  are explained. Contracts enclosed.\n- Staff.'),
    ).toEqual([
      'item - 0 | Turnover. / Credits, just over thirty, are explained. / Contracts enclosed.',
      'item - 0 | Staff.',
    ])
  })

  it('hang under the item they are indented from, and text under its item', () => {
    expect(sketch('1. One\n   - a\n     * deep\n   - b\n\n   More on one.\n\n2. Two')).toEqual([
      'item 1. 0 | One',
      'item - 1 ^0 | a',
      'item * 2 ^1 | deep',
      'item - 1 ^0 | b',
      'paragraph ^0 | More on one.',
      'item 2. 0 | Two',
    ])
  })

  it('hang under the sentence that announces them', () => {
    expect(
      sketch('We met these people in May, and they said:\n\n- one\n- two\n\nAfter that we left.\n\n- three'),
    ).toEqual([
      'paragraph | We met these people in May, and they said:',
      'item - 0 ^0 | one',
      'item - 0 ^0 | two',
      'paragraph | After that we left.',
      'item - 0 | three',
    ])
  })

  it('may carry a label', () => {
    expect(sketch('- 2022 (audited): EUR 27.9m\n1.4 Certified?    Yes, since 2019')).toEqual([
      'item - 0 | [2022 (audited)] 2022 (audited): EUR 27.9m',
      'item 1.4 0 | [Certified] Certified? / Yes, since 2019',
    ])
  })

  it('do not begin in the middle of a wrapped sentence', () => {
    expect(
      sketch('The parties agreed on everything that is said in clause\n3. The rest was left to counsel.'),
    ).toEqual([
      'paragraph | The parties agreed on everything that is said in clause 3. / The rest was left to counsel.',
    ])
  })
})
