/**
 * The reading report of a document version: which reader read it, how much of it, and what was left unread and why. Counts
 * only, never content. Characters are Unicode code points of the text as it was accepted.
 */
import { extentOf } from '@concord/reading/src/report.ts'
import type {
  ContentFormat,
  ReadExtent,
  ReadingReport,
  UnreadPart,
  UnreadReason,
} from '@concord/reading/src/report.ts'

export { extentOf, RULE_READER } from '@concord/reading/src/report.ts'
export type { ContentFormat, ReadExtent, ReadingReport, UnreadReason } from '@concord/reading/src/report.ts'

/**
 * The reason why a processed document does not count as read: something in a language that the reader cannot read, nothing or not
 * everything read, or no claim found in it.
 */
export type ReadingGap = 'language' | 'unread' | 'partly_read' | 'without_claims'

export function gapOf(report: ReadingReport): ReadingGap | null {
  if (report.unread.some(({ reason }) => reason === 'language')) return 'language'
  const extent = extentOf(report)
  if (extent === 'none') return 'unread'
  if (extent === 'part') return 'partly_read'
  return report.claims === 0 ? 'without_claims' : null
}

/** The report of a document whose reading was ended or failed as a whole. */
export function failedReport(
  reader: Pick<ReadingReport, 'reader' | 'readerVersion'>,
  characters: number,
  reason: UnreadReason,
): ReadingReport {
  return {
    ...reader,
    format: 'text',
    language: 'und',
    languageConfidence: 0,
    characters,
    charactersRead: 0,
    passages: 0,
    passagesRead: 0,
    unread: [{ reason, characters, passages: 0 }],
    claims: 0,
    quotesDropped: 0,
  }
}

/** The report as it is kept, and as events tell it: its names are those of the wire. */
export interface StoredReport {
  readonly reader: string
  readonly reader_version: string
  readonly read: ReadExtent
  readonly format: ContentFormat
  readonly language: string
  readonly language_confidence: number
  readonly characters: number
  readonly characters_read: number
  readonly passages: number
  readonly passages_read: number
  readonly unread: readonly UnreadPart[]
  readonly claims: number
  readonly quotes_dropped: number
}

export function toStoredReport(report: ReadingReport): StoredReport {
  return {
    reader: report.reader,
    reader_version: report.readerVersion,
    read: extentOf(report),
    format: report.format,
    language: report.language,
    language_confidence: report.languageConfidence,
    characters: report.characters,
    characters_read: report.charactersRead,
    passages: report.passages,
    passages_read: report.passagesRead,
    unread: report.unread,
    claims: report.claims,
    quotes_dropped: report.quotesDropped,
  }
}

/** A reader, whichever model it asks. */
export interface ReaderIdentity {
  readonly reader: string
  /** The version of its rules or of its prompt: the last part of the version in a report. */
  readonly version: string
}
