/**
 * Reads a document: its structure, its claims with their offsets in code points, and a report on how much of it was read.
 * Pure, deterministic and linear in the length of the text.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import { readPassages } from './claims.ts'
import { inCodePoints } from '@concord/reading/src/code-points.ts'
import { blankOut, readContent } from '@concord/reading/src/content.ts'
import type { Structure } from '@concord/reading/src/format.ts'
import { readLanguage } from '@concord/reading/src/language.ts'
import { createReport, RULE_READER } from '@concord/reading/src/report.ts'
import type { ReadingReport, UnreadSpan } from '@concord/reading/src/report.ts'
import { readStructure } from '@concord/reading/src/structure.ts'

export interface DocumentReading {
  readonly structure: Structure
  readonly claims: readonly Claim[]
  readonly report: ReadingReport
}

// The rules cut each quote out of the text itself, so there is none to drop.
const READER = { ...RULE_READER, quotesDropped: 0 }

export function readDocument(text: string): DocumentReading {
  // @point reading.format
  const { format, blocks } = readContent(text)
  if (format !== 'text') return leaveUnread(text, format)
  const rest = blankOut(text, blocks)
  const structure = readStructure(rest)
  const language = readLanguage(rest, structure)
  const { claims, unread } = readPassages(rest, structure, language)
  const notText = blocks.map((span): UnreadSpan => ({ reason: 'not_text', span, isPassage: false }))
  return {
    structure,
    claims: inCodePoints(text, claims),
    report: createReport({
      ...READER,
      text,
      format,
      structure,
      language,
      claims: claims.length,
      unread: [...unread, ...notText],
    }),
  }
}

/** A text that is none has no passages: they would be made of letters that mean something else. */
function leaveUnread(text: string, format: ReadingReport['format']): DocumentReading {
  const structure = readStructure('')
  const language = readLanguage('', structure)
  const unread: UnreadSpan[] = [{ reason: 'not_text', span: [0, text.length], isPassage: false }]
  return {
    structure,
    claims: [],
    report: createReport({ ...READER, text, format, structure, language, claims: 0, unread }),
  }
}
