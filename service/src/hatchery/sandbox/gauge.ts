/**
 * Reads the facts that the system has about a process: the memory it really holds, and the time it really ran. From /proc where there
 * is one (3 µs a look, through files kept open), else from `ps`, which lags behind by one look.
 */
import { execFile } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

export interface Gauge {
  /** Undefined when the process is gone or not yet known. */
  residentMb(): number | undefined
  /** The most it ever held; 0 where the system does not tell. */
  peakMb(): number
  /** How long its first thread has been on a core; undefined where the system does not tell. */
  ranMs(): number | undefined
  /** Asleep, and not merely waiting for a core. */
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
    // The state follows the name, which stands in brackets and may hold any character.
    isBlocked: () => /\) [^R]/.test(status?.read() ?? ''),
    close() {
      for (const file of [memory, schedule, status]) file?.close()
    },
  }
}

interface OneLine {
  /** Undefined when the process is gone. */
  read(): string | undefined
  close(): void
}

/** A file of one line. It stays open, so it can never come to mean another process with the same pid. */
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

/** statm counts pages, and their size differs between machines; the kernel hands it to every process as item 6. */
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

/** Exported for its test: no system that runs it lacks /proc. */
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
