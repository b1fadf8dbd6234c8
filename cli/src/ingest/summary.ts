/** What became of all of them. */
import { styleText } from 'node:util'
import { oneLine, plural } from '../words.ts'
import type { Standing, Step } from './board.ts'

export interface IngestSummary {
  readonly scope_id: string
  readonly documents: number
  /** Queued by this run. */
  readonly accepted: number
  /** Known before, with this content. */
  readonly repeated: number
  readonly processed: number
  readonly held: number
  /** Accepted, and not at an end when the run was. */
  readonly unfinished: number
  /** Never sent, because the run was interrupted. */
  readonly not_sent: number
  readonly failed: readonly { readonly path: string; readonly document_id: string; readonly reason: string }[]
  readonly left_out: number
  /** Opened in the scope during the run; null where that could not be followed. */
  readonly contradictions_opened: number | null
}

export function countSteps(standings: readonly Standing[]): Record<Step, number> {
  const count: Record<Step, number> = {
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
): IngestSummary {
  const count = countSteps(standings)
  return {
    scope_id: scopeId,
    documents: standings.length,
    accepted: standings.filter(({ accepted }) => accepted).length,
    repeated: standings.filter(({ repeated }) => repeated).length,
    processed: count.processed,
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
  }
}

const SHOWN_FAILURES = 20

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
    ...(opened === null ? [] : [openedLine(opened, summary.scope_id)]),
  ]
}

function optional(name: string, count: number): (readonly [string, number])[] {
  return count === 0 ? [] : [[name, count]]
}

function openedLine(opened: number, scopeId: string): string {
  if (opened === 0) return 'No contradiction was opened.'
  return `${plural(opened, 'contradiction')} opened: concord contradictions list ${scopeId}`
}
