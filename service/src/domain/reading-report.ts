/**
 * The reading report of a document version: which reader read it, how much of it, and what was left unread and why. Counts
 * only, never content. Characters are Unicode code points of the text as it was accepted.
 */

/** What the text really is, whatever its `type` says. */
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
