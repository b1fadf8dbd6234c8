/** Documents that a language model reads whole, in part or not at all. Each comes with the report that it must get. */
import type { Chance } from '../../../harness/chance.ts'
import { encodedText, fileText, hostileText, pageText } from '../formats.ts'
import { BREAK } from '../kinds.ts'
import { drawParagraph, drawSentence } from '../sentences.ts'
import { FAULTS } from './partial-model.ts'

export interface ModelTrialDocument {
  readonly kind: string
  readonly text: string
  readonly expected: ExpectedReading
}

export interface ExpectedReading {
  readonly read: 'whole' | 'part' | 'none'
  readonly format: 'text' | 'html' | 'base64' | 'binary'
  readonly language?: string
  readonly reason?: 'not_text' | 'failed'
  /** Characters that are not read: at least and at most. */
  readonly unread: readonly [number, number]
  /** Claims with a quote that is not in the text. */
  readonly dropped: number
  /** Claims that are found; undefined where nobody counts them. */
  readonly claims?: number
  /** Null where the document keeps nobody from certifying its scope. */
  readonly blocker:
    | 'document_unread'
    | 'document_partly_read'
    | 'document_without_claims'
    | 'comparison_incomplete'
    | null
}

type MakeDocument = (chance: Chance) => Omit<ModelTrialDocument, 'kind'>

/** As long as a document may be, with room for a sentence more; and enough for several windows. */
const LENGTHS = { most: 99_000, several: 30_000 } as const

const KINDS: Readonly<Record<string, MakeDocument>> = {
  '100,000 characters': (chance) => whole(longText(LENGTHS.most, chance)),
  German: (chance) => whole(foreignText('german', chance), { language: 'de' }),
  French: (chance) => whole(foreignText('french', chance), { language: 'fr' }),
  base64: (chance) => notText('base64', encodedText(chance)),
  binary: (chance) => notText('binary', fileText(chance)),
  HTML: (chance) => notText('html', pageText(chance)),
  'an encoded block': (chance) => withBlock(chance),
  'passages without an answer': (chance) => withLostPassages(chance),
  'a refused part': (chance) => withLostWindow(FAULTS.refused, chance),
  'nonsense about a part': (chance) => withLostWindow(FAULTS.nonsense, chance),
  refused: (chance) => unread(`${FAULTS.refused} ${figures(3, chance).join(BREAK)}`),
  'answered with nonsense': (chance) => unread(`${FAULTS.nonsense} ${figures(3, chance).join(BREAK)}`),
  'invented quotes': (chance) => withInventedQuotes(figures(chance.between(2, 6), chance), chance),
  'nothing but invented quotes': (chance) =>
    withInventedQuotes([drawParagraph('idle', 4, chance), drawParagraph('idle', 3, chance)], chance),
  'without claims': (chance) => withoutClaims(drawParagraph('idle', chance.between(4, 9), chance)),
  'not compared': (chance) => incomparable(figures(2, chance)),
}

export const MODEL_KIND_NAMES: readonly string[] = Object.keys(KINDS)

export function drawModelTrials(each: number, chance: Chance): ModelTrialDocument[] {
  return Object.entries(KINDS).flatMap(([kind, make]) =>
    Array.from({ length: each }, () => ({ kind, ...make(chance) })),
  )
}

const READ: Pick<ExpectedReading, 'read' | 'format' | 'unread' | 'dropped' | 'blocker'> = {
  read: 'whole',
  format: 'text',
  unread: [0, 0],
  dropped: 0,
  blocker: null,
}

function figures(paragraphs: number, chance: Chance): string[] {
  return Array.from({ length: paragraphs }, () => drawParagraph('figures', chance.between(2, 4), chance))
}

function longText(characters: number, chance: Chance): string {
  const paragraphs: string[] = []
  let [length, next] = [0, '']
  do {
    if (next !== '') paragraphs.push(next)
    next = drawParagraph('figures', chance.between(1, 5), chance)
    length += next.length + BREAK.length
  } while (length < characters)
  return paragraphs.join(BREAK)
}

function foreignText(kind: 'german' | 'french', chance: Chance): string {
  // The first paragraph has a figure in any case.
  const first = Array.from({ length: 8 }, () => drawSentence(kind, chance)).join(' ')
  return [first, drawParagraph(kind, 5, chance)].join(BREAK)
}

/** All of it is read, and each sentence with a figure is found. */
function whole(text: string, more: Partial<ExpectedReading> = {}): Omit<ModelTrialDocument, 'kind'> {
  return { text, expected: { ...READ, ...more } }
}

function notText(format: 'base64' | 'binary' | 'html', text: string): Omit<ModelTrialDocument, 'kind'> {
  const characters = Array.from(text).length
  return {
    text,
    expected: {
      ...READ,
      read: 'none',
      format,
      reason: 'not_text',
      unread: [characters, characters],
      claims: 0,
      blocker: 'document_unread',
    },
  }
}

function withBlock(chance: Chance): Omit<ModelTrialDocument, 'kind'> {
  const { block } = hostileText(chance)
  const slack = Math.ceil(block.length / 20)
  return {
    text: [...figures(2, chance), block, ...figures(2, chance)].join(BREAK),
    expected: {
      ...READ,
      read: 'part',
      reason: 'not_text',
      unread: [block.length - slack, block.length + slack],
      blocker: 'document_partly_read',
    },
  }
}

/** The model is asked about smaller and smaller parts, until only these are left. */
function withLostPassages(chance: Chance): Omit<ModelTrialDocument, 'kind'> {
  const lost = Array.from(
    { length: chance.between(1, 3) },
    () => `${FAULTS.tooLong} ${drawSentence('figures', chance)}`,
  )
  const good = figures(chance.between(3, 9), chance)
  const unreadCharacters = lost.reduce((total, { length }) => total + length, 0)
  return {
    text: good.toSpliced(chance.between(0, good.length), 0, ...lost).join(BREAK),
    expected: {
      ...READ,
      read: 'part',
      reason: 'failed',
      unread: [unreadCharacters, unreadCharacters],
      blocker: 'document_partly_read',
    },
  }
}

/** One window of a long text. */
function withLostWindow(word: string, chance: Chance): Omit<ModelTrialDocument, 'kind'> {
  const text = longText(LENGTHS.several, chance)
  const lost = `${word} ${drawSentence('figures', chance)}`
  const paragraphs = text.split(BREAK)
  const at = chance.between(0, paragraphs.length)
  return {
    text: paragraphs.toSpliced(at, 0, lost).join(BREAK),
    expected: {
      ...READ,
      read: 'part',
      reason: 'failed',
      unread: [lost.length, LENGTHS.several / 2],
      blocker: 'document_partly_read',
    },
  }
}

function unread(text: string): Omit<ModelTrialDocument, 'kind'> {
  return {
    text,
    expected: {
      ...READ,
      read: 'none',
      reason: 'failed',
      unread: [text.length, text.length],
      claims: 0,
      blocker: 'document_unread',
    },
  }
}

function withInventedQuotes(paragraphs: readonly string[], chance: Chance): Omit<ModelTrialDocument, 'kind'> {
  const dropped = chance.between(1, 5)
  const words = Array.from({ length: dropped }, () => FAULTS.invented).join(' ')
  const text = [...paragraphs, `${words}.`].join(BREAK)
  // Where none of its quotes stands in the text, nothing shows that the model read it.
  if (!paragraphs.some((paragraph) => /\d/.test(paragraph))) {
    const { expected } = unread(text)
    return { text, expected: { ...expected, dropped } }
  }
  return { text, expected: { ...READ, dropped } }
}

function withoutClaims(text: string): Omit<ModelTrialDocument, 'kind'> {
  return { text, expected: { ...READ, claims: 0, blocker: 'document_without_claims' } }
}

function incomparable(paragraphs: readonly string[]): Omit<ModelTrialDocument, 'kind'> {
  const marked = paragraphs.map((paragraph) => `${FAULTS.incomparable} 1 is quoted. ${paragraph}`)
  return { text: marked.join(BREAK), expected: { ...READ, blocker: 'comparison_incomplete' } }
}
