/**
 * The same documents give the same claims and contradictions: in any order, with any number of workers, some of which are
 * killed meanwhile, with older texts before some of them, some removed and sent again, and others removed for good.
 */
import { withCompileCache } from '../../harness/compile-cache.ts'
import { loadCases } from '../../harness/cases/cases.ts'
import type { Case } from '../../harness/cases/cases.ts'
import { follow, killMeanwhile } from '../../harness/cases/course.ts'
import type { Stage } from '../../harness/cases/course.ts'
import { differencesOf } from '../../harness/cases/outcome.ts'
import type { Outcome } from '../../harness/cases/outcome.ts'
import { plainPlan, shuffledPlan } from '../../harness/cases/plan.ts'
import { BY_ARRIVAL } from './sabotage.ts'
import { openFleet } from '../../harness/fleet.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { withMutatedRepository } from '../../harness/mutation.ts'
import type { Proof, ProofRun } from '../../harness/proof.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'

const FULL = { cases: 8, orders: 20, kills: 3, patienceMs: 120_000, contradictions: 40 }
const SHORT = { cases: 3, orders: 3, kills: 1, patienceMs: 40_000, contradictions: 10 }
/** One after the other; the orders are shared out among them. */
const WORKERS = [1, 2, 4] as const
const SHOWN = 4

export const determinism: Proof = {
  name: 'determinism',
  shows:
    'the same documents give the same claims and contradictions in any order, with any workers, killed or not',
  sabotages: 'those who came first represent a group of claims for good',
  async run(run) {
    if (!run.sabotage) return prove(run)
    await withMutatedRepository([BY_ARRIVAL], (repository) => prove(run, repository))
  },
}

async function prove(run: ProofRun, repository?: string): Promise<void> {
  const { services } = run
  const { cases: most, orders, patienceMs } = run.short ? SHORT : FULL
  const cases = await loadCases(most)
  await withCompileCache(async (env) => {
    const name = `determinism_${process.pid}`
    const sizes = { api: 1, dispatcher: 1, worker: WORKERS[0] }
    const fleet = await openFleet({ services, name, sizes, repository, env })
    try {
      // All of one tenant: ranks are hashed with its key, and who represents a full group follows from them.
      const places = await createPlaces(fleet, { tenants: 1, scopes: (orders + 1) * cases.length })
      await compareRuns(run, { services, fleet, patienceMs }, cases, places)
    } finally {
      await fleet.remove()
    }
  })
}

async function compareRuns(
  run: ProofRun,
  stage: Stage,
  cases: readonly Case[],
  places: readonly Place[],
): Promise<void> {
  const { figures, short, seed } = run
  const { orders, kills } = short ? SHORT : FULL
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
  { figures, short }: ProofRun,
  cases: readonly Case[],
  reference: readonly Outcome[],
): void {
  figures.note('documents', sum(cases.map(({ documents }) => documents.length)))
  figures.note('claims', sum(reference.map(({ claims }) => claims.length)))
  const found = sum(reference.map(({ contradictions }) => contradictions.length))
  figures.atLeast('contradictions', found, (short ? SHORT : FULL).contradictions)
}

function compare(
  { print, seed }: ProofRun,
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
