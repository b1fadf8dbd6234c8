/** Summarises all documents. */
import { styleText } from 'node:util'
import type { UnreadFilePart } from '@concord/client'
import { gapInWords, percentRead } from '../reading-view.ts'
import { oneLine, plural } from '../../terminal/words.ts'
import type { Standing, IngestStep } from './board.ts'

/** A processed document that was not read whole, or in which no claim was found. */
interface DocumentWithGap {
  readonly path: string
  readonly document_id: string
  readonly read: 'whole' | 'part' | 'none'
  readonly percent_read: number
  /** In half a sentence. */
  readonly reason: string
}

interface FileWithUnreadParts {
  readonly path: string
  readonly document_id: string
  readonly unread: readonly UnreadFilePart[]
}

export interface IngestSummary {
  readonly scope_id: string
  readonly documents: number
  /** Queued by this run. */
  readonly accepted: number
  /** Known before, with this content. */
  readonly repeated: number
  readonly processed: number
  readonly with_gaps: readonly DocumentWithGap[]
  /** Files of which pages, slides or attachments have no text that could be read. */
  readonly with_unread_parts: readonly FileWithUnreadParts[]
  readonly held: number
  /** Accepted, and not at an end when the run was. */
  readonly unfinished: number
  /** Never sent, because the run was interrupted. */
  readonly not_sent: number
  readonly failed: readonly { readonly path: string; readonly document_id: string; readonly reason: string }[]
  readonly left_out: number
  /** Opened in the scope during the run; null where that could not be followed. */
  readonly contradictions_opened: number | null
  /** Claims of the whole scope, how many were compared, and what is still to be compared; null where the run did not wait. */
  readonly comparisons: Comparisons | null
}

export interface Comparisons {
  readonly claims: number
  readonly compared: number
  /** Comparisons by a language model that were left when the run ended. */
  readonly pending: number
}

export function countSteps(standings: readonly Standing[]): Record<IngestStep, number> {
  const count: Record<IngestStep, number> = {
    waiting: 0,
    reading: 0,
    sending: 0,
    queued: 0,
    processing: 0,
    processed: 0,
    held: 0,
    failed: 0,
  }
  for (const { step } of standings) count[step] += 1
  return count
}

export function summarise(
  scopeId: string,
  standings: readonly Standing[],
  leftOut: number,
  opened: number | null,
  comparisons: Comparisons | null,
): IngestSummary {
  const count = countSteps(standings)
  return {
    scope_id: scopeId,
    documents: standings.length,
    accepted: standings.filter(({ accepted }) => accepted).length,
    repeated: standings.filter(({ repeated }) => repeated).length,
    processed: count.processed,
    with_gaps: standings.flatMap(findGap),
    with_unread_parts: standings.flatMap(({ source: { path, documentId }, unread }) =>
      unread.length === 0 ? [] : [{ path, document_id: documentId, unread }],
    ),
    held: count.held,
    unfinished: count.queued + count.processing,
    not_sent: count.waiting + count.reading + count.sending,
    failed: standings.flatMap(({ step, source, reason }) =>
      step === 'failed'
        ? [{ path: source.path, document_id: source.documentId, reason: reason ?? 'unknown' }]
        : [],
    ),
    left_out: leftOut,
    contradictions_opened: opened,
    comparisons,
  }
}

function findGap({ step, source, reading }: Standing): DocumentWithGap[] {
  const reason = step === 'processed' && reading !== null ? gapInWords(reading) : undefined
  if (reading === null || reason === undefined) return []
  const { path, documentId } = source
  return [{ path, document_id: documentId, read: reading.read, percent_read: percentRead(reading), reason }]
}

const SHOWN_FAILURES = 20
const SHOWN_GAPS = 20

export function describeSummary(summary: IngestSummary): string[] {
  const { failed } = summary
  const rows: (readonly [string, number])[] = [
    ['accepted', summary.accepted],
    ['repeated', summary.repeated],
    ['processed', summary.processed],
    ...optional('held', summary.held),
    ...optional('not finished yet', summary.unfinished),
    ...optional('not sent', summary.not_sent),
    ...optional('failed', failed.length),
    ...optional('other types, left out', summary.left_out),
  ]
  const opened = summary.contradictions_opened
  return [
    `${plural(summary.documents, 'document')} for ${summary.scope_id}: ${rows.map(([name, count]) => `${count} ${name}`).join(', ')}`,
    ...failed
      .slice(0, SHOWN_FAILURES)
      .map(({ path, reason }) => styleText('red', `  failed ${oneLine(path)}: ${oneLine(reason)}`)),
    ...(failed.length > SHOWN_FAILURES
      ? [`  and ${failed.length - SHOWN_FAILURES} more; --json has all`]
      : []),
    ...describeGaps(summary),
    ...describeUnreadParts(summary),
    ...(opened === null ? [] : [openedLine(opened, summary)]),
    ...pendingLine(summary),
  ]
}

function pendingLine({ scope_id: scopeId, comparisons }: IngestSummary): string[] {
  if (comparisons === null || comparisons.pending === 0) return []
  return [`${plural(comparisons.pending, 'comparison')} still to be made: concord summary ${scopeId}`]
}

function describeGaps({ processed, with_gaps: gaps }: IngestSummary): string[] {
  if (processed === 0) return []
  const unread = gaps.filter(({ read }) => read !== 'whole')
  const unclaimed = gaps.filter(({ read }) => read === 'whole')
  const named = unread.map(({ path, reason }) => styleText('yellow', `  ${oneLine(path)} (${reason})`))
  const done = `${plural(processed, 'document')} processed`
  return [
    unread.length === 0 ? `${done}, all read whole` : `${done}; ${unread.length} not read whole:`,
    ...cutShort(named),
    ...(unclaimed.length === 0
      ? []
      : [
          `no claim found in ${unclaimed.length}:`,
          ...cutShort(unclaimed.map(({ path }) => `  ${oneLine(path)}`)),
        ]),
  ]
}

function describeUnreadParts({ with_unread_parts: files }: IngestSummary): string[] {
  if (files.length === 0) return []
  const named = files.map(({ path, unread }) =>
    styleText('yellow', `  ${oneLine(path)} (${partsInWords(unread)})`),
  )
  return [`without text that could be read, such as scans, in ${files.length}:`, ...cutShort(named)]
}

const SHOWN_PARTS = 10

/** "pages 2, 5 and 12 more": a file has parts of one sort only. */
function partsInWords(unread: readonly UnreadFilePart[]): string {
  const [first] = unread
  if (!first) return ''
  const shown = unread.slice(0, SHOWN_PARTS).map(({ number }) => number)
  const more = unread.length - shown.length
  const numbers = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `${first.part}${unread.length === 1 ? '' : 's'} ${numbers}`
}

function cutShort(lines: readonly string[]): string[] {
  const more = lines.length - SHOWN_GAPS
  return more > 0 ? [...lines.slice(0, SHOWN_GAPS), `  and ${more} more; --json has all`] : [...lines]
}

function optional(name: string, count: number): (readonly [string, number])[] {
  return count === 0 ? [] : [[name, count]]
}

/** Silence is no agreement, so it comes with how much was compared. */
function openedLine(opened: number, { scope_id: scopeId, comparisons }: IngestSummary): string {
  if (opened > 0) return `${plural(opened, 'contradiction')} opened: concord contradictions list ${scopeId}`
  return comparisons === null
    ? 'No contradiction was opened so far.'
    : `Nothing new found; ${comparisons.compared} of ${plural(comparisons.claims, 'claim')} of the scope compared.`
}
