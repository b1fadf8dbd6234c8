/**
 * Reads a document with a language model: asks about each window of a plan, keeps the claims whose quotes are in the
 * text, and reports what was read. The requests are its only side effect.
 */
import type { LocatedClaim } from '../domain/claim.ts'
import type { AskModel } from '../domain/model.ts'
import type { ReaderIdentity, ReadingReport } from '../domain/reading-report.ts'
import { inCodePoints } from '@concord/reading/src/code-points.ts'
import type { Span, Structure } from '@concord/reading/src/format.ts'
import { createReport } from '@concord/reading/src/report.ts'
import type { UnreadSpan } from '@concord/reading/src/report.ts'
import type { ReadingPlan } from './plan.ts'
import { extractPrompt } from './prompts/extract.ts'
import { readWindows } from './window-reading.ts'
import type { WindowReading } from './window-reading.ts'

export { planReading } from './plan.ts'
export type { ReadingPlan } from './plan.ts'

export interface ModelReading {
  readonly structure: Structure
  /** In the order of the text; spans in code points. */
  readonly claims: readonly LocatedClaim[]
  readonly report: ReadingReport
}

/**
 * Rejects with a `ModelFailure` if the endpoint or the budget is the cause. The whole document may be read later then.
 */
export async function readWithModel(
  plan: ReadingPlan,
  ask: AskModel,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<ModelReading> {
  const readings = await readWindows(plan, ask, signal)
  const claims = readings.flatMap((reading) => reading.claims).toSorted((a, b) => a.span[0] - b.span[0])
  return {
    structure: plan.structure,
    claims: inCodePoints(plan.text, claims),
    report: reportOn(plan, readings, claims.length),
  }
}

function reportOn(plan: ReadingPlan, readings: readonly WindowReading[], claims: number): ReadingReport {
  const { text, format, structure, language, blocks } = plan
  // @point model.unread-windows
  const failed = readings.filter(({ isRead }) => !isRead).map(({ span }) => span)
  const notText = blocks.map((span): UnreadSpan => ({ reason: 'not_text', span, isPassage: false }))
  const unread = [...unreadIn(structure, failed), ...notText]
  return createReport({
    reader: MODEL_READER.reader,
    readerVersion: `${nameOf(readings)}/${MODEL_READER.version}`,
    quotesDropped: readings.reduce((sum, { dropped }) => sum + dropped, 0),
    text,
    format,
    structure,
    language: { ...language, isReadable: true },
    claims,
    unread,
  })
}

export const MODEL_READER: ReaderIdentity = { reader: 'model', version: String(extractPrompt.version) }

const maxName = 80

function nameOf(readings: readonly WindowReading[]): string {
  const names = new Set(readings.map(({ model }) => model).filter((name) => name !== null))
  return [...names].toSorted().join('+').slice(0, maxName) || 'none'
}

/** A passage counts as unread if any part of it is in a window that was not read. */
function unreadIn({ passages, header }: Structure, failed: readonly Span[]): UnreadSpan[] {
  const isIn = ([start, end]: Span) => failed.some((window) => start < window[1] && end > window[0])
  const lost = passages
    .filter(({ span }) => isIn(span))
    .map(({ span }): UnreadSpan => ({ reason: 'failed', span, isPassage: true }))
  const fields = header.fields
    .filter(({ span }) => isIn(span))
    .map(({ span }): UnreadSpan => ({ reason: 'failed', span, isPassage: false }))
  if (failed.length === 0 || lost.length + fields.length > 0) return [...fields, ...lost]
  return failed.map((span) => ({ reason: 'failed', span, isPassage: false }))
}
