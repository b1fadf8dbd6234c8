/**
 * Scopes are reset again and again beside writers, workers and a worker that stands still for seconds: every document
 * that was accepted is either before a reset and gone, or after the last one and done, and nothing comes back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startFreezer } from './freezes.ts'
import type { Freeze } from './freezes.ts'
import { countLateResults, watchLateResults } from './late-results.ts'
import { withConnection } from '../../harness/database.ts'
import type { Ask } from '../../harness/database.ts'
import { readRemains } from './remains.ts'
import { judgeResets } from './verdict.ts'
import type { ResetVerdict } from './verdict.ts'
import { startResetter } from './resets.ts'
import type { Resetter } from './resets.ts'
import { startWriters } from './writers.ts'
import type { Writers } from './writers.ts'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { listDocuments } from '../../harness/listing.ts'
import { createPlaces, createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { drop, insertAfter } from '../../harness/mutation/changes.ts'
import { keepEvidence, reportExits, reportSettling } from '../../harness/report.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { percentile, seededRandom } from '../../harness/statistics.ts'

const FULL = {
  forMs: 60_000,
  atMostMs: 240_000,
  accepted: 50_000,
  resets: 200,
  afterMs: 3_000,
  settleMs: 300_000,
}
const SHORT = {
  forMs: 15_000,
  atMostMs: 20_000,
  accepted: 2_000,
  resets: 40,
  afterMs: 1_000,
  settleMs: 40_000,
}
/** A row that is kept against the rules never settles; waiting for it longer shows nothing more. */
const SABOTAGED = { settleMs: 3_000 }
const SIZES = { api: 2, dispatcher: 1, worker: 4 }
const WRITERS = 8
const RATE = 1_000
const RESET_EVERY_MS = 200

/** Work under way outlives the reset, and its late result is written. */
export const EPOCH_FORGOTTEN: readonly Mutation[] = [
  {
    name: 'a result is written without a look at the generation of the scope',
    at: 'attempt.complete.epoch',
    change: drop,
  },
  {
    name: 'a reset leaves the work that is under way',
    at: 'reset.delete.conditions',
    change: insertAfter(`work: "and state <> 'processing'"`),
  },
]

type Run = ProofRun<typeof FULL>

export const reset = defineProof({
  name: 'reset',
  shows: 'what was accepted before a reset is gone for good, and what was accepted after it is done',
  sabotages:
    'a reset leaves the work that is under way, and results are written without a look at the generation',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  mutations: EPOCH_FORGOTTEN,
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFleet(run, { sizes: SIZES }, (fleet) =>
    withConnection(run.services, fleet.deployment.databaseName, (ask) => proveOn(run, fleet, ask)),
  )
}

async function proveOn(run: Run, fleet: Fleet, ask: Ask): Promise<void> {
  const places = await createPlaces(fleet, { tenants: 2, scopes: 2 })
  await watchLateResults(ask)
  const race = await resetUnderLoad(run, { fleet, ask, places })
  const { writers, resetter, freezes } = race
  await reportSettling(run, { fleet }, run.size.settleMs)
  const verdict = judgeResets({
    sent: writers.sent,
    resets: resetter.resets,
    remains: await readRemains(ask),
    listed: await listDocuments(fleet.url(), places),
  })
  reportWriters(run, writers)
  reportResets(run, resetter)
  reportFreezes(run, race)
  reportVerdict(run, verdict)
  reportExits(run, fleet)
  await keepEvidence(run, fleet, { sent: writers.sent, resets: resetter.resets, freezes, verdict })
}

interface Scenery {
  readonly fleet: Fleet
  readonly ask: Ask
  readonly places: readonly [Place, ...Place[]]
}

interface Race {
  readonly writers: Writers
  readonly resetter: Resetter
  readonly freezes: readonly Freeze[]
  readonly lateResults: number
}

/** The writers go on for a while after the last reset, so that there is something that must stay. */
async function resetUnderLoad(run: Run, { fleet, ask, places }: Scenery): Promise<Race> {
  const { size } = run
  const adminKey = await createRootKey(fleet, 'admin')
  const { urls } = fleet
  const randomOf = (part: number) => seededRandom(run.seed + part)
  const writers = startWriters({ urls, places, random: randomOf(0), writers: WRITERS, rate: RATE })
  const chosen = { random: randomOf(1), adminKey, everyMs: RESET_EVERY_MS }
  const resetter = startResetter({ ask, urls, places, ...chosen })
  const freezer = startFreezer({ ask, fleet, random: randomOf(2) })
  const started = performance.now()
  const since = () => performance.now() - started
  while (since() < size.forMs || (writers.accepted() < size.accepted && since() < size.atMostMs))
    await delay(50)
  await resetter.stop()
  await delay(size.afterMs)
  await Promise.all([writers.stop(), freezer.stop()])
  run.figures.note('documents accepted a second', writers.accepted() / (since() / 1000))
  return { writers, resetter, freezes: freezer.freezes, lateResults: await countLateResults(ask) }
}

function reportWriters(run: Run, { sent, accepted }: Writers): void {
  const { figures } = run
  const unaccepted = sent.filter(({ seq }) => seq === undefined)
  // A document that met reset after reset on its way is handed back: nobody was promised anything then.
  const postponed = unaccepted.filter(({ what }) => what.startsWith('503'))
  const wrong = unaccepted.filter((each) => !postponed.includes(each))
  figures.atLeast('documents accepted', accepted(), run.size.accepted)
  figures.note('documents that were asked to come again later', postponed.length)
  const faults = wrong.map(({ id, what }) => `${id}: ${what}`)
  figures.none('documents refused otherwise, or not answered', faults)
}

function reportResets(run: Run, { resets, refused, skipped }: Resetter): void {
  const { figures } = run
  const answers = resets.map(({ answerMs }) => answerMs)
  const hits = resets.filter(({ inFlight }) => inFlight > 0).length
  figures.atLeast('resets', resets.length, run.size.resets)
  figures.note('resets left out because four were under way', skipped())
  // Otherwise the run is void: nothing was in danger.
  figures.atLeast('resets that found work under way', hits, Math.ceil(resets.length / 3))
  // On a machine that is busy with something else, a reset may wait for its scope in vain: it had no effect then, and says so.
  const postponed = refused.filter((what) => what.includes(' answered 503'))
  const wrong = refused.filter((what) => !postponed.includes(what))
  figures.atMost('resets that were asked to come again later', postponed.length, resets.length / 10)
  figures.none('resets refused otherwise', wrong)
  figures.note('answer to a reset, p50', percentile(answers, 0.5), ' ms')
  figures.note('answer to a reset, p99', percentile(answers, 0.99), ' ms')
}

function reportFreezes({ figures }: Run, { freezes, lateResults }: Race): void {
  const telling = freezes.filter((freeze) => freeze.lateResults > 0)
  figures.note('times that a worker was frozen', freezes.length)
  figures.atLeast('freezes after which results came too late', telling.length, Math.ceil(freezes.length / 3))
  figures.atLeast('results that came too late and had no effect', lateResults, freezes.length)
}

function reportVerdict({ figures }: Run, verdict: ResetVerdict): void {
  figures.atLeast('documents accepted before a reset', verdict.erased, 1)
  figures.atLeast('documents accepted after the last reset of their scope', verdict.kept, 1)
  figures.none('resurrected', verdict.resurrected)
  figures.none('lost', verdict.lost)
  figures.none('documents not at their end', verdict.unended)
  figures.none('documents that failed', verdict.failed)
  figures.none('documents that nobody sent', verdict.strangers)
  figures.none('places in a log that were given twice', verdict.doubledSeqs)
  figures.none('scopes whose generation is not as answered', verdict.wrongEpochs)
  figures.none('logs with a gap after the last reset', verdict.brokenLogs)
  figures.none('resets whose answer does not fit the log', verdict.oddResets)
}
