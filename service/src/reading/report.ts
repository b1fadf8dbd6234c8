/** Counts what was read of a document and what was not: passages, and characters as code points of the text. */
import type { ReadingReport, RULE_READER, UnreadPart, UnreadReason } from '../domain/reading-report.ts'
import type { UnreadSpan } from './claims/collection.ts'
import { countCharacters } from './code-points.ts'
import type { Structure } from './format.ts'

const READER: typeof RULE_READER = { reader: 'rules', readerVersion: '1' }

/** The reasons that reading itself gives, in the order in which reports list them. Limits of time and memory act from outside. */
const reasons = ['limit', 'language', 'not_text', 'failed'] as const satisfies readonly UnreadReason[]

/** Spans must not overlap. White space, title, headings and drawn lines count as read unless a span holds them, or nothing was read. */
export function createReport(
  text: string,
  structure: Structure,
  claims: number,
  spans: readonly UnreadSpan[],
): ReadingReport {
  const characters = countCharacters(text, [0, text.length])
  const passages = structure.passages.length
  const counted = reasons.flatMap((reason) => countReason(text, reason, spans))
  const passagesRead = passages - sum(counted, 'passages')
  const unread = passages > 0 && passagesRead === 0 ? withTheRest(counted, characters) : counted
  return {
    ...READER,
    format: 'text',
    language: structure.language === 'en' ? 'en' : 'und',
    languageConfidence: structure.language === 'en' ? 1 : 0,
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
