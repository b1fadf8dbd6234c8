/** The sentences before and after a quote, so that a person can judge it without opening the document. */
import { isProblem } from '@concord/client'
import type { Concord, Contradiction, ContradictionSide } from '@concord/client'
import { oneLine } from '../terminal/words.ts'

export interface QuoteContext {
  readonly before: string
  readonly after: string
}

/** Undefined where a side was reported, or its text is not kept any more. */
export interface Contexts {
  readonly a: QuoteContext | undefined
  readonly b: QuoteContext | undefined
}

export async function readContexts(concord: Concord, found: Contradiction): Promise<Contexts> {
  const [a, b] = await Promise.all(
    [found.a, found.b].map(async (side) => readContext(concord, found.scope_id, side)),
  )
  return { a, b }
}

/** A sentence that is longer is cut. */
const REACH = 400

async function readContext(
  concord: Concord,
  scopeId: string,
  { document_id: documentId, version, start, end }: ContradictionSide,
): Promise<QuoteContext | undefined> {
  if (documentId === null || version === null || start === null || end === null) return undefined
  const read = async (from: number, to: number) =>
    (await concord.getDocumentText({ scopeId, documentId, version, start: from, end: to })).text
  try {
    const [before, after] = await Promise.all([
      read(Math.max(0, start - REACH), start),
      read(end, end + REACH),
    ])
    return { before: lastSentence(before, start > REACH), after: firstSentence(after) }
  } catch (error) {
    if (isProblem(error, 'text_not_found') || isProblem(error, 'document_not_found')) return undefined
    throw error
  }
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

function sentencesOf(text: string): string[] {
  // A line without an end is a heading or a cell, and no part of the sentence beside it.
  const lines = text.split(/\n+/)
  return lines
    .flatMap((line) =>
      [...sentences.segment(line.replace(/^#+ /, ''))].map(({ segment }) => oneLine(segment)),
    )
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
}

function lastSentence(text: string, isCut: boolean): string {
  const found = sentencesOf(text)
  const last = found.at(-1) ?? ''
  return isCut && found.length === 1 ? `… ${last}` : last
}

function firstSentence(text: string): string {
  const [first = ''] = sentencesOf(text)
  return oneLine(text).length > first.length || Array.from(text).length < REACH ? first : `${first} …`
}
