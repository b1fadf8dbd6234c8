import type { ReadingReport } from '../../src/domain/reading-report.ts'

/** The report of an English text of which everything was read. */
export function makeReport(changes: Partial<ReadingReport> = {}): ReadingReport {
  return {
    reader: 'rules',
    readerVersion: '1',
    format: 'text',
    language: 'en',
    languageConfidence: 1,
    characters: 120,
    charactersRead: 120,
    passages: 3,
    passagesRead: 3,
    unread: [],
    claims: 0,
    quotesDropped: 0,
    ...changes,
  }
}
