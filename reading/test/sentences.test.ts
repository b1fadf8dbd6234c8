import { describe, expect, it } from 'vitest'
import { splitSentences } from '../src/sentences.ts'
import { sketch } from './support/sketch.ts'

function sentences(text: string): string[] {
  return splitSentences(text, 0).map((span) => text.slice(...span))
}

describe('sentences', () => {
  it('end at full stops, question marks and exclamation marks', () => {
    expect(sentences('One is here. Is it? It is! “Quite so.” Done.')).toEqual([
      'One is here.',
      'Is it?',
      'It is!',
      '“Quite so.”',
      'Done.',
    ])
  })

  const whole = [
    'Mr. Smith and Dr. Jones met Prof. Ames at St. Mary.',
    'See No. 14, Art. 17, Sec. 3 and p. 5 of the file.',
    'It grew, e.g. Germany and i.e. France, by approx. 5 per cent.',
    'Acme Inc. Holdings and Foo Ltd. Partners of the U.S. Treasury agreed.',
    'On Jan. 14 and Sept. 3 nothing happened.',
    'J. R. Smith v. Jones was decided by L. Pinheiro.',
    'The value is 3.1 and not 4.25 of 1.000.',
    '3.1. The parties agree.',
    'Larkmoor Holdings S.a r.l. Luxembourg holds all.',
    '“Why now?” he asked.',
  ]
  for (const text of whole) {
    it(`do not end inside: ${text}`, () => {
      expect(sentences(text)).toEqual([text])
    })
  }

  it('end at an abbreviation when a new sentence clearly begins', () => {
    expect(sentences('It is owned by Acme Inc. The bank agreed.')).toHaveLength(2)
    expect(sentences('Held by Banque Rivenel S.A. All shares are paid.')).toHaveLength(2)
    expect(sentences('Is there a subtenant? No. Orsett occupies it all.')).toHaveLength(3)
    expect(sentences('They are listed in annex B. Answers are no warranties.')).toHaveLength(2)
    expect(sentences('Bilirubin was 118 micromol/L. Medication was stopped.')).toHaveLength(2)
  })

  it('end behind signs of emphasis', () => {
    expect(sentences('*How many people do you employ?* Fourteen. **None.** Two.')).toEqual([
      '*How many people do you employ?*',
      'Fourteen.',
      '**None.**',
      'Two.',
    ])
  })

  it('end in other scripts, with or without spaces', () => {
    expect(sentences('今天很好。明天呢？“好！”是的。')).toEqual([
      '今天很好。',
      '明天呢？',
      '“好！”',
      '是的。',
    ])
    expect(sentences('ما هذا؟ هذا كتاب. شكرا!')).toHaveLength(3)
    expect(sentences('यह एक है। वह दो है।')).toHaveLength(2)
  })

  it('run over the ends of lines that the margin broke', () => {
    expect(sketch('The account was opened by Mr\nDerevic in May. It was closed\nin June.')).toEqual([
      'paragraph | The account was opened by Mr Derevic in May. / It was closed in June.',
    ])
  })

  it('end with lines that were ended by hand', () => {
    expect(sketch('Hallam Quay Estates Ltd,\n12 Mole Street\nPort Hallam')).toEqual([
      'paragraph | Hallam Quay Estates Ltd, 12 Mole Street / Port Hallam',
    ])
  })

  it('are never longer than 4,000 units, and are cut between characters', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
    for (const text of [
      'word '.repeat(3000),
      'a.'.repeat(9000),
      family.repeat(2000),
      `z${'\u0301'.repeat(20)}`.repeat(900),
    ]) {
      const pieces = sentences(text)
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(4000)
      expect(pieces.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      expect(pieces.every((piece) => /^[a-z\u{1f468}]/u.test(piece))).toBe(true)
    }
  })

  it('are found across the edge of a window as they are inside it', () => {
    const text = 'This is a sentence of forty characters. '.repeat(500).trim()
    expect(sentences(text)).toEqual(
      Array.from({ length: 500 }, () => 'This is a sentence of forty characters.'),
    )
  })
})
