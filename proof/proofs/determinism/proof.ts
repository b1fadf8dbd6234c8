/**
 * The same documents give the same claims and contradictions: in any order, with any number of workers, some of which are
 * killed meanwhile, with older texts before some of them, some removed and sent again, and others removed for good.
 */
import { loadCases } from '../../harness/cases/cases.ts'
import type { Case } from '../../harness/cases/cases.ts'
import { follow, killMeanwhile } from '../../harness/cases/course.ts'
import type { Stage } from '../../harness/cases/course.ts'
import { differencesOf } from '../../harness/cases/outcome.ts'
import type { Outcome } from '../../harness/cases/outcome.ts'
import { plainPlan, shuffledPlan } from '../../harness/cases/plan.ts'
import { BY_ARRIVAL } from './sabotage.ts'
import { withFleet } from '../../harness/fleet.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'

const FULL = { cases: 8, orders: 20, kills: 3, patienceMs: 120_000, contradictions: 40 }
const SHORT = { cases: 3, orders: 3, kills: 1, patienceMs: 40_000, contradictions: 10 }
/** One after the other; the orders are shared out among them. */
const WORKERS = [1, 2, 4] as const
const SHOWN = 4

type Run = ProofRun<typeof FULL>

export const determinism = defineProof({
  name: 'determinism',
  shows:
    'the same documents give the same claims and contradictions in any order, with any workers, killed or not',
  sabotages: 'those who came first represent a group of claims for good',
  sizes: { full: FULL, short: SHORT },
  mutations: [BY_ARRIVAL],
  prove,
})

async function prove(run: Run): Promise<void> {
  const { cases: most, orders, patienceMs } = run.size
  const cases = await loadCases(most)
  await withFleet(run, { sizes: { api: 1, dispatcher: 1, worker: WORKERS[0] } }, async (fleet) => {
    // All of one tenant: ranks are hashed with its key, and who represents a full group follows from them.
    const places = await createPlaces(fleet, { tenants: 1, scopes: (orders + 1) * cases.length })
    await compareRuns(run, { fleet, patienceMs }, cases, places)
  })
}

async function compareRuns(
  run: Run,
  stage: Stage,
  cases: readonly Case[],
  places: readonly Place[],
): Promise<void> {
  const { figures, size, seed } = run
  const { orders, kills } = size
  const placesOf = (turn: number) => places.slice(turn * cases.length, (turn + 1) * cases.length)
  const reference = await followAll(stage, cases, placesOf(0))
  reportReference(run, cases, reference)
  let differing = 0
  let hits = 0
  for (let order = 0; order < orders; order += 1) {
    await enlistFor(stage, order, orders)
    const random = seededRandom(seed + order)
    const work = followAll(stage, cases, placesOf(order + 1), random)
    const { result, hit } = await killMeanwhile(stage, { kills, random: seededRandom(seed - order) }, work)
    hits += hit
    differing += compare(run, order, reference, result) ? 0 : 1
  }
  figures.exactly('orders with another outcome than the plain one', differing, 0)
  figures.atLeast('orders', orders, orders)
  figures.note('most workers', stage.fleet.members('worker').length)
  // Otherwise nothing was in danger.
  figures.atLeast('kills that hit work in flight', hits, 1)
  figures.exactly('processes that ended by themselves', stage.fleet.unaskedExits.length, 0)
}

/** The cases go side by side. Without `random` in plain order, and nothing is replaced or removed. */
function followAll(
  stage: Stage,
  cases: readonly Case[],
  places: readonly Place[],
  random?: () => number,
): Promise<Outcome[]> {
  const plans = cases.map(({ documents }) =>
    random ? shuffledPlan(documents, random) : plainPlan(documents),
  )
  return Promise.all(
    plans.map((plan, index) => {
      const place = places[index]
      if (!place) throw new Error('There are fewer scopes than cases.')
      return follow(stage, place, plan)
    }),
  )
}

async function enlistFor({ fleet }: Stage, order: number, orders: number): Promise<void> {
  const wanted = WORKERS[Math.floor((order * WORKERS.length) / orders)] ?? 1
  await fleet.enlist('worker', wanted - fleet.members('worker').length)
}

function reportReference(
  { figures, size }: Run,
  cases: readonly Case[],
  reference: readonly Outcome[],
): void {
  figures.note('documents', sum(cases.map(({ documents }) => documents.length)))
  figures.note('claims', sum(reference.map(({ claims }) => claims.length)))
  const found = sum(reference.map(({ contradictions }) => contradictions.length))
  figures.atLeast('contradictions', found, size.contradictions)
}

function compare(
  { print, seed }: Run,
  order: number,
  reference: readonly Outcome[],
  outcome: readonly Outcome[],
): boolean {
  const nothing = { claims: [], contradictions: [] }
  const differences = reference.flatMap((each, index) => differencesOf(each, outcome[index] ?? nothing))
  if (differences.length > 0) print(`  order ${order} of seed ${seed}: ${differences.length} differences`)
  for (const difference of differences.slice(0, SHOWN)) print(`    ${difference.slice(0, 900)}`)
  return differences.length === 0
}
