/** Cuts the power of the disk under load: what was not synced is gone, and every acknowledged document is there. */
import { setTimeout as delay } from 'node:timers/promises'
import type { History } from '../../harness/history.ts'
import { startLoad } from '../../harness/load.ts'
import { keepHistory, reportEnd, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { cutPower } from './cut.ts'
import type { PowerCut } from './cut.ts'
import { openDisk } from './disk.ts'
import type { Disk } from './disk.ts'
import { checkInstrument } from './instrument.ts'
import { withInterruption } from '../../harness/disk/interruption.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = {
  sizes: { api: 2, dispatcher: 1, worker: 2 },
  cuts: 5,
  acknowledged: 100_000,
  minLoadMs: 20_000,
  maxLoadMs: 30_000,
  rate: 2_000,
  megabytes: 8_192,
  settleMs: 900_000,
}
const SHORT = {
  sizes: { api: 1, dispatcher: 1, worker: 1 },
  cuts: 2,
  acknowledged: 500,
  minLoadMs: 2_000,
  maxLoadMs: 3_000,
  rate: 500,
  megabytes: 1_536,
  settleMs: 60_000,
}
const SLOW_MS = 90_000
/**
 * NATS by default, with two minutes between syncs, loses about everything at a cut, and nobody may mind. But then
 * what workers had in hand waits 45 seconds until it is taken back, so in the short form it syncs every message.
 */
const BROKER_SYNC = { full: '2m', short: 'always' }

type Run = ProofRun<typeof FULL>

export const powerCut = defineProof({
  name: 'power-cut',
  shows: 'the power may go in mid-load, and the page cache with it: no acknowledged document is lost',
  sabotages: 'Postgres answers before the commit is on the disk (synchronous_commit=off)',
  sizes: { full: FULL, short: SHORT },
  async prove(run) {
    await checkInstrument(run.figures)
    await withInterruption((signal) => prove(run, signal))
  },
})

async function prove(run: Run, signal: AbortSignal): Promise<void> {
  const { size } = run
  const disk = await openDisk(size.megabytes)
  try {
    const servers = { within: disk.path, brokerSync: run.short ? BROKER_SYNC.short : BROKER_SYNC.full }
    await withFaultStage(run, { sizes: size.sizes, servers }, (stage) => proveOn(disk, run, stage, signal))
  } finally {
    await disk.remove()
  }
}

async function proveOn(disk: Disk, run: Run, stage: FaultStage, signal: AbortSignal): Promise<void> {
  const { postgres, nats } = stage.servers
  // Without them nothing here goes on, so that everything is taken down at once.
  signal.addEventListener('abort', () => void (postgres.kill('SIGKILL'), nats.kill('SIGKILL')))
  signal.throwIfAborted()
  if (run.sabotage) await stopWaitingForTheDisk(stage)
  await disk.settle()
  const cuts = await cutUnderLoad(disk, run, stage, signal)
  reportCuts(run, cuts)
  // Once something is lost, nothing can be saved by waiting.
  await reportSettling(run, stage, cuts.some(({ lost }) => lost > 0) ? 1_000 : run.size.settleMs)
  await reportEnd(run, stage)
  await keepHistory(run, stage, cuts)
}

/**
 * Kept by Postgres beside its data, and so in force after every restart. The other two say how long and how much a
 * commit may wait to be written; as they come, a cut could by chance fall between two bursts and take nothing.
 */
async function stopWaitingForTheDisk({ fleet }: FaultStage): Promise<void> {
  for (const setting of [
    `synchronous_commit = off`,
    `wal_writer_delay = '2s'`,
    `wal_writer_flush_after = '64MB'`,
  ])
    await fleet.ask(`alter system set ${setting}`)
  await fleet.ask('select pg_reload_conf()')
}

async function cutUnderLoad(
  disk: Disk,
  run: Run,
  stage: FaultStage,
  signal: AbortSignal,
): Promise<PowerCut[]> {
  const { cuts: planned, acknowledged, minLoadMs, maxLoadMs, rate } = run.size
  const { history, random } = stage
  const load = startLoad({ ...stage, rate, clients: 32, batchers: 8, isFull: () => false })
  const cuts: PowerCut[] = []
  let patienceMs = 0
  try {
    while (cuts.length < planned) {
      const loadMs = minLoadMs + (maxLoadMs - minLoadMs) * random()
      await delay(loadMs / 2, undefined, { signal })
      // The kernel writes back when it likes: what was never synced may come through too, and of different ages.
      await disk.settle()
      await delay(loadMs / 2, undefined, { signal })
      await untilShare(history, (acknowledged * (cuts.length + 1)) / planned, signal)
      const cut = await cutPower(stage, disk)
      cuts.push(cut)
      run.print(describe(cut, cuts.length))
    }
    patienceMs = 60_000
  } finally {
    await load.finish(patienceMs)
  }
  run.figures.note('acknowledged, with those after the last cut', history.acknowledged())
  return cuts
}

/** A slow machine gets longer, within reason, so that as much is in danger there. */
async function untilShare(history: History, share: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + SLOW_MS
  while (history.acknowledged() < share && performance.now() < deadline)
    await delay(20, undefined, { signal })
}

function describe(cut: PowerCut, number: number): string {
  const [before, after] = cut.messages
  return (
    `  cut ${number}: ${cut.acknowledged} acknowledged so far, ${cut.lost} lost (${cut.lostBefore} answered before the cut); ` +
    `${cut.requests} requests and ${cut.documents} documents in flight; whole again after ${cut.secondsDown.toFixed(1)} s; ` +
    `the broker kept ${after} of ${before} messages`
  )
}

function reportCuts({ figures, size }: Run, cuts: readonly PowerCut[]): void {
  figures.exactly('power cuts', cuts.length, size.cuts)
  // Otherwise the run is void: nothing was in danger.
  figures.atLeast(
    'cuts that hit requests and documents in flight',
    cuts.filter(({ requests, documents }) => requests > 0 && documents > 0).length,
    size.cuts,
  )
  figures.exactly('cuts that took what was not synced', cuts.filter(({ forgot }) => forgot).length, size.cuts)
  figures.atLeast('acknowledged before the last cut', cuts.at(-1)?.acknowledged ?? 0, size.acknowledged)
  figures.exactly('lost of these, as the disk was found', cuts.at(-1)?.lost ?? 0, 0)
  figures.note(
    'messages of the broker before and after each cut',
    cuts.map(({ messages: [before, after] }) => `${before} -> ${after}`).join(', '),
  )
}
