/**
 * Reads a document: its structure, its claims with their offsets in code points, and a report on how much of it was read.
 * Pure, deterministic and linear in the length of the text.
 */
import type { Claim } from '../domain/claim.ts'
import type { ReadingReport } from '../domain/reading-report.ts'
import { readPassages } from './claims.ts'
import type { UnreadSpan } from './claims/collection.ts'
import { inCodePoints } from './code-points.ts'
import { blankOut, readContent } from './content.ts'
import type { Structure } from './format.ts'
import { readLanguage } from './language.ts'
import { createReport } from './report.ts'
import { readStructure } from './structure.ts'

export interface DocumentReading {
  readonly structure: Structure
  readonly claims: readonly Claim[]
  readonly report: ReadingReport
}

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
    report: createReport({ text, format, structure, language, claims: 0, unread }),
  }
}
