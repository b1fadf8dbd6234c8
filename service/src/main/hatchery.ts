/** The hatchery process: one on each host. It starts, watches, scales and retires the workers there. */
import { fileURLToPath } from 'node:url'
import { createHatcheries } from '../app/health/hatcheries.ts'
import { createKernelJournal } from '../app/events/kernel-journal.ts'
import { createPresence } from '../app/health/presence.ts'
import { createWorkMeter } from '../app/processing/work-meter.ts'
import { createBroker } from '../engine/broker.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { createWorkerPool } from '../hatchery/worker-pool.ts'
import type { WorkerPoolEvent } from '../hatchery/worker-pool.ts'
import { createSupervisor } from '../hatchery/supervisor.ts'
import type { HatcheryConfig } from '../platform/config.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { RunningParts } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { createBacklogCursor } from '../store/processing/backlog-hops.ts'
import { openPools } from '../store/pools.ts'
import { selectWorkStats } from '../store/processing/work-stats.ts'
import type { KernelEvent } from '../store/scopes/events.ts'
import { createHatcheryMetrics } from '../telemetry/metrics/hatchery.ts'
import { databasePart } from './database-part.ts'
import { nameSelf } from './self.ts'
import { openTelemetry } from './telemetry.ts'

const ROLE = 'worker'
const monotonicMs = () => performance.now()

export async function startHatchery(config: HatcheryConfig, log: Log): Promise<RunningParts> {
  const pools = openPools({ url: config.WORKER_DATABASE_URL, size: 2, log })
  const broker = createBroker(config.NATS_URL, log)
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const { id, host, pid, startedAt } = nameSelf('hatchery')
  const presence = createPresence(monotonicMs)
  const hatcheries = createHatcheries(monotonicMs)
  broker.listen(subjects.heartbeat, presence.record)
  broker.listen(subjects.hatchery, hatcheries.record)
  const journal = createKernelJournal({ kernel: pools.kernel, log })
  const telemetry = await openTelemetry(config, 'hatchery', log)
  const { metrics, count } = createHatcheryMetrics(() => ({ ...pool.counts() }))
  telemetry.add(metrics)
  const pool = createWorkerPool({
    entry: fileURLToPath(new URL('./concord.ts', import.meta.url)),
    args: [ROLE, '--hatchery', id],
    environment: process.env,
    random: Math.random,
    emit(event) {
      count(event.kind)
      journal.note(toKernelEvent(event, host))
    },
    monotonicMs,
    log,
  })
  const backlog = createBacklogCursor()
  const supervisor = createSupervisor({
    self: { id, host, pid, startedAt },
    role: ROLE,
    limits: { min: config.HATCHERY_MIN, max: config.HATCHERY_MAX },
    pool,
    hatcheries,
    meter: createWorkMeter({
      presence,
      readWork: () => selectWorkStats(pools.kernel, backlog),
      monotonicMs,
    }),
    isConnected: broker.isConnected,
    send: (heartbeat) => broker.announce(subjects.hatchery, JSON.stringify(heartbeat)),
    emit: ({ role, from, to, reason }) =>
      journal.note({ kind: 'scaling.decided', subject: role, data: { role, from, to, reason } }),
    nowMs: () => Date.now(),
    monotonicMs,
    log,
  })
  const parts = [...telemetry.parts, databasePart(pools, config, log), broker, journal, pool, supervisor]
  const running = await startAll(parts, log)
  log.info({ hatchery: id }, 'hatchery ready')
  return running
}

function toKernelEvent(event: WorkerPoolEvent, host: string): KernelEvent {
  const worker = { worker_id: event.id, role: ROLE, host }
  const subject = event.id
  switch (event.kind) {
    case 'worker.hatched':
      return { kind: event.kind, subject, data: worker }
    case 'worker.retired':
      return { kind: event.kind, subject, data: { ...worker, reason: event.reason } }
    case 'worker.lost':
      return { kind: event.kind, subject, data: { ...worker, heartbeat_age_ms: event.silentMs } }
  }
}
