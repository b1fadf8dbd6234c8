/** The reading report in words: how much of a document was read, what was not and why, and what to do about it. */
import type { ReadingReport, UnreadPart, UnreadReason } from '@concord/client'
import { foreignLanguage, percentRead, readCell } from '@concord/client/report'
import type { AnyReading } from '@concord/client/report'
import { inThousands, plural } from '../terminal/words.ts'

export { percentRead, readCell }

/** In half a sentence, for a report of which something is missing; undefined for one that was read whole and has claims. */
export function gapInWords(report: AnyReading): string | undefined {
  const reasons = report.unread.map((part) => reasonInWords(part, report)).join('; ')
  if (report.read === 'none') return `not read: ${reasons}`
  if (report.read === 'part') return `${percentRead(report)} %: ${reasons}`
  return report.claims === 0 ? 'no claim found' : undefined
}

/** The whole report in sentences. */
export function describeReading(report: ReadingReport): string[] {
  const { characters, characters_read: read, passages, passages_read: passagesRead } = report
  const all = report.read === 'whole' ? 'Read whole' : report.read === 'part' ? 'Read in part' : 'Not read'
  return [
    `${all}: ${inThousands(read)} of ${inThousands(characters)} characters (${percentRead(report)} %)${passages === 0 ? '' : `, ${inThousands(passagesRead)} of ${plural(passages, 'passage')}`}.`,
    `The reader was "${report.reader}", version ${report.reader_version}. ${textInWords(report)}`,
    ...report.unread.map(
      (part) =>
        `${inThousands(part.characters)} characters${part.passages === 0 ? '' : ` in ${plural(part.passages, 'passage')}`} were not read: ${reasonInWords(part, report)}.`,
    ),
    claimsInWords(report),
    ...(report.quotes_dropped === 0
      ? []
      : [`${plural(report.quotes_dropped, 'claim')} dropped, because the quote is not in the text.`]),
    ...advice(report).map((what) => `What to do: ${what}`),
  ]
}

function claimsInWords({ claims, claims_compared: compared }: ReadingReport): string {
  if (claims === 0) return 'No claim was found in it.'
  return compared === null
    ? `${plural(claims, 'claim')}.`
    : `${plural(claims, 'claim')}, ${inThousands(compared)} compared with a claim of another document.`
}

function textInWords({ format, language, language_confidence: confidence }: AnyReading): string {
  if (format === 'base64' || format === 'binary') return `The content is ${format}, not text.`
  const named = language === 'und' ? 'of unknown language' : languageName(language)
  const sure = language === 'und' ? '' : ` (confidence ${confidence.toFixed(2)})`
  return `The text is ${format === 'html' ? 'HTML, ' : ''}${named}${sure}.`
}

function reasonInWords({ reason }: UnreadPart, report: AnyReading): string {
  switch (reason) {
    case 'limit':
      return 'more than 400 claims'
    case 'time':
      return 'reading took too long'
    case 'memory':
      return 'reading took too much memory'
    case 'not_text':
      return report.format === 'text' ? 'it holds no text' : `it is ${report.format}, not text`
    case 'failed':
      return 'the reader failed on it'
    case 'language': {
      const language = foreignLanguage(report)
      return language === undefined || language === 'und' ? 'in another language' : languageName(language)
    }
  }
}

const ADVICE: Readonly<Record<UnreadReason, string>> = {
  limit: 'split it, and send the parts as documents of their own.',
  time: 'split it, and send the parts as documents of their own.',
  memory: 'split it, and send the parts as documents of their own.',
  language: 'send a translation into English, or remove it.',
  not_text: 'send its text; "concord ingest FILE" takes the text out of PDF, DOCX and HTML files.',
  failed: 'retry it if it failed as a whole; else send the passages in other words.',
}

function advice({ unread, read, claims }: AnyReading): string[] {
  if (read === 'whole' && claims === 0) return ['nothing if it states no facts; else send it in other words.']
  return [...new Set(unread.map(({ reason }) => ADVICE[reason]))]
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

function languageName(code: string): string {
  try {
    return languages.of(code) ?? code
  } catch {
    return code
  }
}
