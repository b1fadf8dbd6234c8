/** The hatchery process: one a host, looks after the workers there. */
import { fileURLToPath } from 'node:url'
import { createHatcheries } from '../app/health/hatcheries.ts'
import { createKernelJournal } from '../app/events/kernel-journal.ts'
import { createPresence } from '../app/health/presence.ts'
import { createWorkMeter } from '../app/processing/work-meter.ts'
import { createBroker } from '../engine/broker.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { createBrood } from '../hatchery/brood.ts'
import type { BroodEvent } from '../hatchery/brood.ts'
import { createSupervisor } from '../hatchery/supervisor.ts'
import type { HatcheryConfig } from '../platform/config.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { Running } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { createBacklogCursor } from '../store/processing/backlog-hops.ts'
import { openPools } from '../store/pools.ts'
import { selectWorkStats } from '../store/processing/work-stats.ts'
import type { KernelEvent } from '../store/scopes/events.ts'
import { createHatcheryFigures } from '../telemetry/figures/hatchery.ts'
import { databasePart } from './database-part.ts'
import { nameSelf } from './self.ts'
import { openTelemetry } from './telemetry.ts'

const ROLE = 'worker'
const monotonicMs = () => performance.now()

export async function startHatchery(config: HatcheryConfig, log: Log): Promise<Running> {
  const pools = openPools({ url: config.WORKER_DATABASE_URL, size: 2, log })
  const broker = createBroker(config.NATS_URL, log)
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const { id, host, pid, startedAt } = nameSelf('hatchery')
  const presence = createPresence(monotonicMs)
  const hatcheries = createHatcheries(monotonicMs)
  broker.listen(subjects.heartbeat, presence.hear)
  broker.listen(subjects.hatchery, hatcheries.hear)
  const journal = createKernelJournal({ kernel: pools.kernel, log })
  const telemetry = await openTelemetry(config, 'hatchery', log)
  const { figures, told } = createHatcheryFigures(() => ({ ...brood.counts() }))
  telemetry.add(figures)
  const brood = createBrood({
    entry: fileURLToPath(new URL('./concord.ts', import.meta.url)),
    args: [ROLE, '--hatchery', id],
    environment: process.env,
    random: Math.random,
    tell(event) {
      told(event.kind)
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
    brood,
    hatcheries,
    meter: createWorkMeter({
      presence,
      readWork: () => selectWorkStats(pools.kernel, backlog),
      monotonicMs,
    }),
    isConnected: broker.isConnected,
    say: (said) => broker.announce(subjects.hatchery, JSON.stringify(said)),
    tell: ({ role, from, to, reason }) =>
      journal.note({ kind: 'scaling.decided', subject: role, data: { role, from, to, reason } }),
    nowMs: () => Date.now(),
    monotonicMs,
    log,
  })
  const parts = [...telemetry.parts, databasePart(pools, config, log), broker, journal, brood, supervisor]
  const running = await startAll(parts, log)
  log.info({ hatchery: id }, 'hatchery ready')
  return running
}

function toKernelEvent(event: BroodEvent, host: string): KernelEvent {
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
