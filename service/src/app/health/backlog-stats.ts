/** How the backlog of the whole service stands, for whoever collects figures: asked at most once in a few seconds. */
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
  /** Documents that wait and may run; counted up to a bound. */
  readonly waiting: number
  readonly oldestWaitMs: number | null
  /** Since the lease that is furthest behind was renewed; null while a shard is nobody's. */
  readonly lagMs: number | null
  /** The age of the audit entry that waits longest for its place in the chain; null when none does. */
  readonly oldestUnchainedMs: number | null
  readonly model: ModelBacklog
  /** Scopes that are being reset or deleted, and how long the one that stands still has deleted nothing. */
  readonly erasures: number
  readonly erasureIdleMs: number | null
}

const FRESH_MS = 5_000

/** Runs as the kernel role. Undefined while the database does not answer: an old figure would be a lie. */
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
