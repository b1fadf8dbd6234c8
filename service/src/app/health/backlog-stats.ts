/** Reads the state of the backlog for the metrics, at most once in a few seconds. */
import { LEASE_SECONDS } from '../../domain/lease.ts'
import { selectAuditStats } from '../../store/audit/audit.ts'
import { createBacklogCursor } from '../../store/processing/backlog-hops.ts'
import { selectErasureStats } from '../../store/scopes/erasures.ts'
import { selectDispatcherLagMs } from '../../store/health/kernel-health.ts'
import { selectModelBacklog } from '../../store/model/model-backlog.ts'
import type { ModelBacklog } from '../../store/model/model-backlog.ts'
import type { Pool } from '../../store/pools.ts'
import { selectWorkStats } from '../../store/processing/work-stats.ts'

export interface BacklogStats {
  /** The number of waiting documents that may run, counted up to a maximum. */
  readonly waiting: number
  readonly oldestWaitMs: number | null
  /** The time since the oldest lease was renewed. Null while a shard has no holder. */
  readonly lagMs: number | null
  /** The age of the oldest audit entry that is not chained yet. Null if there is none. */
  readonly oldestUnchainedMs: number | null
  readonly model: ModelBacklog
  /** The number of scopes being erased, and the longest time without progress of one of them. */
  readonly erasures: number
  readonly erasureIdleMs: number | null
}

const FRESH_MS = 5_000

/** Returns undefined while the database does not answer, because a stale value would be wrong. Runs as the kernel role. */
export function createBacklogStats(
  kernel: Pool,
  monotonicMs: () => number,
): () => Promise<BacklogStats | undefined> {
  const backlog = createBacklogCursor()
  let asking: Promise<BacklogStats | undefined> | undefined
  let askedAt = -Infinity

  async function ask(): Promise<BacklogStats | undefined> {
    try {
      const [{ waiting, oldestWaitMs }, lagMs, { oldestUnchainedMs }, model, { running, idleMs }] =
        await Promise.all([
          selectWorkStats(kernel, backlog),
          selectDispatcherLagMs(kernel, LEASE_SECONDS),
          selectAuditStats(kernel),
          selectModelBacklog(kernel),
          selectErasureStats(kernel),
        ])
      const erasing = { erasures: running, erasureIdleMs: idleMs }
      return { waiting, oldestWaitMs, lagMs, oldestUnchainedMs, model, ...erasing }
    } catch {
      return undefined
    }
  }

  return () => {
    if (!asking || monotonicMs() - askedAt > FRESH_MS) {
      askedAt = monotonicMs()
      asking = ask()
    }
    return asking
  }
}
