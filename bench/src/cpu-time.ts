/**
 * Processor time of a process with all its children, dead ones included: what a server costs whose connections are
 * processes of their own. Read from /proc; elsewhere it is not known.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'

/** Linux counts in hundredths of a second here, on every machine it runs on. */
const TICKS_PER_SECOND = 100

interface Times {
  readonly parent: number
  readonly own: number
  /** The time of children that have ended. */
  readonly inherited: number
}

/** Servers by name; a pid that is not known is left out. */
export type Watched = Readonly<Record<string, number | undefined>>

/** Seconds so far, by name. */
export function cpuSecondsOfAll(watched: Watched): Record<string, number> {
  const known = Object.entries(watched).flatMap(([name, pid]) => {
    const seconds = pid === undefined ? undefined : cpuSecondsOf(pid)
    return seconds === undefined ? [] : [[name, seconds] as const]
  })
  return Object.fromEntries(known)
}

/** Works like the one above for one process, apart from its children. */
export function cpuSecondsAlone(pid: number): number {
  return (timesOf(pid)?.own ?? 0) / TICKS_PER_SECOND
}

/** The time that was spent between two readings for each 1,000 documents. */
export function perThousand(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  documents: number,
): Record<string, number> {
  const prices = Object.entries(after).map(([name, seconds]) => {
    return [name, ((seconds - (before[name] ?? 0)) / documents) * 1000] as const
  })
  return Object.fromEntries(prices)
}

function cpuSecondsOf(pid: number): number | undefined {
  const server = timesOf(pid)
  if (!server) return undefined
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .filter((times) => times?.parent === pid)
  const ticks = children.reduce((sum, times) => sum + (times?.own ?? 0), server.own + server.inherited)
  return ticks / TICKS_PER_SECOND
}

function timesOf(pid: number): Times | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  try {
    const stat = readFileSync(file, 'utf8')
    // The second field is the name in brackets and may hold blanks, so counting starts behind the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = (first: number) => Number(fields[first]) + Number(fields[first + 1])
    return { parent: Number(fields[1]), own: ticks(11), inherited: ticks(13) }
  } catch {
    // Ended between the two lines above.
    return undefined
  }
}
