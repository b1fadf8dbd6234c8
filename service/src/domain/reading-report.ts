/**
 * The reading report of a document version: its reader, how much was read, and what was left unread and why. It has
 * counts and no content. Characters are Unicode code points of the accepted text.
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
 * The reason why a processed document does not count as read: a part is in a language that the reader cannot read, nothing
 * or not everything was read, or no claim was found.
 */
export type ReadingGap = 'language' | 'unread' | 'partly_read' | 'without_claims'

export function gapOf(report: ReadingReport): ReadingGap | null {
  if (report.unread.some(({ reason }) => reason === 'language')) return 'language'
  const extent = extentOf(report)
  if (extent === 'none') return 'unread'
  if (extent === 'part') return 'partly_read'
  return report.claims === 0 ? 'without_claims' : null
}

/** Creates the report of a document whose reading was aborted or failed. */
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

/** The report as it is stored and as events contain it. The fields have the names of the wire. */
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

/** A reader, without the model that it uses. */
export interface ReaderIdentity {
  readonly reader: string
  /** The version of its rules or its prompt: the last part of the version in a report. */
  readonly version: string
}
