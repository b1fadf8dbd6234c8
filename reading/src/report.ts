/** Counts what was read of a document and what was not: passages, and characters as code points of the text. */
import { countCharacters } from './code-points.ts'
import type { Span, Structure } from './format.ts'
import type { LanguageReading } from './language.ts'

/** The format of the content, whatever its `type` says. */
export type ContentFormat = 'text' | 'html' | 'base64' | 'binary'

/**
 * Why something was not read: `limit`, the reader stops after a number of claims; `time` and `memory`, the reading was ended;
 * `language`, the reader cannot read it; `not_text`, there is no text to read; `failed`, the reader failed on it.
 */
export const UNREAD_REASONS = ['limit', 'time', 'memory', 'language', 'not_text', 'failed'] as const
export type UnreadReason = (typeof UNREAD_REASONS)[number]

export interface UnreadPart {
  readonly reason: UnreadReason
  readonly characters: number
  readonly passages: number
}

export interface ReadingReport {
  readonly reader: string
  readonly readerVersion: string
  readonly format: ContentFormat
  /** ISO 639-1 code of the language of most of the text; `und` where there are too few words to tell. */
  readonly language: string
  /** Between 0 and 1. */
  readonly languageConfidence: number
  readonly characters: number
  readonly charactersRead: number
  readonly passages: number
  readonly passagesRead: number
  /** One entry a reason, in the order of `UNREAD_REASONS`; empty where everything was read. */
  readonly unread: readonly UnreadPart[]
  readonly claims: number
  /** Claims whose quote was not found in the text, and which were dropped. */
  readonly quotesDropped: number
}

export type ReadExtent = 'whole' | 'part' | 'none'

export function extentOf({
  characters,
  charactersRead,
}: Pick<ReadingReport, 'characters' | 'charactersRead'>): ReadExtent {
  if (charactersRead === 0) return 'none'
  return charactersRead < characters ? 'part' : 'whole'
}

/** The reader that is built in. Its version changes with every change of what the rules read, so that a report says which rules read it. */
export const RULE_READER = { reader: 'rules', readerVersion: '1' } as const

/** A part of the text that was not read, and why. */
export interface UnreadSpan {
  readonly reason: UnreadReason
  readonly span: Span
  /** False for what is no passage of the structure, such as a heading. */
  readonly isPassage: boolean
}

/** The reasons that reading itself gives, in the order in which reports list them. Limits of time and memory act from outside. */
const reasons = ['limit', 'language', 'not_text', 'failed'] as const satisfies readonly UnreadReason[]

export interface ReadParts extends Pick<ReadingReport, 'reader' | 'readerVersion' | 'quotesDropped'> {
  readonly text: string
  readonly format: ContentFormat
  readonly structure: Structure
  readonly language: LanguageReading
  readonly claims: number
  /** None of them overlaps another one. */
  readonly unread: readonly UnreadSpan[]
}

/** White space, title, headings and drawn lines count as read unless a span holds them, or nothing was read. */
export function createReport({
  reader,
  readerVersion,
  quotesDropped,
  text,
  format,
  structure,
  language,
  claims,
  unread: spans,
}: ReadParts): ReadingReport {
  const characters = countCharacters(text, [0, text.length])
  const passages = structure.passages.length
  const counted = reasons.flatMap((reason) => countReason(text, reason, spans))
  const passagesRead = passages - sum(counted, 'passages')
  const isUnread = passages > 0 ? passagesRead === 0 : !language.isReadable
  const unread = isUnread ? withTheRest(counted, characters) : counted
  return {
    reader,
    readerVersion,
    format,
    language: language.language,
    languageConfidence: language.confidence,
    characters,
    charactersRead: characters - sum(unread, 'characters'),
    passages,
    passagesRead,
    unread,
    claims,
    quotesDropped,
  }
}

function countReason(text: string, reason: UnreadReason, spans: readonly UnreadSpan[]): UnreadPart[] {
  const those = spans.filter((each) => each.reason === reason)
  if (those.length === 0) return []
  return [
    {
      reason,
      characters: those.reduce((total, { span }) => total + countCharacters(text, span), 0),
      passages: those.filter(({ isPassage }) => isPassage).length,
    },
  ]
}

function sum(parts: readonly UnreadPart[], of: 'characters' | 'passages'): number {
  return parts.reduce((total, part) => total + part[of], 0)
}

/** Where no passage was read, a title or white space is no reading either: it goes to the reason with the most characters. */
function withTheRest(parts: readonly UnreadPart[], characters: number): UnreadPart[] {
  const [main] = parts.toSorted((a, b) => b.characters - a.characters)
  const rest = characters - sum(parts, 'characters')
  return parts.map((part) => (part === main ? { ...part, characters: part.characters + rest } : part))
}
