/**
 * Rolls all processes over under load, one by one, as a deployment of a new release does: clients that never try again
 * see no failure, readers of events miss none, and no document is begun twice for it.
 */
import { waitUntil } from '@concord/tools/launch'
import { happens } from '../../harness/loop.ts'
import type { Place } from '../../harness/places.ts'
import { keepHistory, reportEnd, reportFirstAttempts, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { addUp, differenceOf } from '../../harness/streams/account.ts'
import { openLogbook } from '../../harness/streams/expected.ts'
import { startReader } from '../../harness/streams/reader.ts'
import type { StreamReader } from '../../harness/streams/reader.ts'
import { insertBefore } from '../../harness/mutation/changes.ts'
import { sum, sumOf } from '../../harness/statistics.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { startBalancer } from './balancer.ts'
import type { Balancer } from './balancer.ts'
import { startClients } from './clients.ts'
import type { Clients } from './clients.ts'
import { rollOver } from './rolls.ts'
import type { Departure } from './rolls.ts'
import { judgeRolls } from './verdict.ts'

const FULL = { rolls: 10, requests: 50_000, sizes: { api: 2, dispatcher: 2, worker: 4 }, settleMs: 60_000 }
const SHORT = { rolls: 1, requests: 3_000, sizes: { api: 2, dispatcher: 1, worker: 2 }, settleMs: 20_000 }
const LOAD = { clients: 24, rate: 250 }
const MAX_WAITING = 200
const READERS_A_PLACE = 4
const MAX_EXIT_SECONDS = 25
/** Readers stay until they are sent away. */
const STAY_MS = 3_600_000
/** An event that is told late is told within a look at all heads, and a reader that was away comes back sooner. */
const CATCH_UP_MS = 10_000

export const EXIT_AT_ONCE: Mutation = {
  name: 'a process that is told to stop ends at once',
  at: 'process.stop',
  change: insertBefore('process.exit(0)'),
}

type Run = ProofRun<typeof FULL>

export const rolling = defineProof({
  name: 'rolling',
  shows: 'all processes can be replaced one by one under load: no request fails, no event is missed',
  sabotages: 'a process that is told to stop ends at once',
  sizes: { full: FULL, short: SHORT },
  mutations: [EXIT_AT_ONCE],
  prove,
})

async function prove(run: Run): Promise<void> {
  const { sizes, settleMs } = run.size
  // The notice that a deployment gets where nothing is said, and not the one of tests. On a small machine a process that
  // starts makes the others late; whether they turn requests away for that is another question.
  const env = { DRAIN_NOTICE_SECONDS: '', SHED_LATE_MS: '0' }
  await withFaultStage(run, { sizes, env }, async (stage) => {
    const balancer = startBalancer({ known: stage.fleet.urls })
    try {
      await waitUntil(() => balancer.urls().length === sizes.api, { what: 'every API being ready' })
      const followed = stage.places.slice(0, 2)
      const readers = followed.map((place) => startReaders(stage, balancer, place))
      const departures = await rollUnderLoad(run, stage, balancer)
      await reportSettling(run, stage, settleMs)
      reportRolls(run, departures)
      await reportReaders(run, stage, followed, readers)
      reportFirstAttempts(run, await reportEnd(run, stage))
      await keepHistory(run, stage, departures)
    } finally {
      await balancer.stop()
    }
  })
}

async function rollUnderLoad(run: Run, stage: FaultStage, balancer: Balancer): Promise<Departure[]> {
  const { rolls, requests } = run.size
  const isFull = () => stage.watch.latest().queued > MAX_WAITING
  const clients = startClients({ ...stage, ...LOAD, balancer, isFull })
  const departures: Departure[] = []
  const started = performance.now()
  try {
    await waitUntil(() => stage.watch.latest().processing > 0, { what: 'the load coming up' })
    for (let roll = 0; roll < rolls; roll += 1) {
      departures.push(...(await rollOver({ ...stage, balancer })))
      if (!run.short) run.print(`  roll ${roll + 1}: ${clients.tally.requests} requests so far`)
    }
    const rolled = (performance.now() - started) / 1000
    run.figures.note('seconds a roll took', rolled / rolls)
    run.figures.note('requests a second while rolling', clients.tally.requests / rolled)
    await waitUntil(() => clients.tally.requests >= requests, {
      what: `${requests} requests`,
      withinMs: 15 * 60_000,
    })
  } finally {
    await clients.finish()
  }
  reportRequests(run, clients, balancer)
  return departures
}

function reportRequests({ figures, size }: Run, { tally }: Clients, balancer: Balancer): void {
  figures.atLeast('requests, each sent once', tally.requests, size.requests)
  figures.note('of these, documents', tally.written)
  figures.none('requests that failed', tally.failed)
  figures.note('answers that said goodbye to a connection', balancer.tally.farewells)
}

function reportRolls({ figures, size }: Run, departures: readonly Departure[]): void {
  const { rolls, sizes } = size
  const { slowestMs, disorderly, byRole } = judgeRolls(departures)
  figures.note('rolls', rolls)
  figures.exactly('processes replaced', departures.length, rolls * sum(Object.values(sizes)))
  figures.atMost('slowest exit', slowestMs / 1000, MAX_EXIT_SECONDS, ' s')
  figures.none('exits that were not in order', disorderly)
  for (const role of ['api', 'worker'] as const) {
    const { all = 0, busy = 0 } = byRole.get(role) ?? {}
    // Otherwise the run is void: nothing was in danger.
    figures.atLeast(`stops of role ${role} in the middle of something`, busy, Math.ceil(all / 2))
  }
}

function startReaders({ random }: FaultStage, balancer: Balancer, place: Place): StreamReader[] {
  return Array.from({ length: READERS_A_PLACE }, () =>
    startReader({
      urls: balancer.urls,
      random,
      path: `/api/scopes/${place.scopeId}/events`,
      bearer: place.tenantKey,
      after: '0',
      maxStayMs: STAY_MS,
    }),
  )
}

async function reportReaders(
  { figures, size }: Run,
  { fleet }: FaultStage,
  places: readonly Place[],
  readers: readonly (readonly StreamReader[])[],
): Promise<void> {
  const logbook = openLogbook(fleet)
  const expected = await Promise.all(places.map((place) => logbook.ofScope(place, 0)))
  const whole = sumOf(expected, ({ length }) => length * READERS_A_PLACE)
  const all = readers.flat()
  const received = () => sumOf(all, ({ account }) => account.ids.length)
  await happens(() => received() >= whole, { withinMs: CATCH_UP_MS })
  const sentAway = sumOf(all, ({ tally }) => tally.disconnects)
  await Promise.all(all.map((reader) => reader.stop()))
  const differences = readers.flatMap((those, at) =>
    those.map(({ account }) => differenceOf(expected[at] ?? [], account)),
  )
  const total = addUp(differences)
  figures.note('events received by readers', received())
  // Each API was replaced in each roll, and whoever was there had to go elsewhere.
  figures.atLeast('times a reader was sent away', sentAway, all.length * size.rolls)
  figures.exactly('events missed', total.missing, 0)
  figures.exactly('events received twice', total.duplicate, 0)
  figures.exactly('events out of order', total.disordered, 0)
  figures.exactly('events that the database does not have', total.strange, 0)
  const refusals = all.flatMap(({ tally }) => tally.refusals)
  figures.none('readers that were not let in', refusals)
}
