/** The dispatcher process: it sends queued work to the broker for the shards it holds. */
import { hostname } from 'node:os'
import { createBacklogStats } from '../app/health/backlog-stats.ts'
import { createDependencyWatch } from '../app/health/dependency-watch.ts'
import { createPresence } from '../app/health/presence.ts'
import { createConvergenceTotals } from '../app/health/convergence-stats.ts'
import { createWorkDispatch } from '../app/processing/dispatch.ts'
import { createRetention } from '../app/upkeep/retention.ts'
import { createAuditChain } from '../dispatch/audit-chain.ts'
import { createDispatcher } from '../dispatch/dispatcher.ts'
import { createSweeper } from '../dispatch/sweeper.ts'
import { LEASE_SECONDS } from '../domain/lease.ts'
import { walksOf } from '../domain/retention.ts'
import type { RetentionSettings } from '../domain/retention.ts'
import { createBroker } from '../engine/broker.ts'
import type { Broker } from '../engine/broker.ts'
import { createPulse } from '../engine/heartbeat.ts'
import { pingBroker } from '../engine/ping.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { createWorkQueue } from '../engine/work-queue.ts'
import { createAuditor } from '../platform/audit-key.ts'
import type { KernelConfig } from '../platform/config.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { Part, RunningParts } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { pingDatabase } from '../store/ping.ts'
import { openPools } from '../store/pools.ts'
import type { Pool } from '../store/pools.ts'
import { selectSweepAges } from '../store/upkeep/retention.ts'
import { convergenceMetrics } from '../telemetry/metrics/convergence.ts'
import { dispatcherMetrics } from '../telemetry/metrics/dispatcher.ts'
import { retentionMetrics } from '../telemetry/metrics/retention.ts'
import type { BacklogNews } from './announcer.ts'
import { databasePart } from './database-part.ts'
import { describeSelf, nameSelf } from './self.ts'
import { countHeartbeats, openTelemetry } from './telemetry.ts'

/**
 * The documents of a tenant that may use the priority queue at a time. With more, the priority queue would be slow,
 * too.
 */
// @point dispatch.priority-limit
const PRIORITY_PER_TENANT = 4

/** A dispatcher has no documents in flight itself: dispatched work is with the broker or a worker. */
const NO_WORK = {
  inFlight: 0,
  processed: 0,
  failed: 0,
  sinceCompletionMs: null,
  capacity: 0,
  busyMs: 0,
  current: null,
}

/** Reads the retention from the settings. */
export function retentionOf(config: KernelConfig): RetentionSettings {
  return {
    keysSeconds: config.RETENTION_KEYS_SECONDS,
    versionsSeconds: config.RETENTION_VERSIONS_SECONDS,
    eventsSeconds: config.RETENTION_EVENTS_SECONDS,
  }
}

/** Watches the dependencies. The model counts as away if any worker that uses it reports a failure. */
function watchDependencies(
  kernel: Pool,
  broker: Broker,
  { holder, subject, log }: { readonly holder: string; readonly subject: string; readonly log: Log },
): Part {
  const presence = createPresence(() => performance.now())
  broker.listen(subject, presence.record)
  return createDependencyWatch({
    kernel,
    holder,
    pingDatabase: () => pingDatabase(kernel),
    pingBroker: () => pingBroker(broker),
    modelState() {
      const states = presence
        .members()
        .flatMap(({ alive, heartbeat }) => (alive && heartbeat.model ? [heartbeat.model] : []))
      return states.includes('failing') ? 'failing' : states[0]
    },
    log,
  })
}

export async function startDispatcher(config: KernelConfig, log: Log): Promise<RunningParts> {
  const pools = openPools({ url: config.WORKER_DATABASE_URL, size: 2, log })
  const broker = createBroker(config.NATS_URL, log)
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const holder = `${hostname()}:${process.pid}`
  const dispatch = createWorkDispatch({
    kernel: pools.kernel,
    queue: createWorkQueue(broker, config.SUBJECT_PREFIX, log),
    holder,
    leaseSeconds: LEASE_SECONDS,
    window: config.DISPATCH_WINDOW,
    priority: PRIORITY_PER_TENANT,
  })
  const dispatcher = createDispatcher({ dispatch, log, renewEveryMs: 1_000, lookEveryMs: 250, paceMs: 25 })
  broker.listen(subjects.backlogChanged, (news) => dispatcher.wake(news !== ('room' satisfies BacklogNews)))
  const settings = retentionOf(config)
  const retention = createRetention({ pools, settings, holder })
  const walks = walksOf(settings)
  const sweeper = createSweeper({ retention, walks, log, restMs: 100, lookEveryMs: 1_000 })
  const telemetry = await openTelemetry(config, 'dispatcher', log)
  const heartbeats = countHeartbeats(broker, 'dispatcher')
  const readBacklog = createBacklogStats(pools.kernel, () => performance.now())
  const { counts, shardsHeld } = dispatcher
  telemetry.add([
    heartbeats.metric,
    ...dispatcherMetrics({ counts, shardsHeld, readBacklog }),
    ...convergenceMetrics({ readTotals: createConvergenceTotals(pools.kernel, () => performance.now()) }),
    ...retentionMetrics({
      removed: retention.removed,
      walks,
      readAges: () => selectSweepAges(pools.kernel).catch(() => []),
    }),
  ])
  const pulse = createPulse({
    broker: heartbeats.broker,
    subject: subjects.heartbeat,
    describe: describeSelf(nameSelf('dispatcher'), () => NO_WORK),
  })
  const auditChain = createAuditChain({
    kernel: pools.auditChain,
    auditor: createAuditor(config.MASTER_KEY),
    log,
    lookEveryMs: 500,
    logEveryMs: 5_000,
  })
  const parts = [
    ...telemetry.parts,
    databasePart(pools, config, log),
    broker,
    pulse,
    auditChain,
    sweeper,
    dispatcher,
    watchDependencies(pools.kernel, broker, { holder, subject: subjects.heartbeat, log }),
    pulse.farewell,
  ]
  const running = await startAll(parts, log)
  log.info('dispatcher ready')
  return running
}
