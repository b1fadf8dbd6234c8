import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStructure } from '../src/structure.ts'
import { damaged, documents, noise, unicode } from './support/documents.ts'
import { faultsOf } from './support/invariants.ts'
import { realDocuments } from './support/real.ts'

const own = [
  '# Report\n\nDate: 3 May\n\n## 1. Scope\n\nOne. Two wraps\nhere.\n\n- a\n  - b: c\n\n| x | y |\n|---|---|\n| 1 | 2 |\n',
  'From: A\nTo: B\n\nHi,\n\n> quoted\n> text.\n>\n> - item\n\n-----Original message-----\nFrom: B\nTo: A\n\nDone.\n',
  'FORM\n\nName:     X\n\nDetails:\n  Age:    5\n\n   Item      2022      2023\n   ------------------------\n   Costs        5         6\n',
]
const texts = [...own, ...realDocuments().map((document) => document.text)]

/** The smallest text of a kind that breaks a rule, with its faults; null when none was found. */
function broken(kind: fc.Arbitrary<string>, numRuns: number): unknown {
  const property = fc.property(kind, (text) => faultsOf(text).length === 0)
  const { failed, counterexample, seed } = fc.check(property, { numRuns })
  if (!failed || counterexample === null) return null
  return { text: counterexample[0], faults: faultsOf(counterexample[0]), seed }
}

describe('whatever the text, every span is exact, nothing is lost and nothing is counted twice', () => {
  it('for arbitrary Unicode, lone surrogates included', () => {
    expect(broken(unicode, 1500)).toBeNull()
  })

  it('for noise made of the signs that mean something', () => {
    expect(broken(noise, 3000)).toBeNull()
  })

  it('for documents put together at random', () => {
    expect(broken(documents, 1500)).toBeNull()
  })

  it(`for ${texts.length} documents, damaged`, () => {
    expect(broken(damaged(texts), 600)).toBeNull()
  })

  it(`for ${texts.length} documents as they are, and with the line ends of other systems`, () => {
    for (const text of texts) {
      for (const end of ['\n', '\r\n', '\r', '\u2028']) {
        expect(faultsOf(`\ufeff${text.replaceAll('\n', end)}`)).toEqual([])
      }
    }
  })
})

describe('the check of these rules', () => {
  const text = own[0] ?? ''
  const whole = readStructure(text)
  const [first, ...others] = whole.passages

  it('finds no fault where there is none', () => {
    expect(faultsOf(text, whole)).toEqual([])
  })

  it('notices a passage that was left out', () => {
    expect(faultsOf(text, { ...whole, passages: others })).not.toEqual([])
  })

  it('notices a span that is one character off', () => {
    const moved = first === undefined ? [] : [{ ...first, span: [first.span[0] - 1, first.span[1]] as const }]
    expect(faultsOf(text, { ...whole, passages: [...moved, ...others] })).not.toEqual([])
  })

  it('notices a piece that is counted twice', () => {
    expect(faultsOf(text, { ...whole, marks: [...whole.marks, [0, 1]] })).not.toEqual([])
  })

  it('notices a sentence that was left out', () => {
    const shorter = first?.kind === 'paragraph' ? [{ ...first, sentences: first.sentences.slice(1) }] : []
    expect(faultsOf(text, { ...whole, passages: [...shorter, ...others] })).not.toEqual([])
  })

  it('notices a cut through a surrogate pair', () => {
    const smile = 'a \u{1f600} b'
    const structure = readStructure(smile)
    expect(faultsOf(smile, { ...structure, marks: [[0, 3]] })).toContain('span 0–3 splits a pair')
  })
})
