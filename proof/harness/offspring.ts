/** The memory and the children of a process, and whether they outlived it. Where the system does not tell, there are none. */
import { readFileSync } from 'node:fs'

export interface Offspring {
  readonly pid: number
  /** Tells this life of the number from the next one that gets it. */
  readonly birth: string
}

export function childrenOf(pid: number): Offspring[] {
  const listed = read(`/proc/${pid}/task/${pid}/children`) ?? ''
  return listed
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => ({ pid: Number(each), birth: birthOf(Number(each)) ?? '' }))
    .filter(({ birth }) => birth !== '')
}

export function isAlive({ pid, birth }: Offspring): boolean {
  return birthOf(pid) === birth
}

/** The start time; undefined for a process that is gone or only waits to be buried. */
function birthOf(pid: number): string | undefined {
  const fields = statOf(pid)
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

function statOf(pid: number): readonly string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The name in brackets may hold blanks, so counting starts behind the last bracket.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** The processor time of the process and its children, in seconds; 0 for a process that is gone. */
export function processorSeconds(pid: number): number {
  // User and system time of the process, then those of its children that have ended.
  const own = (statOf(pid) ?? []).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  return childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child.pid), own / TICKS_PER_SECOND)
}

/** The processor time of all processes since the system started, in seconds. */
export function busySeconds(): number {
  const [, user = 0, nice = 0, system = 0] = (read('/proc/stat') ?? '').split(/\s+/, 4).map(Number)
  return (user + nice + system) / TICKS_PER_SECOND
}

/** The memory that it holds; 0 for a process that is gone. */
export function residentMb(pid: number): number {
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '') ?? []
  return Number(kilobytes) / 1024
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
