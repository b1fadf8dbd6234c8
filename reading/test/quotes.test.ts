import { describe, expect, it } from 'vitest'
import { plainText, readStructure } from '../src/structure.ts'
import { sketch } from './support/sketch.ts'

describe('quotations', () => {
  it('lose their marks and keep their depth', () => {
    expect(sketch('I agree.\n\n> The price is\n> EUR 5m.\n>\n>> Is it?\n')).toEqual([
      'paragraph | I agree.',
      'quote 1 | The price is EUR 5m.',
      'quote 2 | Is it?',
    ])
  })

  it('hold lists, keys and tables like any text', () => {
    expect(
      sketch('> Points:\n>\n> - one\n> - two\n>\n> Sum:   5\n>\n> | a | b |\n> |---|---|\n> | 1 | 2 |'),
    ).toEqual([
      '#9 Points:',
      'item - 0 quoted @Points: | one',
      'item - 0 quoted @Points: | two',
      'key-value quoted | Sum = 5',
      'row 0.0 head quoted | a | b',
      'row 0.1 quoted | 1 | 2',
    ])
  })

  it('hang under the line that introduces them', () => {
    expect(sketch('On 16 May Jean wrote:\n> Which value is right?')).toEqual([
      'paragraph | On 16 May Jean wrote:',
      'quote 1 ^0 | Which value is right?',
    ])
  })

  it('are not made of comparisons', () => {
    expect(
      sketch(
        'Duration of each of the events, in seconds,\n< 5 seconds:     14 events\n> 60 seconds:     0 events\n>= 3:            4 events',
      ),
    ).toEqual([
      'paragraph | Duration of each of the events, in seconds,',
      'key-value | < 5 seconds = 14 events',
      'key-value | > 60 seconds = 0 events',
      'key-value | >= 3 = 4 events',
    ])
  })

  it('give back their words without marks, down to their own depth', () => {
    const text = '> The price is\n> above\n>  that.'
    const [passage] = readStructure(text).passages
    expect(passage === undefined ? '' : plainText(text, passage.span, passage.quote)).toBe(
      'The price is above that.',
    )
    expect(plainText('a is\n> >5\n>  indeed.', [0, 20], 1)).toBe('a is >5 indeed.')
  })
})

describe('code', () => {
  it('is kept whole between its fences', () => {
    expect(sketch('Before.\n\n```sh\n# not a heading\n\n- not a list\n```\n\nAfter.')).toEqual([
      'paragraph | Before.',
      'code | # not a heading - not a list',
      'paragraph | After.',
    ])
  })

  it('needs a fence that closes', () => {
    expect(sketch('```\nNo end in sight.')).toEqual(['paragraph | ``` / No end in sight.'])
  })
})
