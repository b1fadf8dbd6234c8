/** The view of a person while documents go through: a few lines that are drawn anew on a terminal, plain lines elsewhere. */
import { styleText } from 'node:util'
import { shorten } from '../../terminal/columns.ts'
import { oneLine, plural } from '../../terminal/words.ts'
import type { Board, Standing, IngestStep } from './board.ts'
import { countSteps } from './summary.ts'

export interface IngestProgress {
  /** Something happened to this one. */
  note(standing: Standing): void
  /** All documents are at their end, and so many comparisons are left. */
  compare(pending: number): void
  /** The last picture is gone or stays as it should; what comes after begins on a line of its own. */
  end(): void
}

const REDRAW_MS = 100
const SHOWN = 8

export function createProgress(
  scopeId: string,
  board: () => Board,
  opened: () => number | null,
): IngestProgress {
  return process.stderr.isTTY ? livePicture(scopeId, board, opened) : plainLines()
}

export const silentProgress: IngestProgress = {
  note: () => undefined,
  compare: () => undefined,
  end: () => undefined,
}

function plainLines(): IngestProgress {
  let isTold = false
  return {
    note(standing) {
      const line = endLine(standing)
      if (line) process.stderr.write(`${line}\n`)
    },
    compare(pending) {
      if (!isTold) process.stderr.write(`comparing  ${plural(pending, 'comparison')} left\n`)
      isTold = true
    },
    end: () => undefined,
  }
}

/** One line a document, when it has come as far as it goes. */
function endLine({ source, step, accepted, repeated, reason }: Standing): string | undefined {
  const path = oneLine(source.path)
  if (step === 'queued' && accepted) return `accepted   ${path}`
  if (step === 'processed') return `${repeated ? 'repeated  ' : 'processed '} ${path}`
  if (step === 'held' || step === 'failed') return `${step.padEnd(10)} ${path}: ${oneLine(reason ?? '')}`
  return undefined
}

function livePicture(scopeId: string, board: () => Board, opened: () => number | null): IngestProgress {
  const { stderr } = process
  let drawn = 0
  let shown = ''
  let left = 0
  const erase = () => (drawn === 0 ? '' : `\u001B[${drawn}A\u001B[J`)
  const draw = () => {
    const lines = drawProgress(
      scopeId,
      board().standings,
      { opened: opened(), pending: left },
      stderr.columns,
      stderr.rows,
    )
    const picture = lines.join('\n')
    // Drawn again only where something changed, so that the terminal does not flicker and a recording stays small.
    if (drawn > 0 && picture === shown) return
    stderr.write(`${erase()}${picture}\n`)
    drawn = lines.length
    shown = picture
  }
  const timer = setInterval(draw, REDRAW_MS)
  return {
    note(standing) {
      if (standing.step !== 'failed' && standing.step !== 'held') return
      const line = shorten(endLine(standing) ?? '', stderr.columns - 1)
      stderr.write(
        `${erase()}${styleText(standing.step === 'failed' ? 'red' : 'yellow', line, { stream: stderr })}\n`,
      )
      drawn = 0
      draw()
    },
    compare: (pending) => void (left = pending),
    end() {
      clearInterval(timer)
      stderr.write(erase())
      drawn = 0
    },
  }
}

const UNDER_WAY: readonly IngestStep[] = ['processing', 'queued', 'sending', 'reading']

export interface IngestFindings {
  readonly opened: number | null
  readonly pending: number
}

/** Those under way, the furthest first, and below them all of them together. */
export function drawProgress(
  scopeId: string,
  standings: readonly Standing[],
  findings: IngestFindings,
  columns: number,
  rows: number,
): string[] {
  const room = Math.max(0, Math.min(SHOWN, rows - 3))
  const active = UNDER_WAY.flatMap((step) => standings.filter((standing) => standing.step === step))
  const lines = active
    .slice(0, room)
    .map(({ step, source }) => `  ${shorten(`${step.padEnd(10)}  ${oneLine(source.path)}`, columns - 3)}`)
  return [
    ...lines.map((line) => styleText('dim', line, { stream: process.stderr })),
    totalLine(scopeId, standings, findings, columns),
  ]
}

function totalLine(
  scopeId: string,
  standings: readonly Standing[],
  { opened, pending }: IngestFindings,
  columns: number,
): string {
  const count = countSteps(standings)
  const done = count.processed + count.held + count.failed
  const facts = [
    `${done}/${standings.length}`,
    ...(['reading', 'sending', 'queued', 'processing', 'held', 'failed'] as const).flatMap((step) =>
      count[step] > 0 ? [`${count[step]} ${step}`] : [],
    ),
    ...(pending > 0 ? [`${plural(pending, 'comparison')} left`] : []),
    ...(opened ? [plural(opened, 'contradiction')] : []),
  ]
  const width = Math.max(10, Math.min(30, columns - 60))
  const full = Math.round((width * done) / Math.max(1, standings.length))
  const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
  return shorten(`${scopeId}  ${bar}  ${facts.join(' · ')}`, columns - 1)
}
