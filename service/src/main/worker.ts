/** The worker process: it reads documents in a sandbox and compares their claims. */
import { createAttempts } from '../app/processing/attempts.ts'
import { createPolicies } from '../app/access/policies.ts'
import { createScopeSeals } from '../app/scopes/scope-seals.ts'
import { MAX_STARTS } from '../domain/retry.ts'
import type { Vitals } from '../domain/heartbeat.ts'
import { RULE_READER } from '../domain/reading-report.ts'
import { parseTarget } from '../domain/runtime.ts'
import { createBroker } from '../engine/broker.ts'
import { createPulse } from '../engine/heartbeat.ts'
import { subjectsOf } from '../engine/subjects.ts'
import { createWorkQueue, RENEW_MS } from '../engine/work-queue.ts'
import type { Sandbox } from '../hatchery/sandbox.ts'
import { MODEL_READER } from '../model/reading.ts'
import { createAuditor } from '../platform/audit-key.ts'
import type { Judge } from '../judging/judge.ts'
import type { KernelConfig } from '../platform/config.ts'
import { createPolicyEngine } from '../policy/engine.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { RunningParts } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { pingDatabase } from '../store/ping.ts'
import { openPools } from '../store/pools.ts'
import type { Pools } from '../store/pools.ts'
import { runAttempt } from '../worker/attempt.ts'
import type { AttemptDeps } from '../worker/attempt.ts'
import { createDatabaseBreaker } from '../worker/database-breaker.ts'
import { createParking } from '../worker/parking.ts'
import { createGroupComparer } from '../worker/group-comparer.ts'
import { createRereader } from '../worker/rereads.ts'
import { createWorker } from '../worker/worker.ts'
import type { Worker } from '../worker/worker.ts'
import { databasePart } from './database-part.ts'
import { createAnnouncer } from './announcer.ts'
import { openFactComparer } from './fact-comparer.ts'
import { createParentHeartbeat } from './parent-heartbeat.ts'
import { openCompareThread } from './compare-thread.ts'
import { logCompareErrors } from './compare-errors.ts'
import { openJudge } from './judge.ts'
import { openModel } from './model.ts'
import type { OpenedModel } from './model.ts'
import { describeSelf, nameSelf } from './self.ts'
import { countHeartbeats, openTelemetry } from './telemetry.ts'
import { createReaders } from './worker-readers.ts'
import { createWorkerSandbox } from './worker-sandbox.ts'
import { observeWorker } from './worker-telemetry.ts'

/** For each document of capacity, this many may wait for the slow pool without using capacity. */
const PARKED_PER_CAPACITY = 16
/** The documents that wait without using capacity may take this much memory together. */
const MAX_PARKED_BYTES = 256 * 1_048_576

/** `hatchery`: the id of the hatchery that started this worker, if any. */
export async function startWorker(config: KernelConfig, log: Log, hatchery?: string): Promise<RunningParts> {
  const self = nameSelf('worker', hatchery)
  const { pools, broker, queue, subjects, announceEvents } = openConnections(config, log)
  const maxParked = Math.max(PARKED_PER_CAPACITY * config.WORKER_CAPACITY, config.MODEL_CONCURRENCY)
  const sandbox = createWorkerSandbox(config, maxParked, log)
  const shared = openShared(config, pools, log)
  const comparer = openComparer(config, log)
  const { completeHeavy, compareGroups: compare } = comparer
  const attempts = createAttempts({ ...shared, pool: pools.tenant, maxStarts: MAX_STARTS, completeHeavy })
  const breaker = createDatabaseBreaker(() => pingDatabase(pools.tenant))
  const deps = { ...shared, attempts, announceEvents, onDatabaseAway: breaker.trip, random: Math.random, log }
  const telemetry = await openTelemetry(config, 'worker', log)
  const parking = createParking({ touch: attempts.touch, log })
  const model = await openModel(config, { ...shared, pools, parking, telemetry, log })
  // The metrics need the worker, and the worker calls `onEnd` of the metrics.
  const onEnd: AttemptDeps['onEnd'] = (...attempt) => observed.onEnd(...attempt)
  const worker = createWorker({
    receive: queue.receive,
    attempt: (delivery, progress) => {
      const { started, stopping, yieldPriority } = progress
      const readers = createReaders({ sandbox, parking, model }, progress)
      return runAttempt({ ...deps, ...readers, started, onHeavy: yieldPriority, onEnd, stopping }, delivery)
    },
    capacity: config.WORKER_CAPACITY,
    maxParked,
    maxParkedBytes: MAX_PARKED_BYTES,
    renewEveryMs: RENEW_MS,
    breaker,
    log,
  })
  broker.listen(subjects.runtimeRestarted, recycleOnRestart(worker, sandbox))
  const heartbeats = countHeartbeats(broker, 'worker')
  telemetry.add([heartbeats.metric])
  const observed = observeWorker(telemetry, { worker, sandbox, pool: pools.tenant, log })
  const judge = await openJudge(config, { ...shared, pools, announceEvents, telemetry, log })
  const factComparer =
    model && openFactComparer(config, model, { ...shared, pools, announceEvents, telemetry, log })
  const today = model ? MODEL_READER : { ...RULE_READER, version: RULE_READER.readerVersion }
  const rereader = createRereader({ pools, today, announceEvents, log })
  const groupComparer = createGroupComparer({ pools, compare, announceEvents, log })
  const describe = describeSelf(self, () => vitalsOf(worker, judge, model))
  const pulse = createPulse({ broker: heartbeats.broker, subject: subjects.heartbeat, describe })
  const running = await startAll(
    [
      ...telemetry.parts,
      databasePart(pools, config, log),
      broker,
      sandbox,
      pulse,
      observed,
      ...(judge ? [judge] : []),
      ...(model ? [model.part, parking] : []),
      ...(factComparer ? [factComparer] : []),
      comparer,
      groupComparer,
      rereader,
      worker,
      pulse.farewell,
      ...(hatchery ? [createParentHeartbeat(self.id)] : []),
    ],
    log,
  )
  log.info('worker ready')
  return running
}

function openConnections(config: KernelConfig, log: Log) {
  const pools = openWorkerPools(config, log)
  const broker = createBroker(config.NATS_URL, log)
  const queue = createWorkQueue(broker, config.SUBJECT_PREFIX)
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const { announce: announceEvents } = createAnnouncer(broker, subjects, 'room')
  return { pools, broker, queue, subjects, announceEvents }
}

/**
 * The pool has three connections to start attempts and three to complete them. Traces need one more, and a judge two. A
 * language model needs six: four for stored answers and two for comparisons.
 */
function openWorkerPools(config: KernelConfig, log: Log): Pools {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: traces, JUDGE_URL: judged, MODEL_URL: reading } = config
  const size =
    6 + (traces === undefined ? 0 : 1) + (judged === undefined ? 0 : 2) + (reading === undefined ? 0 : 6)
  return openPools({ url: config.WORKER_DATABASE_URL, size, log, pipelined: true })
}

/** The dependencies of everything that changes scopes in a worker. */
function openShared({ MASTER_KEY: masterKeys }: KernelConfig, { tenant: pool }: Pools, log: Log) {
  return {
    seals: createScopeSeals({ pool, masterKeys }),
    policies: createPolicies({ pool, engine: createPolicyEngine() }),
    auditor: createAuditor(masterKeys),
    onCompareError: logCompareErrors(log),
  }
}

function openComparer({ WORKER_DATABASE_URL: url, MASTER_KEY: masterKeys }: KernelConfig, log: Log) {
  return openCompareThread({ url, masterKeys }, log)
}

/**
 * Restarts the reading processes if the announced restart of a runtime concerns a document in flight. A lost
 * announcement does no harm: Postgres fences attempts.
 */
function recycleOnRestart(
  worker: Worker,
  sandbox: Pick<Sandbox<unknown>, 'recycle'>,
): (payload: string) => void {
  return (payload) => {
    const target = parseTarget(payload)
    if (target && worker.isConcerned(target)) sandbox.recycle()
  }
}

function vitalsOf(
  worker: Worker,
  judge: Judge | undefined,
  model: OpenedModel | undefined,
): Omit<Vitals, 'memoryBytes'> {
  const oldest = worker.oldest()
  return {
    inFlight: worker.inFlight(),
    processed: worker.counts.processed,
    failed: worker.counts.failed + worker.counts.exhausted,
    sinceCompletionMs: worker.sinceCompletionMs(),
    capacity: worker.capacity,
    busyMs: worker.busyMs(),
    current: oldest
      ? {
          tenantId: oldest.message.tenantId,
          scopeId: oldest.message.scopeId,
          documentId: oldest.message.documentId,
          attempt: oldest.attempt,
          forMs: oldest.forMs,
        }
      : null,
    judge: judge?.state(),
    model: model?.state(),
  }
}
