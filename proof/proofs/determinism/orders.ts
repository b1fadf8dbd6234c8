/** Takes cases through random orders, with more and more workers of which some are killed, and compares every outcome with the plain one. */
import type { Case } from '../../harness/cases/cases.ts'
import { follow, killMeanwhile } from '../../harness/cases/course.ts'
import type { CaseStage } from '../../harness/cases/course.ts'
import { differencesOf } from '../../harness/cases/outcome.ts'
import type { CaseOutcome } from '../../harness/cases/outcome.ts'
import { plainPlan, shuffledPlan } from '../../harness/cases/plan.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'

export interface OrdersSize {
  readonly orders: number
  readonly kills: number
}

export interface ComparedOrders {
  /** Names who reads them, in the figures. */
  readonly reader: string
  readonly cases: readonly Case[]
  readonly minContradictions: number
}

/** One after the other; the orders are shared out among them. */
const WORKERS = [1, 2, 4] as const
const SHOWN = 4

export async function compareOrders(
  run: ProofRun<OrdersSize>,
  stage: CaseStage,
  compared: ComparedOrders,
): Promise<void> {
  const { figures, size, seed } = run
  const { orders, kills } = size
  const { reader, cases } = compared
  // All of one tenant: ranks are hashed with its key, and who represents a full group follows from them.
  const places = await createPlaces(stage.fleet, { tenants: 1, scopes: (orders + 1) * cases.length })
  const placesOf = (turn: number) => places.slice(turn * cases.length, (turn + 1) * cases.length)
  const reference = await followAll(stage, cases, placesOf(0))
  reportReference(run, compared, reference)
  let differing = 0
  let hits = 0
  for (let order = 0; order < orders; order += 1) {
    await enlistFor(stage, order, orders)
    const random = seededRandom(seed + order)
    const work = followAll(stage, cases, placesOf(order + 1), random)
    const { result, hit } = await killMeanwhile(stage, { kills, random: seededRandom(seed - order) }, work)
    hits += hit
    differing += isSame(run, order, reference, result) ? 0 : 1
  }
  figures.exactly(`${reader}: orders with another outcome than the plain one`, differing, 0)
  figures.atLeast(`${reader}: orders`, orders, orders)
  figures.note(`${reader}: most workers`, stage.fleet.members('worker').length)
  // Otherwise nothing was in danger.
  figures.atLeast(`${reader}: kills that hit work in flight`, hits, 1)
  figures.exactly(`${reader}: processes that ended by themselves`, stage.fleet.unaskedExits.length, 0)
}

/** The cases go side by side. Without `random` in plain order, and nothing is replaced or removed. */
function followAll(
  stage: CaseStage,
  cases: readonly Case[],
  places: readonly Place[],
  random?: () => number,
): Promise<CaseOutcome[]> {
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

async function enlistFor({ fleet }: CaseStage, order: number, orders: number): Promise<void> {
  const wanted = WORKERS[Math.floor((order * WORKERS.length) / orders)] ?? 1
  await fleet.enlist('worker', wanted - fleet.members('worker').length)
}

function reportReference(
  { figures }: ProofRun,
  { reader, cases, minContradictions }: ComparedOrders,
  reference: readonly CaseOutcome[],
): void {
  figures.note(`${reader}: documents`, sum(cases.map(({ documents }) => documents.length)))
  figures.note(`${reader}: claims`, sum(reference.map(({ claims }) => claims.length)))
  const found = sum(reference.map(({ contradictions }) => contradictions.length))
  figures.atLeast(`${reader}: contradictions`, found, minContradictions)
}

function isSame(
  { print, seed }: ProofRun,
  order: number,
  reference: readonly CaseOutcome[],
  outcome: readonly CaseOutcome[],
): boolean {
  const nothing = { claims: [], contradictions: [] }
  const differences = reference.flatMap((each, index) => differencesOf(each, outcome[index] ?? nothing))
  if (differences.length > 0) print(`  order ${order} of seed ${seed}: ${differences.length} differences`)
  for (const difference of differences.slice(0, SHOWN)) print(`    ${difference.slice(0, 900)}`)
  return differences.length === 0
}
