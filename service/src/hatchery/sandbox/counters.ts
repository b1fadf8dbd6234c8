/** Counts the interrupts, kills and failures of a sandbox, for its metrics. */
import type { FailureReason, ReadingOutcome } from '../../domain/attempt.ts'
import type { KillReason } from './reading-pool.ts'

export interface SandboxCounters {
  readonly interrupted: number
  readonly killed: Readonly<Record<KillReason, number>>
  readonly failed: Readonly<Record<FailureReason, number>>
}

export interface Counters {
  countInterrupt(): void
  countKill(reason: KillReason): void
  countOutcome(outcome: ReadingOutcome<unknown>): void
  read(): SandboxCounters
}

export function createCounters(): Counters {
  let interrupted = 0
  const killed = { time_exceeded: 0, memory_exceeded: 0, aborted: 0, garbled: 0, spent: 0, recycled: 0 }
  const failed = { threw: 0, time_exceeded: 0, memory_exceeded: 0, crashed: 0 }
  return {
    countInterrupt: () => void (interrupted += 1),
    countKill: (reason) => void (killed[reason] += 1),
    countOutcome(outcome) {
      if (outcome.kind === 'failed') failed[outcome.reason] += 1
    },
    read: () => ({ interrupted, killed: { ...killed }, failed: { ...failed } }),
  }
}
