/**
 * Fills the volume of the database under load and frees it again, then that of the broker: nothing that was
 * acknowledged is lost, whoever is refused is told so in time, and everything goes on by itself.
 */
import { waitUntil } from '@concord/tools/launch'
import { startAsking } from './asker.ts'
import type { Asker } from './asker.ts'
import { keepRunning, watchHealth } from './observers.ts'
import type { HealthWatch } from './observers.ts'
import { judgeAnswers, judgeFlow, judgeHealth } from './verdict.ts'
import type { Shortage } from './verdict.ts'
import { openVolume } from './volume.ts'
import type { Volume } from './volume.ts'
import { send } from '../../harness/http.ts'
import { startLoad } from '../../harness/load.ts'
import { happens, pause } from '../../harness/loop.ts'
import { createRootKey } from '../../harness/places.ts'
import { keepHistory, reportEnd, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { rewrite } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { withInterruption } from '../../harness/disk/interruption.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = {
  sizes: { api: 2, dispatcher: 2, worker: 2 },
  rounds: 3,
  fullMs: 20_000,
  megabytes: 6_144,
  acknowledged: 5_000,
  settleMs: 300_000,
}
const SHORT = {
  sizes: { api: 2, dispatcher: 1, worker: 1 },
  rounds: 1,
  fullMs: 9_000,
  megabytes: 1_536,
  acknowledged: 1_000,
  settleMs: 20_000,
}
const BROKER_MEGABYTES = 64
const LOAD = { rate: 300, clients: 8, batchers: 2 }
const MAX_WAITING = 400
/** A small machine on which everything runs at once would shed load now and then; here only the disk may refuse. */
const ENV = { SHED_LATE_MS: '0' }
/** Nobody who asks waits longer. */
const LONGEST_SECONDS = 6
const AGAIN_SECONDS = 10
/** How long it is looked at after the volume was freed, while not all is well. */
const TIMEOUT_MS = 15_000
/** And how long at least, so that what goes wrong late is seen. */
const AFTERWARDS_MS = 2_000
/** Until health must say it: it is asked anew once a second, and the dispatcher looks at its queue as often. */
const GRACE_MS = 3_000
/** NATS finds out when a file of its must grow, which may be some publications later. */
const BROKER_GRACE_MS = 5_000
/** Refusals without which nothing was in danger. */
const REFUSALS = 20

/** Leaves NATS without help: a stream that met a full disk takes nothing for as long as the process lives. */
export const QUEUE_LEFT_ALONE: Mutation = {
  name: 'a queue that refuses work is not made anew',
  at: 'queue.broker-refuses',
  change: rewrite((isRefused) => isRefused.replace(/^if \((.*)\) \{/, 'if ($1) throw $1\n$&')),
}

type Run = ProofRun<typeof FULL>

export const diskFull = defineProof({
  name: 'disk-full',
  shows:
    'the disk of the database, then that of the broker, may be full: nothing is lost, and all goes on by itself',
  sabotages: 'a queue that the broker cannot write is left as it is',
  sizes: { full: FULL, short: SHORT },
  mutations: [QUEUE_LEFT_ALONE],
  prove: (run) => withInterruption((signal) => prove(run, signal)),
})

interface Volumes {
  readonly database: Volume
  readonly broker: Volume
}

async function prove(run: Run, signal: AbortSignal): Promise<void> {
  const { sizes, megabytes } = run.size
  const database = await openVolume(megabytes)
  try {
    const broker = await openVolume(BROKER_MEGABYTES)
    try {
      const servers = { within: database.path, brokerWithin: broker.path }
      await withFaultStage(run, { sizes, servers, env: ENV }, (stage) =>
        proveOn({ database, broker }, run, stage, signal),
      )
    } finally {
      await broker.remove()
    }
  } finally {
    await database.remove()
  }
}

async function proveOn(volumes: Volumes, run: Run, stage: FaultStage, signal: AbortSignal): Promise<void> {
  const health = watchHealth(stage.fleet, await createRootKey(stage.fleet, 'internals'))
  const postgres = keepRunning(stage.servers)
  const shortages: Shortages = { database: [], broker: [] }
  let asker: Asker | undefined
  try {
    asker = await fillUnderLoad(volumes, run, stage, { health, shortages, signal })
  } finally {
    // A server can be stopped in order only where there is room.
    await Promise.all([volumes.database.free(), volumes.broker.free()])
    await Promise.all([health.stop(), postgres.stop()])
  }
  const isFlowing = await report(run, stage, { health, shortages, asker })
  run.figures.note('times that Postgres ended by itself and was started again', postgres.ends())
  const left = await reportSettling(run, stage, isFlowing ? run.size.settleMs : 1_000)
  if (left > 0) for (const line of await describeLeft(stage)) run.print(`  ${line}`)
  const { documents } = await reportEnd(run, stage)
  const failed = documents.filter(({ status }) => status === 'failed')
  run.figures.atMost('documents that failed over it', failed.length, 0)
  await keepHistory(run, stage, { shortages, looks: health.looks })
}

interface Shortages {
  readonly database: Shortage[]
  readonly broker: Shortage[]
}

interface Watching {
  readonly health: HealthWatch
  readonly shortages: Shortages
  readonly signal: AbortSignal
}

async function fillUnderLoad(
  { database, broker }: Volumes,
  run: Run,
  stage: FaultStage,
  watching: Watching,
): Promise<Asker> {
  const { rounds } = run.size
  const { watch } = stage
  const asker = startAsking(stage)
  const load = startLoad({ ...stage, ...LOAD, isFull: () => watch.latest().queued > MAX_WAITING })
  try {
    await waitUntil(async () => (await selectEnds(stage, 0)).length > 0, {
      what: 'the first document being read',
    })
    for (let round = 0; round < rounds; round += 1) {
      watching.shortages.database.push(await fillOnce(database, run, stage, watching))
      watching.shortages.broker.push(await fillOnce(broker, run, stage, watching))
    }
  } finally {
    await Promise.all([load.finish(20_000), asker.finish(20_000)])
  }
  return asker
}

/** Full for a while, freed, and looked at until all is well again or the time is over. */
async function fillOnce(
  volume: Volume,
  run: Run,
  stage: FaultStage,
  { health, signal }: Watching,
): Promise<Shortage> {
  await volume.fill()
  const fullAt = Date.now()
  await pause(run.size.fullMs, signal)
  const freeingAt = Date.now()
  await volume.free()
  signal.throwIfAborted()
  const freedAt = Date.now()
  run.print(`  full for ${freedAt - fullAt} ms, of which the freeing took ${freedAt - freeingAt} ms`)
  const isWell = async () => {
    const shortage = { fullAt, freeingAt, freedAt, endAt: Date.now() }
    const answers = judgeAnswers(stage.history.calls.slice(-5_000), shortage, TIMEOUT_MS)
    const isGreen = health.looks.at(-1)?.status === 'ok' && (health.looks.at(-1)?.at ?? 0) > freedAt
    if (!isGreen || answers.againMs === Infinity || Date.now() - freedAt < AFTERWARDS_MS) return false
    return judgeFlow(await selectEnds(stage, freedAt), shortage).againMs < Infinity
  }
  await happens(isWell, { withinMs: TIMEOUT_MS, everyMs: 100 })
  signal.throwIfAborted()
  return { fullAt, freeingAt, freedAt, endAt: Date.now() }
}

interface Observations {
  readonly health: HealthWatch
  readonly shortages: Shortages
  readonly asker: Asker
}

async function report(run: Run, stage: FaultStage, observations: Observations): Promise<boolean> {
  const { figures, size } = run
  const { health, asker } = observations
  const { database, broker } = observations.shortages
  figures.atLeast('documents acknowledged', stage.history.acknowledged(), size.acknowledged)
  figures.exactly('times that each volume was full', Math.min(database.length, broker.length), size.rounds)
  for (const shortage of database) reportRefusals(run, stage, shortage)
  figures.none('refusals without code or Retry-After', asker.wrong)
  let isFlowing = true
  for (const shortage of broker) isFlowing = (await reportCarrying(run, stage, shortage)) && isFlowing
  for (const shortage of database)
    reportHealth(run, health, shortage, {
      name: 'database',
      graceMs: GRACE_MS,
      words: /disk of Postgres is full/,
    })
  for (const shortage of broker)
    reportHealth(run, health, shortage, {
      name: 'broker',
      graceMs: BROKER_GRACE_MS,
      words: /cannot write to its disk/,
    })
  const told = stage.fleet.deployment.output().split('no space left on device').length - 1
  figures.atLeast('times that the broker said it has no space', told, 1)
  return isFlowing
}

function reportRefusals({ figures }: ProofRun, { history }: FaultStage, shortage: Shortage): void {
  const answers = judgeAnswers(history.calls, shortage, AGAIN_SECONDS * 1000)
  figures.note('database full: answers meanwhile', answers.during)
  // Otherwise the run is void: nothing was in danger.
  figures.atLeast('database full: refused meanwhile', answers.refused, REFUSALS)
  figures.none('database full: answers that are not documented', answers.undocumented)
  figures.atMost('database full: longest wait for an answer', answers.longestMs / 1000, LONGEST_SECONDS, ' s')
  figures.atMost('database freed: accepted again after', answers.againMs / 1000, AGAIN_SECONDS, ' s')
  figures.atMost(`database freed: refused after ${AGAIN_SECONDS} s`, answers.refusedLate, 0)
}

async function reportCarrying(
  { figures }: ProofRun,
  stage: FaultStage,
  shortage: Shortage,
): Promise<boolean> {
  const answers = judgeAnswers(stage.history.calls, shortage, AGAIN_SECONDS * 1000)
  figures.exactly('broker full: documents refused', answers.refused + answers.undocumented.length, 0)
  const flow = judgeFlow(await selectEnds(stage, shortage.fullAt), shortage)
  figures.note('broker full: documents read meanwhile', flow.during)
  figures.atMost('broker full: longest time without one', flow.longestGapMs / 1000, AGAIN_SECONDS, ' s')
  figures.atMost('broker freed: documents read again after', flow.againMs / 1000, AGAIN_SECONDS, ' s')
  return flow.againMs < Infinity
}

function reportHealth(
  { figures }: ProofRun,
  { looks }: HealthWatch,
  shortage: Shortage,
  { name, graceMs, words }: { readonly name: string; readonly graceMs: number; readonly words: RegExp },
): void {
  const story = judgeHealth(looks, shortage, { graceMs, words })
  figures.atLeast(`${name} full: looks at the health of the kernel`, story.looks, 3)
  figures.atMost(`${name} full: looks at which it was green`, story.green, 0)
  figures.atLeast(`${name} full: looks at which it named the cause`, story.named, 1)
  figures.atMost(`${name} freed: green again after`, story.wellMs / 1000, AGAIN_SECONDS, ' s')
}

/** For whoever looks for the reason. */
async function describeLeft({ servers, fleet }: FaultStage): Promise<string[]> {
  const rows = await fleet.ask<{ line: string }>(
    `select concat_ws(' ', document_id, state, 'attempt', attempt, 'ticket', ticket, 'touched', touched_at) as line
       from work limit 5`,
  )
  const broker = await send(servers.nats.monitorUrl, { path: '/jsz?consumers=true' })
  return [...rows.map(({ line }) => line), broker.text]
}

/** When documents were completed, since a moment. */
async function selectEnds({ fleet }: FaultStage, since: number): Promise<number[]> {
  const rows = await fleet.ask<{ at: number }>(
    `select (extract(epoch from at) * 1000)::float8 as at from scope_log
      where kind = 'document.processed' and at > to_timestamp($1::float8 / 1000)`,
    [since],
  )
  return rows.map(({ at }) => at)
}
