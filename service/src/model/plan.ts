/** Plans how a document is read with a model: its format, structure, language, and the windows to ask about. Pure and linear. */
import { formatDay } from '../domain/period.ts'
import type { ContentFormat } from '../domain/reading-report.ts'
import { dateOf } from '@concord/reading/src/dating.ts'
import { blankOut, readContent } from '@concord/reading/src/content.ts'
import type { Span, Structure } from '@concord/reading/src/format.ts'
import { readLanguage } from '@concord/reading/src/language.ts'
import type { LanguageReading } from '@concord/reading/src/language.ts'
import { readStructure } from '@concord/reading/src/structure.ts'
import { findDefinitions } from './definitions.ts'
import type { Definition } from './definitions.ts'
import { holdsOrders } from './orders.ts'
import { planWindows } from './windows.ts'
import type { TextWindow } from './windows.ts'

export interface ReadingPlan {
  readonly text: string
  /** The text with line breaks in the place of blocks that are none, such as attachments. */
  readonly readable: string
  readonly format: ContentFormat
  readonly blocks: readonly Span[]
  readonly structure: Structure
  readonly language: LanguageReading
  readonly title: string | null
  /** The date of the document, as days since 1970-01-01. */
  readonly day: number | null
  readonly date: string | null
  readonly definitions: readonly Definition[]
  readonly windows: readonly TextWindow[]
  /** Whether the text addresses a machine that reads it. */
  readonly hasOrders: boolean
}

export function planReading(text: string): ReadingPlan {
  const { format, blocks } = readContent(text)
  const readable = format === 'text' ? blankOut(text, blocks) : ''
  const structure = readStructure(readable)
  const day = dateOf(readable, structure)
  // @point model.windows
  const windows = planWindows(readable, structure)
  return {
    text,
    readable,
    format,
    blocks: format === 'text' ? blocks : [[0, text.length]],
    structure,
    language: readLanguage(readable, structure),
    title: titleOf(readable, structure),
    day,
    date: day === null ? null : formatDay(day),
    definitions: windows.length > 1 ? findDefinitions(readable) : [],
    windows,
    hasOrders: holdsOrders(readable),
  }
}

const maxTitle = 200

function titleOf(text: string, { header, headings }: Structure): string | null {
  const span = header.title ?? headings[0]?.span
  if (span === undefined) return null
  return text
    .slice(...span)
    .replaceAll(/\s+/gu, ' ')
    .slice(0, maxTitle)
    .toWellFormed()
}
