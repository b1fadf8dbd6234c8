/**
 * Reads the resident memory and the CPU time of a process. The source is /proc (3 µs a read, through files kept open),
 * or `ps` on systems without it, which lags behind by one read.
 */
import { execFile } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

export interface Gauge {
  /** Undefined if the process has exited or is not known yet. */
  residentMb(): number | undefined
  /** The peak of resident memory; 0 where the system does not report it. */
  peakMb(): number
  /** The CPU time of the first thread; undefined where the system does not report it. */
  ranMs(): number | undefined
  /** Whether the process sleeps. A process that waits for a core is not blocked. */
  isBlocked(): boolean
  close(): void
}

export function openGauge(pid: number): Gauge {
  return openProcGauge(pid) ?? openPsGauge(pid)
}

function openProcGauge(pid: number): Gauge | undefined {
  const memory = openLine(`/proc/${pid}/statm`)
  if (!memory) return undefined
  const schedule = openLine(`/proc/${pid}/schedstat`)
  const status = openLine(`/proc/${pid}/stat`)
  const pageBytes = readPageBytes()
  return {
    residentMb() {
      const pages = memory.read()?.split(' ')[1]
      return pages === undefined ? undefined : (Number(pages) * pageBytes) / 2 ** 20
    },
    peakMb: () => readPeakMb(pid),
    ranMs() {
      const line = schedule?.read()
      return line === undefined ? undefined : Number.parseInt(line, 10) / 1e6
    },
    // The state follows the name, which is in parentheses and may contain any character.
    isBlocked: () => /\) [^R]/.test(status?.read() ?? ''),
    close() {
      for (const file of [memory, schedule, status]) file?.close()
    },
  }
}

interface OneLine {
  /** Undefined if the process has exited. */
  read(): string | undefined
  close(): void
}

/** Opens a file of one line. The file stays open, so it never refers to a later process with the same pid. */
function openLine(path: string): OneLine | undefined {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  const line = Buffer.alloc(512)
  return {
    read() {
      if (file === undefined) return undefined
      try {
        return line.toString('latin1', 0, readSync(file, line, 0, line.length, 0)) || undefined
      } catch {
        return undefined
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/**
 * statm counts pages, whose size differs between machines. The kernel gives the size to every process as auxv item 6.
 */
function readPageBytes(): number {
  const items = readFileSync('/proc/self/auxv')
  for (let at = 0; at + 16 <= items.length; at += 16)
    if (items.readBigUInt64LE(at) === 6n) return Number(items.readBigUInt64LE(at + 8))
  return 4096
}

function readPeakMb(pid: number): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Exported for its test, because systems that run the test have /proc. */
export function openPsGauge(pid: number): Gauge {
  let residentMb: number | undefined
  let asking = false
  function ask(): void {
    if (asking) return
    asking = true
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, stdout) => {
      asking = false
      residentMb = error ? undefined : Number(stdout) / 1024
    })
  }
  return {
    residentMb() {
      ask()
      return residentMb
    },
    peakMb: () => 0,
    ranMs: () => undefined,
    isBlocked: () => false,
    close: () => undefined,
  }
}
