/** A log that keeps its lines in memory, for tests that read what was written. */
import { createLog } from '../../src/platform/log.ts'
import type { Log } from '../../src/platform/log.ts'

export interface MemoryLog {
  readonly log: Log
  /** Every line so far, as it would reach the disk. */
  text(): string
  lines(): readonly Readonly<Record<string, unknown>>[]
}

export function createMemoryLog(level = 'trace'): MemoryLog {
  const written: string[] = []
  const log = createLog(level, 'test', { write: (line: string) => void written.push(line) })
  return {
    log,
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

export const silentLog: Log = createLog('silent', 'test')
