/** How much of a document was read, in a few words. */
import type { Reading, ReadingReport, UnreadPart } from '../src/index.ts'

/** Both the report of a document and that of its event. */
export type AnyReading = Reading | ReadingReport

/** Never 100 while something is missing, and never 0 while something was read. */
export function percentRead({
  characters,
  characters_read: read,
}: Pick<AnyReading, 'characters' | 'characters_read'>): number {
  if (read >= characters) return 100
  return read === 0 ? 0 : Math.max(1, Math.min(99, Math.floor((100 * read) / characters)))
}

/** For a column: "read 33 % (limit)", "not read (language: de)". */
export function readCell(report: AnyReading): string {
  const reasons = report.unread.map((part) => reasonWord(part, report)).join(', ')
  if (report.read === 'none') return `not read (${reasons})`
  if (report.read === 'part') return `read ${percentRead(report)} % (${reasons})`
  return report.claims === 0 ? 'read 100 % (no claims)' : 'read 100 %'
}

/** The language of a report is that of most of its text, so a part in another language has no name. */
export function foreignLanguage({ read, language }: AnyReading): string | undefined {
  return read === 'none' || language !== 'en' ? language : undefined
}

function reasonWord({ reason }: UnreadPart, report: AnyReading): string {
  if (reason === 'not_text') return report.format === 'text' ? 'not text' : report.format
  if (reason !== 'language') return reason
  const language = foreignLanguage(report)
  return language === undefined || language === 'und' ? 'language' : `language: ${language}`
}
