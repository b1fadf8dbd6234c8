/** The dispatcher process: releases work to the broker for the shards it holds. */
import { hostname } from 'node:os'
import { createReleasing } from '../app/releasing.ts'
import { createDispatcher } from '../dispatch/dispatcher.ts'
import { LEASE_SECONDS } from '../domain/lease.ts'
import { createBroker } from '../engine/broker.ts'
import { createPulse } from '../engine/heartbeat.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { createWorkQueue } from '../engine/work-queue.ts'
import type { KernelConfig } from '../platform/config.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { Running } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { openPools } from '../store/pools.ts'
import { databasePart } from './database-part.ts'
import { describeSelf } from './self.ts'

/** It has nothing of its own in hand: what it releases is with the broker or with a worker. */
const NO_WORK = { inHand: 0, processed: 0, failed: 0, sinceCompletionMs: null }

export async function startDispatcher(config: KernelConfig, log: Log): Promise<Running> {
  const pools = openPools({ url: config.WORKER_DATABASE_URL, size: 2, log })
  const broker = createBroker(config.NATS_URL, log)
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const releasing = createReleasing({
    kernel: pools.kernel,
    queue: createWorkQueue(broker, config.SUBJECT_PREFIX),
    holder: `${hostname()}:${process.pid}`,
    leaseSeconds: LEASE_SECONDS,
    window: config.DISPATCH_WINDOW,
  })
  const dispatcher = createDispatcher({ releasing, log, renewEveryMs: 1_000, lookEveryMs: 250 })
  broker.listen(subjects.backlogChanged, dispatcher.wake)
  const pulse = createPulse({
    broker,
    subject: subjects.heartbeat,
    describe: describeSelf('dispatcher', () => NO_WORK),
  })
  const running = await startAll([databasePart(pools), broker, pulse, dispatcher, pulse.farewell], log)
  log.info('dispatcher ready')
  return running
}
