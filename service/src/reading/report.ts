/** Counts what was read of a document and what was not: passages, and characters as code points of the text. */
import type {
  ContentFormat,
  ReadingReport,
  RULE_READER,
  UnreadPart,
  UnreadReason,
} from '../domain/reading-report.ts'
import type { UnreadSpan } from './claims/collection.ts'
import { countCharacters } from './code-points.ts'
import type { Structure } from './format.ts'
import type { LanguageReading } from './language.ts'

const READER: typeof RULE_READER = { reader: 'rules', readerVersion: '1' }

/** The reasons that reading itself gives, in the order in which reports list them. Limits of time and memory act from outside. */
const reasons = ['limit', 'language', 'not_text', 'failed'] as const satisfies readonly UnreadReason[]

export interface ReadParts {
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
    ...READER,
    format,
    language: language.language,
    languageConfidence: language.confidence,
    characters,
    charactersRead: characters - sum(unread, 'characters'),
    passages,
    passagesRead,
    unread,
    claims,
    // The rules cut each quote out of the text itself, so there is none to drop.
    quotesDropped: 0,
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
