/**
 * Twelve kinds of documents that a careless reader takes for read. Each comes with the report that it must get: whoever makes a
 * text knows which characters of it can be read.
 */
import type { Chance } from '../../harness/chance.ts'
import { encodedText, fileText, hostileText, pageText } from './formats.ts'
import { drawParagraph, drawSentence } from './sentences.ts'

export interface ExpectedReport {
  readonly read: 'whole' | 'part' | 'none'
  readonly format: 'text' | 'html' | 'base64' | 'binary'
  /** Undefined where the text does not decide it. */
  readonly language?: string
  /** Why something was not read; undefined where all of it was. */
  readonly reason?: 'limit' | 'language' | 'not_text' | 'failed'
  /** Characters that are not read, given where the last claim that was found ends. */
  readonly unread: (lastClaimEnd: number) => number
  /** How far from that the report may be, in characters: the reader decides where a passage ends. */
  readonly tolerance: number
  readonly hasClaims: boolean
  readonly blocker:
    | 'document_unread'
    | 'document_partly_read'
    | 'document_language'
    | 'document_without_claims'
}

export interface TrialDocument {
  readonly kind: string
  readonly type: string
  readonly text: string
  readonly expected: ExpectedReport
}

type MakeDocument = (chance: Chance, nth: number) => Omit<TrialDocument, 'kind'>

export const BREAK = '\n\n'

/** The reader of the copy that is proved throws on a claim with this word. */
export const FAULT = 'Brimstone'

const KINDS: Readonly<Record<string, MakeDocument>> = {
  'over the limit': (chance) => overTheLimit(figures(chance.between(420, 900), 1, chance)),
  '100,000 characters': (chance) => overTheLimit(filled(100_000, chance)),
  German: (chance) => foreign('german', 'de', chance),
  French: (chance) => foreign('french', 'fr', chance),
  mixed: (chance) => mixedLanguages(chance),
  base64: (chance, nth) => ({
    ...notText('base64', encodedText(chance)),
    type: ['pdf', 'docx', 'txt'][nth % 3] ?? 'txt',
  }),
  binary: (chance) => notText('binary', fileText(chance)),
  HTML: (chance) => notText('html', pageText(chance)),
  'empty of claims': (chance) => withoutClaims('idle', chance),
  boilerplate: (chance) => withoutClaims('boilerplate', chance),
  'failing passages': (chance) => failing(chance),
  'partly hostile': (chance) => partlyHostile(chance),
}

export const KIND_NAMES: readonly string[] = Object.keys(KINDS)

/** The same number of documents of each kind, no two alike. */
export function drawTrials(each: number, chance: Chance): TrialDocument[] {
  return Object.entries(KINDS).flatMap(([kind, make]) =>
    Array.from({ length: each }, (_, nth) => ({ kind, ...make(chance, nth) })),
  )
}

function figures(paragraphs: number, sentences: number, chance: Chance): string[] {
  return Array.from({ length: paragraphs }, () => drawParagraph('figures', sentences, chance))
}

/** Paragraphs of exactly so many characters together, breaks included. */
function filled(characters: number, chance: Chance): string[] {
  const paragraphs: string[] = []
  let length = 0
  while (length < characters) {
    const next = drawParagraph('figures', chance.between(1, 5), chance)
    paragraphs.push(next)
    length += next.length + BREAK.length
  }
  const text = paragraphs.join(BREAK).padEnd(characters, '.').slice(0, characters)
  return text.split(BREAK)
}

/** The reader stops where the last claim is; what begins behind it is unread, but for the breaks between paragraphs. */
function overTheLimit(paragraphs: readonly string[]): Omit<TrialDocument, 'kind'> {
  const longest = Math.max(...paragraphs.map(({ length }) => length))
  const unread = (lastClaimEnd: number) => {
    let start = 0
    let left = 0
    for (const { length } of paragraphs) {
      if (start >= lastClaimEnd) left += length
      start += length + BREAK.length
    }
    return left
  }
  return {
    type: 'txt',
    text: paragraphs.join(BREAK),
    expected: {
      read: 'part',
      format: 'text',
      language: 'en',
      reason: 'limit',
      unread,
      tolerance: longest,
      hasClaims: true,
      blocker: 'document_partly_read',
    },
  }
}

function foreign(kind: 'german' | 'french', language: string, chance: Chance): Omit<TrialDocument, 'kind'> {
  const text = Array.from({ length: chance.between(2, 9) }, () =>
    drawParagraph(kind, chance.between(3, 6), chance),
  ).join(BREAK)
  return {
    type: 'txt',
    text,
    expected: {
      read: 'none',
      format: 'text',
      language,
      reason: 'language',
      unread: () => text.length,
      tolerance: 0,
      hasClaims: false,
      blocker: 'document_language',
    },
  }
}

function mixedLanguages(chance: Chance): Omit<TrialDocument, 'kind'> {
  const pairs = chance.between(2, 6)
  const german = Array.from({ length: pairs }, () => drawParagraph('german', chance.between(3, 5), chance))
  const english = figures(pairs, chance.between(3, 5), chance).map(
    (paragraph) => `${paragraph} ${drawParagraph('english', 2, chance)}`,
  )
  const unread = german.reduce((total, { length }) => total + length, 0)
  const text = english.flatMap((paragraph, at) => [paragraph, german[at] ?? '']).join(BREAK)
  return partly(text, {
    reason: 'language',
    unread: () => unread,
    tolerance: 0,
    blocker: 'document_language',
  })
}

function notText(format: 'base64' | 'binary' | 'html', text: string): Omit<TrialDocument, 'kind'> {
  const characters = Array.from(text).length
  return {
    type: 'txt',
    text,
    expected: {
      read: 'none',
      format,
      reason: 'not_text',
      unread: () => characters,
      tolerance: 0,
      hasClaims: false,
      blocker: 'document_unread',
    },
  }
}

function withoutClaims(kind: 'idle' | 'boilerplate', chance: Chance): Omit<TrialDocument, 'kind'> {
  const text = Array.from({ length: chance.between(1, 8) }, () =>
    drawParagraph(kind, chance.between(2, 5), chance),
  ).join(BREAK)
  return {
    type: 'txt',
    text,
    expected: {
      read: 'whole',
      format: 'text',
      language: 'en',
      unread: () => 0,
      tolerance: 0,
      hasClaims: false,
      blocker: 'document_without_claims',
    },
  }
}

function failing(chance: Chance): Omit<TrialDocument, 'kind'> {
  const good = figures(chance.between(3, 9), chance.between(1, 3), chance)
  const bad = Array.from(
    { length: chance.between(1, 3) },
    () => `${FAULT} ${drawSentence('figures', chance).toLowerCase()}`,
  )
  const unread = bad.reduce((total, { length }) => total + length, 0)
  const at = chance.between(0, good.length)
  const text = good.toSpliced(at, 0, ...bad).join(BREAK)
  return partly(text, {
    reason: 'failed',
    unread: () => unread,
    tolerance: 0,
    blocker: 'document_partly_read',
  })
}

/** Orders to whoever reads it, and a block of encoded bytes among paragraphs that are fine. */
function partlyHostile(chance: Chance): Omit<TrialDocument, 'kind'> {
  const { paragraphs, block } = hostileText(chance)
  const text = [...figures(2, 3, chance), ...paragraphs, ...figures(2, 2, chance)].join(BREAK)
  return partly(text, {
    reason: 'not_text',
    unread: () => block.length,
    tolerance: Math.ceil(block.length / 20),
    blocker: 'document_partly_read',
  })
}

function partly(
  text: string,
  why: Pick<ExpectedReport, 'reason' | 'unread' | 'tolerance' | 'blocker'>,
): Omit<TrialDocument, 'kind'> {
  return { type: 'txt', text, expected: { read: 'part', format: 'text', hasClaims: true, ...why } }
}
