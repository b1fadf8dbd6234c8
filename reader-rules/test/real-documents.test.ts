import { describe, expect, it } from 'vitest'
import { readDocument } from '../src/document.ts'
import { readStructure } from '@concord/reading/src/structure.ts'
import type { Span, Structure } from '@concord/reading/src/structure.ts'
import { pieces } from '@concord/reading/test/support/invariants.ts'
import { goldQuotes, present, realDocuments } from '@concord/reading/test/support/real.ts'
import type { GoldQuote } from '@concord/reading/test/support/real.ts'

const skipped = present ? '' : ' (skipped: ../shared/quality is not here)'

interface Placed extends GoldQuote {
  readonly span: Span
  readonly structure: Structure
}

function placed(quote: GoldQuote): Placed {
  const start = quote.text.indexOf(quote.quote)
  const end = start + quote.quote.length
  // Some quotes begin with the indentation of their row.
  const span: Span = [end - quote.quote.trimStart().length, start + quote.quote.trimEnd().length]
  return { ...quote, span, structure: readStructure(quote.text) }
}

function holds(outer: Span, [start, end]: Span): boolean {
  return outer[0] <= start && end <= outer[1]
}

function liesInOne({ structure, span }: Placed): boolean {
  return pieces(structure).some((piece) => holds(piece, span))
}

/** A quote that lists several rows or entries on purpose: every one of them lies in one piece. */
function liesInEntries({ structure, span, text }: Placed): boolean {
  const all = pieces(structure)
  const entries = [...text.slice(...span).matchAll(/\S(?:.*?\S)??(?=\s*\n| {3,}|$)/g)]
  return entries.every((entry) => {
    const start = span[0] + entry.index
    return all.some((piece) => holds(piece, [start, start + entry[0].length]))
  })
}

function liesInSentence({ structure, span }: Placed): boolean {
  return structure.passages.some(
    (passage) => 'sentences' in passage && passage.sentences.some((one) => holds(one, span)),
  )
}

function percent(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`
}

describe('the labelled documents', () => {
  it.runIf(present)(
    `have every gold quote inside one piece, or entry by entry where it lists several${skipped}`,
    () => {
      const quotes = goldQuotes().map(placed)
      const inOne = quotes.filter(liesInOne)
      const lost = quotes.filter((quote) => !liesInOne(quote) && !liesInEntries(quote))
      const inSentence = quotes.filter(liesInSentence)
      const report = [
        `inside one piece: ${percent(inOne.length, quotes.length)}`,
        `entry by entry, quotes that list several: ${quotes.length - inOne.length - lost.length}`,
        `inside one sentence: ${percent(inSentence.length, quotes.length)}`,
      ]
      process.stdout.write(`gold quotes ${report.join('; ')}\n`)
      expect(lost.map((quote) => `${quote.name}: ${quote.quote}`)).toEqual([])
      expect(inOne.length / quotes.length).toBeGreaterThanOrEqual(0.97)
    },
  )

  it.runIf(present)(
    `are found to be English, and read as a whole but for the limit on claims${skipped}`,
    () => {
      const strange = realDocuments().filter(({ text }) => {
        const { format, language, unread } = readDocument(text).report
        return format !== 'text' || language !== 'en' || unread.some(({ reason }) => reason !== 'limit')
      })
      expect(strange.map(({ name }) => name)).toEqual([])
    },
  )

  it.runIf(present)(`have a title or a header${skipped}`, () => {
    const structures = realDocuments().map(({ name, text }) => ({ name, structure: readStructure(text) }))
    const bare = structures.filter(
      ({ structure }) => structure.header.title === undefined && structure.header.fields.length === 0,
    )
    expect(bare.map(({ name }) => name)).toEqual([])
  })
})
