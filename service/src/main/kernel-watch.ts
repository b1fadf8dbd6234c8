/**
 * How an API process watches the kernel: by heartbeats, by the rates of work, and by the health that follows from both.
 */
import { createHatcheries } from '../app/health/hatcheries.ts'
import type { SnapshotDeps } from '../app/health/hatchery-snapshot.ts'
import { createKernelHealth } from '../app/health/kernel-health.ts'
import type { KernelHealth } from '../app/health/kernel-health.ts'
import { createPresence } from '../app/health/presence.ts'
import type { Presence } from '../app/health/presence.ts'
import { createWorkMeter } from '../app/processing/work-meter.ts'
import type { Broker } from '../engine/broker.ts'
import type { Subjects } from '../engine/subjects.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { createBacklogCursor } from '../store/processing/backlog-hops.ts'
import { readMigrations } from '../store/schema/migrations.ts'
import type { Pools } from '../store/pools.ts'
import { selectWorkStats } from '../store/processing/work-stats.ts'

export interface KernelWatch extends Part {
  readonly kernelHealth: KernelHealth
  readonly presence: Presence
  readonly snapshot: SnapshotDeps
}

const MEASURE_EVERY_MS = 1_000
const monotonicMs = () => performance.now()

/** Listen from the start: only then does every live process become known. */
export async function watchKernel(
  pools: Pools,
  broker: Broker,
  subjects: Subjects,
  log: Log,
): Promise<KernelWatch> {
  const presence = createPresence(monotonicMs)
  const hatcheries = createHatcheries(monotonicMs)
  broker.listen(subjects.heartbeat, presence.record)
  broker.listen(subjects.hatchery, hatcheries.record)
  const { kernel } = pools
  const migrations = await readMigrations()
  const backlog = createBacklogCursor()
  const meter = createWorkMeter({ presence, readWork: () => selectWorkStats(kernel, backlog), monotonicMs })
  let timer: NodeJS.Timeout | undefined
  let measuring = false

  /** While the database is away the rates are missing. The health check reports the outage. */
  async function measure(): Promise<void> {
    if (measuring) return
    measuring = true
    await meter.sample().catch((error: unknown) => log.debug({ err: error }, 'work could not be measured'))
    measuring = false
  }

  return {
    name: 'kernel watch',
    presence,
    kernelHealth: createKernelHealth({
      kernel,
      broker,
      workSubjects: [subjects.work, subjects.priority],
      presence,
      hatcheries,
      migrations,
      monotonicMs,
    }),
    snapshot: { presence, hatcheries, meter },
    async start() {
      timer = setInterval(() => void measure(), MEASURE_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
