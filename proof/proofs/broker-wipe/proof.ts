/** Deletes everything the broker has while work flows through it: what it carried is carried again. */
import { rm } from 'node:fs/promises'
import { waitUntil } from '@concord/tools/launch'
import { startLoad } from '../../harness/load.ts'
import { keepHistory, reportEnd, reportSettling } from '../../harness/report.ts'
import { countMessages } from '../../harness/servers.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { poll } from '../../harness/loop.ts'
import { selectBacklog } from '../../harness/watch.ts'
import type { ObservedBacklog } from '../../harness/watch.ts'
import { NO_RECALL } from '../../harness/no-recall.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

// Slower where it is short: what is sent beyond the bound has to be read before it ends.
const FULL = { waiting: 10_000, rate: 2_000, settleMs: 900_000 }
const SHORT = { waiting: 1_000, rate: 500, settleMs: 120_000 }
const FLOWING_SECONDS = 30
/** Completions beyond what was out at the wipe: these were released again afterwards, without doubt. */
const BEYOND = 100

type Run = ProofRun<typeof FULL>

export const brokerWipe = defineProof({
  name: 'broker-wipe',
  shows:
    'the broker may lose all it holds in mid-load: nothing is lost, and work flows again within 30 seconds',
  sabotages: 'the dispatcher does not take back what the broker lost',
  sizes: { full: FULL, short: SHORT },
  mutations: [NO_RECALL],
  prove,
})

async function prove(run: Run): Promise<void> {
  const { size } = run
  await withFaultStage(run, { sizes: { api: 2, dispatcher: 2, worker: 0 } }, async (stage) => {
    const isFull = () => stage.watch.latest().queued > size.waiting + 200
    const load = startLoad({ ...stage, rate: size.rate, clients: 16, batchers: 8, isFull })
    await untilFlowing(stage, size.waiting)
    const wiped = await wipe(run, stage, size.waiting)
    const flowing = await reportFlow(run, stage, wiped)
    await load.finish(60_000)
    run.figures.note('acknowledged', stage.history.acknowledged())
    await reportSettling(run, stage, flowing ? size.settleMs : 1_000)
    await reportEnd(run, stage)
    await keepHistory(run, stage, wiped)
  })
}

/** The backlog is built first, and only then anybody begins to work on it. */
async function untilFlowing(stage: FaultStage, waiting: number): Promise<void> {
  const { fleet, watch } = stage
  await waitUntil(() => watch.latest().queued >= waiting, {
    what: `${waiting} documents waiting`,
    withinMs: 300_000,
  })
  await fleet.enlist('worker', 4)
  const hasBegun = async () => (await countProcessed(stage, 0)) > 0
  await waitUntil(hasBegun, { what: 'the first document being read', withinMs: 60_000 })
  await waitUntil(async () => (await selectBacklog(fleet.ask)).queued >= waiting, {
    what: `${waiting} documents waiting while others are being read`,
    withinMs: 60_000,
  })
}

interface Wiped {
  readonly at: number
  readonly before: ObservedBacklog
  readonly messages: number
}

async function wipe(run: Run, stage: FaultStage, waiting: number): Promise<Wiped> {
  const { nats } = stage.servers
  const before = await selectBacklog(stage.fleet.ask)
  const messages = await countMessages(stage.servers)
  const at = Date.now()
  nats.kill('SIGKILL')
  await rm(nats.storeDir, { recursive: true, force: true })
  await nats.restart()
  run.figures.atLeast('documents waiting at the wipe', before.queued, waiting)
  run.figures.atLeast('documents out with the broker and the workers', before.ready + before.processing, 1)
  run.figures.atLeast('messages that the broker lost', messages, 1)
  run.figures.note('seconds without a broker', (Date.now() - at) / 1000)
  return { at, before, messages }
}

/** The wait counts from the kill, so the time that the broker needs to start is in it. */
async function reportFlow({ figures }: Run, stage: FaultStage, { at, before }: Wiped): Promise<boolean> {
  const enough = before.ready + before.processing + BEYOND
  const withinMs = at + FLOWING_SECONDS * 1000 + 5_000 - Date.now()
  const done = () => countProcessed(stage, at)
  await poll(done, { until: (processed) => processed >= enough, withinMs, everyMs: 100 })
  const seconds = (Date.now() - at) / 1000
  figures.atMost('seconds until work flowed again', seconds, FLOWING_SECONDS)
  return seconds <= FLOWING_SECONDS
}

async function countProcessed({ fleet }: FaultStage, since: number): Promise<number> {
  return fleet.count(
    `select count(*) from scope_log where kind = 'document.processed' and at > to_timestamp($1::float8 / 1000)`,
    [since],
  )
}
