/** Works a backlog off: with our processes, or with the bare loop. */
import { setTimeout as delay } from 'node:timers/promises'
import { asSuperuser } from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import { BARE_LOOP_BATCH } from './client.ts'
import { cpuSecondsAlone, cpuSecondsOfAll, perThousand } from './cpu-time.ts'
import type { IngestStage } from './ingest-stage.ts'
import { runClient } from './run-client.ts'
import type { LoadResult } from './summary.ts'

export interface Kernel {
  readonly worker: Child
  readonly dispatcher: Child
}

interface Waits {
  readonly processed: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
}

export async function startKernel({ deployment }: IngestStage): Promise<Kernel> {
  const worker = await deployment.startKernel('worker', { LOG_LEVEL: 'info' })
  return { worker, dispatcher: await deployment.startKernel('dispatcher', { LOG_LEVEL: 'info' }) }
}

export async function stopKernel({ worker, dispatcher }: Kernel): Promise<void> {
  await Promise.all([worker.stop(), dispatcher.stop()])
}

export function workOffBare(stage: IngestStage, documents: number): Promise<LoadResult> {
  const { services, deployment, tenantId } = stage
  return runClient('bare-loop', {
    bytes: 0,
    inFlight: 1,
    warmUpSeconds: 0,
    seconds: 300,
    calls: Math.ceil(documents / BARE_LOOP_BATCH),
    watch: { Postgres: services.postgres.pid },
    target: {
      databaseUrl: services.postgres.url('superuser', deployment.databaseName),
      tenantId,
      scopeId: 'bare',
    },
  })
}

/** From the moment both processes run until nothing waits, by Postgres' clock; their start-up is not counted. */
export async function workOff(stage: IngestStage): Promise<LoadResult> {
  const kernel = await startKernel(stage)
  try {
    const before = readCpu(stage, kernel)
    const since = await readClock(stage)
    await untilIdle(stage)
    const after = readCpu(stage, kernel)
    // Claimed to processed: how long the backlog had to wait before says nothing.
    const { processed, seconds, p50, p99 } = await readWaits(stage, { from: 'started_at', since })
    const cpuPerThousand = perThousand(before, after, processed)
    return { perSecond: processed / seconds, p50Ms: p50, p99Ms: p99, failed: 0, cpuPerThousand }
  } finally {
    await stopKernel(kernel)
  }
}

const LOOK_MS = 500
const IDLE_LOOK_MS = 200
/** Each has done so many before anything counts: processes that have just come up are slower. */
const WARM_UP = 500

interface Pace {
  readonly perSecond: number
  /** Seconds of processor time for each 1,000 documents. */
  readonly cpuPerThousand: Record<string, number>
}

/**
 * Works several backlogs off at the same time, each with processes of its own, and returns how many documents a second each
 * did while all had something to do, and what they cost. Whatever else slows the machine down slows them alike.
 */
export async function workOffTogether(stages: readonly IngestStage[]): Promise<Pace[]> {
  const kernels = await Promise.all(stages.map(startKernel))
  try {
    const look = async () => {
      await delay(LOOK_MS)
      const at = performance.now()
      const waiting = await Promise.all(stages.map(countWaiting))
      const cpu = await Promise.all(
        kernels.map(async (kernel, index) => readOwnCpu(stages[index] as IngestStage, kernel)),
      )
      return { at, waiting, cpu }
    }
    const first = await look()
    let from = first
    while (from.waiting.some((left, index) => left > (first.waiting[index] ?? 0) - WARM_UP))
      from = await look()
    let [last, next] = [from, await look()]
    while (next.waiting.every((left) => left > 0)) [last, next] = [next, await look()]
    for (const stage of stages) await untilIdle(stage)
    const seconds = (last.at - from.at) / 1000
    return stages.map((_, index) => {
      const done = (from.waiting[index] ?? 0) - (last.waiting[index] ?? 0)
      const cpuPerThousand = perThousand(from.cpu[index] ?? {}, last.cpu[index] ?? {}, done)
      return { perSecond: done / seconds, cpuPerThousand }
    })
  } finally {
    await Promise.all(kernels.map(stopKernel))
  }
}

async function countWaiting(stage: IngestStage): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    stage,
    `select ((select count(*) from work) + (select count(*) from comparison_steps))::int as waiting`,
  )
  return row?.waiting ?? 0
}

/** How long nothing may be done before it is clear that nothing will be; how long all of it takes is what is measured. */
const STANDSTILL_MS = 120_000

export async function untilIdle(stage: IngestStage): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY
  let since = performance.now()
  for (;;) {
    const waiting = await countWaiting(stage)
    if (waiting === 0) return
    if (waiting < fewest) [fewest, since] = [waiting, performance.now()]
    else if (performance.now() - since > STANDSTILL_MS)
      throw new Error(`${waiting} documents wait, and none was done for ${STANDSTILL_MS / 1000} s`)
    await delay(IDLE_LOOK_MS)
  }
}

export async function readClock(stage: IngestStage): Promise<string> {
  const [row] = await query<{ now: string }>(stage, 'select clock_timestamp()::text as now')
  return row?.now ?? ''
}

/** Reads of the documents that ended since how many there are, over what time, and how long each took, in milliseconds. */
export async function readWaits(
  stage: IngestStage,
  { from, since }: { from: 'queued_at' | 'started_at'; since: string },
): Promise<Waits> {
  const [waits] = await query<Waits>(
    stage,
    `select count(*)::int as processed, extract(epoch from max(ended_at) - $1)::float as seconds,
            percentile_cont(0.5) within group (order by ms) as p50,
            percentile_cont(0.99) within group (order by ms) as p99
       from (select ended_at, extract(epoch from ended_at - ${from})::float * 1000 as ms
               from document_versions where ended_at > $1 and scope_id <> 'bare') t`,
    [since],
  )
  return waits ?? { processed: 0, seconds: 0, p50: 0, p99: 0 }
}

function readCpu({ services }: IngestStage, { worker, dispatcher }: Kernel): Record<string, number> {
  return cpuSecondsOfAll({
    worker: worker.pid,
    dispatcher: dispatcher.pid,
    Postgres: services.postgres.pid,
    NATS: services.nats.pid,
  })
}

/** Works like the one above, but of Postgres only the connections to the database of this stage. */
async function readOwnCpu(
  stage: IngestStage,
  { worker, dispatcher }: Kernel,
): Promise<Record<string, number>> {
  const backends = await query<{ pid: number }>(
    stage,
    `select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename <> current_user`,
  )
  const host = cpuSecondsAlone(worker.pid)
  const { family = 0 } = cpuSecondsOfAll({ family: worker.pid })
  return {
    readers: family - host,
    worker: host,
    dispatcher: cpuSecondsAlone(dispatcher.pid),
    Postgres: backends.reduce((sum, { pid }) => sum + cpuSecondsAlone(pid), 0),
  }
}

async function query<Row extends object>(
  { services, deployment }: IngestStage,
  sql: string,
  values: readonly string[] = [],
): Promise<Row[]> {
  return asSuperuser(
    services,
    async (client) => (await client.query<Row>(sql, [...values])).rows,
    deployment.databaseName,
  )
}
