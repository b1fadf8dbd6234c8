/** Draws `concord top` as lines of text. Pure. */
import { oneLine } from '@concord/cli/terminal'
import type { HatchSnapshot, RoleSnapshot, WorkerSnapshot } from '../app/health/hatchery-snapshot.ts'
import type { KernelReport } from '../app/health/kernel-health.ts'

export interface TopFrame {
  readonly at: Date
  readonly health: KernelReport
  readonly snapshot: HatchSnapshot
}

const SHOWN_DECISIONS = 5

/**
 * The previous frame gives the documents that each worker completed since. If a line is too long, whole columns are
 * hidden.
 */
export function drawTop(frame: TopFrame, before?: TopFrame, width = Infinity): string[] {
  const { health, snapshot, at } = frame
  return [
    `concord top   ${at.toISOString()}   ${health.status}   ${describeMovement(health)}`,
    ...pack(health.probes.map(describeProbe), width),
    `oldest queued ${span(health.oldestQueuedAgeMs)}   last completion ${ago(health.sinceCompletionMs)}`,
    ...health.probes.flatMap(({ name, detail }) =>
      detail === null ? [] : [`  ${name}: ${oneLine(detail)}`],
    ),
    '',
    ...table(ROLE_COLUMNS, snapshot.roles.map(roleCells), { width, spare: SPARE_ROLE_COLUMNS }),
    '',
    ...table(
      WORKER_COLUMNS,
      snapshot.workers.map((worker) => workerCells(worker, frame, before)),
      { width, spare: SPARE_WORKER_COLUMNS },
    ),
    ...describeHatcheries(snapshot),
    ...describeDecisions(snapshot),
  ]
}

function describeMovement({ moving, service }: KernelReport): string {
  if (moving) return 'work moves'
  if (service && service.state !== 'running')
    return `the service is ${service.state}; concord runtime ${service.state === 'paused' ? 'resume' : 'start'} lets work run again`
  return 'WORK DOES NOT MOVE'
}

function describeProbe({ name, ok, latencyMs }: KernelReport['probes'][number]): string {
  if (!ok) return `${name} FAILS`
  return latencyMs === null ? `${name} ok` : `${name} ok (${latencyMs.toFixed(1)} ms)`
}

const ROLE_COLUMNS = [
  'ROLE',
  'WANTED',
  'RUNNING',
  'STARTING',
  'BUSY',
  'MIN',
  'MAX',
  'WAITING',
  'OLDEST',
  'ARRIVE/S',
  'EACH/S',
  'ROOM TAKEN',
]

/** The columns that are hidden first on a narrow terminal. */
const SPARE_ROLE_COLUMNS = ['MIN', 'STARTING', 'MAX', 'EACH/S']

function roleCells({ figures, ...role }: RoleSnapshot): string[] {
  return [
    role.role,
    text(role.wanted),
    String(role.running),
    String(role.starting),
    String(role.busy),
    text(role.min),
    text(role.max),
    text(figures?.waiting),
    span(figures?.oldestWaitMs),
    rate(figures?.arrivalsPerSecond),
    rate(figures?.perWorker),
    share(figures?.utilisation),
  ]
}

const WORKER_COLUMNS = [
  'WORKER',
  'ROLE',
  'STATE',
  'IN HAND',
  'DONE',
  'FAILED',
  'DONE/S',
  'MEMORY',
  'UP',
  'HEARD',
  'LONGEST',
]

const SPARE_WORKER_COLUMNS = ['UP', 'HEARD', 'MEMORY']

function workerCells(worker: WorkerSnapshot, frame: TopFrame, before: TopFrame | undefined): string[] {
  const { current } = worker
  return [
    `${worker.host}:${worker.pid}`,
    worker.role,
    worker.state,
    String(worker.inFlight),
    String(worker.processed),
    String(worker.failed),
    rate(completedPerSecond(worker, frame, before)),
    `${Math.round(worker.memoryBytes / 1_048_576)} MB`,
    span(frame.at.getTime() - worker.startedAt),
    ago(worker.ageMs),
    current ? `${current.scopeId}/${current.documentId} (attempt ${current.attempt})` : '',
  ]
}

function completedPerSecond(
  { id, processed, failed }: WorkerSnapshot,
  frame: TopFrame,
  before: TopFrame | undefined,
): number | undefined {
  const earlier = before?.snapshot.workers.find((worker) => worker.id === id)
  if (!before || !earlier) return undefined
  const seconds = (frame.at.getTime() - before.at.getTime()) / 1_000
  return seconds > 0 ? (processed + failed - earlier.processed - earlier.failed) / seconds : undefined
}

function describeHatcheries({ hatcheries }: HatchSnapshot): string[] {
  if (hatcheries.length === 0) return ['', 'no hatchery: workers are started and stopped by hand']
  return [
    '',
    ...table(
      ['HATCHERY', 'DECIDES', 'WANTED', 'RUNNING', 'HEARD'],
      hatcheries.map(({ heartbeat, alive, ageMs }) => [
        `${heartbeat.host}:${heartbeat.pid}`,
        heartbeat.wishes === null ? '' : 'yes',
        String(heartbeat.broods.reduce((sum, { wanted }) => sum + wanted, 0)),
        String(heartbeat.broods.reduce((sum, { running }) => sum + running, 0)),
        alive ? ago(ageMs) : `lost, ${ago(ageMs)}`,
      ]),
    ),
  ]
}

function describeDecisions({ roles }: HatchSnapshot): string[] {
  const lines = roles.flatMap(({ role, decisions }) =>
    decisions
      .slice(0, SHOWN_DECISIONS)
      .map(
        ({ at, from, to, reason }) =>
          `  ${new Date(at).toISOString().slice(11, 19)}  ${role} ${from} to ${to}: ${oneLine(reason)}`,
      ),
  )
  return lines.length === 0 ? [] : ['', 'last decisions', ...lines]
}

/** Puts as many items on a line as fit. */
function pack(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)}   ${part}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

interface Room {
  readonly width: number
  readonly spare: readonly string[]
}

/** Aligns numbers to the right and words to the left. */
function table(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  room: Room = { width: Infinity, spare: [] },
): string[] {
  const drawn = drawTable(
    columns,
    rows.map((row) => row.map(oneLine)),
  )
  const [first, ...spare] = room.spare
  if (first === undefined || drawn.every((line) => line.length <= room.width)) return drawn
  const without = (line: readonly string[]) => line.filter((_, at) => columns[at] !== first)
  return table(without(columns), rows.map(without), { ...room, spare })
}

function drawTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [columns, ...rows]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const isNumber = columns.map((_, at) => rows.map((row) => row[at] ?? '').every(isFigure))
  return lines.map((line) =>
    line
      .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

function isFigure(cell: string): boolean {
  return /^(-|[\d.,]+( .+|%)?)$/.test(cell)
}

function text(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : String(value)
}

function rate(value: number | null | undefined): string {
  if (value === null || value === undefined) return '-'
  return value < 100 ? value.toFixed(1) : Math.round(value).toString()
}

function share(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : `${Math.round(value * 100)} %`
}

function span(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '-'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  return `${(ms / 3_600_000).toFixed(1)} h`
}

function ago(ms: number | null): string {
  return ms === null ? '-' : `${span(ms)} ago`
}
