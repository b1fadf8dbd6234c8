import { describe, expect, it } from 'vitest'
import { readStructure } from '../src/structure.ts'
import { sketch } from './support/sketch.ts'

const thread = `From: Louise
To: Daniel
Sent: Tuesday, 28 May 2024 18:42
Subject: RE: Status

Daniel,

Exclusivity runs to 21 June 2024.

Louise

-----Original message-----
From: Daniel
Sent: Tuesday, 28 May 2024 11:05
To: Louise

Tim

The paper assumes a price of EUR 92m.
`

describe('a thread of mails', () => {
  it('has the head of the first mail as its header and a part for each further one', () => {
    expect(sketch(thread)).toEqual([
      'field From = Louise',
      'field To = Daniel',
      'field Sent = Tuesday, 28 May 2024 18:42',
      'field Subject = RE: Status',
      'paragraph | Daniel,',
      'paragraph | Exclusivity runs to 21 June 2024.',
      'paragraph | Louise',
      'part 0 From = Daniel',
      'part 0 Sent = Tuesday, 28 May 2024 11:05',
      'part 0 To = Louise',
      'paragraph | Tim',
      'paragraph | The paper assumes a price of EUR 92m.',
    ])
  })

  it('says of every passage which mail it is from', () => {
    const { passages, parts } = readStructure(thread)
    expect(passages.map((passage) => passage.part)).toEqual([null, null, null, 0, 0])
    expect(parts).toMatchObject([{ quote: 0, passage: 3 }])
  })

  it('finds the parts inside quotations as well', () => {
    const { parts, passages } = readStructure(
      'Fine.\n\n> From: A\n> To: B\n> Date: 3 May\n>\n> The sum is five.',
    )
    expect(parts).toMatchObject([{ quote: 1, passage: 1 }])
    expect(passages).toMatchObject([
      { part: null, quote: 0 },
      { part: 0, quote: 1 },
    ])
  })

  it('leaves the headings of the mail before', () => {
    const text = '# T\n\n## Annex\n\nFirst words.\n\nFrom: A\nTo: B\n\nSecond words.'
    expect(readStructure(text).passages.map((passage) => passage.heading)).toEqual([0, null])
  })

  it('does not begin with a sender alone, nor with a line that only looks like one', () => {
    expect(
      readStructure('Words come first.\n\nFrom: the beginning\n\nFrom 3 May 2016:   Valletta').parts,
    ).toEqual([])
  })
})
