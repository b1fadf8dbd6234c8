/** The worker process: reads documents, each attempt in a sandbox. */
import { createAttempts } from '../app/attempts.ts'
import { createScopeSeals } from '../app/scope-seals.ts'
import { MAX_ATTEMPTS } from '../domain/retry.ts'
import { parseTarget } from '../domain/runtime.ts'
import { createBroker } from '../engine/broker.ts'
import { createPulse } from '../engine/heartbeat.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { createWorkQueue, LEASE_MS } from '../engine/work-queue.ts'
import { createSandbox } from '../hatchery/sandbox.ts'
import type { KernelConfig } from '../platform/config.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { Running } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { openPools } from '../store/pools.ts'
import { runAttempt } from '../worker/attempt.ts'
import type { AttemptDeps } from '../worker/attempt.ts'
import { decodeReading } from '../worker/reading.ts'
import type { Reading } from '../worker/reading.ts'
import { createWorker } from '../worker/worker.ts'
import { databasePart } from './database-part.ts'
import { createAnnouncer } from './announcer.ts'
import { describeSelf } from './self.ts'

/** How many documents may wait for the slow lane without taking room from others, for each that is worked on. */
const ASIDE = 8

export async function startWorker(config: KernelConfig, log: Log): Promise<Running> {
  const pools = openPools({ url: config.WORKER_DATABASE_URL, size: 4, log })
  const broker = createBroker(config.NATS_URL, log)
  const queue = createWorkQueue(broker, config.SUBJECT_PREFIX)
  const sandbox = createSandbox<Reading>({
    entry: new URL('./reader.ts', import.meta.url),
    size: config.READERS,
    slowSize: 1,
    // The longest text takes 10 ms on a quiet machine, and 100 ms when it is all short lines and the child is new.
    limits: { timeMs: 2_000, sliceMs: 500, memoryMb: 512 },
    quietMs: 2_000,
    decode: decodeReading,
    log,
  })
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const announcer = createAnnouncer(broker, subjects)
  const deps: Omit<AttemptDeps, 'read'> = {
    attempts: createAttempts({ pool: pools.tenant, maxAttempts: MAX_ATTEMPTS }),
    seals: createScopeSeals({ pool: pools.tenant, masterKeys: config.MASTER_KEY }),
    announceEvents: announcer.announce,
    random: Math.random,
    log,
  }
  const worker = createWorker({
    receive: queue.receive,
    attempt: (delivery, setAside) =>
      runAttempt({ ...deps, read: (task) => sandbox.run(task, { setAside }) }, delivery),
    capacity: config.WORKER_CAPACITY,
    capacityAside: ASIDE * config.WORKER_CAPACITY,
    renewEveryMs: LEASE_MS / 3,
    log,
  })
  // Lost announcements do no harm: what a restart takes back is fenced in Postgres, here processes are merely renewed.
  broker.listen(subjects.runtimeRestarted, (payload) => {
    const target = parseTarget(payload)
    if (target && worker.isConcerned(target)) sandbox.recycle()
  })
  const pulse = createPulse({
    broker,
    subject: subjects.heartbeat,
    describe: describeSelf('worker', () => ({
      inHand: worker.inHand(),
      processed: worker.counts.processed,
      failed: worker.counts.failed + worker.counts.exhausted,
      sinceCompletionMs: worker.sinceCompletionMs(),
    })),
  })
  const parts = [databasePart(pools), broker, sandbox, pulse, worker, pulse.farewell]
  const running = await startAll(parts, log)
  log.info('worker ready')
  return running
}
