/**
 * Convergence is a function of what a scope holds, and of nothing else: random scopes beside a model, every order of a few
 * documents and many orders of more through the whole service, and a thousand looks that change nothing.
 */
import * as fc from 'fast-check'
import { asSuperuser } from '@concord/tools/launch'
import { courses, take } from './course.ts'
import { documentsThatDisagree, endingOf, permutationsOf, shuffled } from './orders.ts'
import type { Ending } from './orders.ts'
import { COUNTED_FOR_GOOD } from './sabotage.ts'
import type { CaseDocument } from '../../harness/cases/cases.ts'
import type { CaseStage } from '../../harness/cases/course.ts'
import { withFleet } from '../../harness/fleet.ts'
import { requestJson } from '../../harness/http.ts'
import { createPlaces, createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'

const FULL = { scopes: 10_000, orders: 200, polls: 1_000, patienceMs: 600_000 }
const SHORT = { scopes: 400, orders: 6, polls: 100, patienceMs: 60_000 }
const FEW = 4
const MANY = 20
const LANES = 4
const AT_ONCE = 8
const SHOWN = 3

type Run = ProofRun<typeof FULL>

export const convergence = defineProof({
  name: 'convergence',
  shows: 'how settled a scope is follows from what it holds, not from order, repetition or reading',
  sabotages: 'a document is counted where it was as well as where it is',
  sizes: { full: FULL, short: SHORT },
  mutations: [COUNTED_FOR_GOOD],
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFleet(run, { sizes: { api: 1, dispatcher: 1, worker: 1 } }, async (fleet) => {
    const stage = { fleet, patienceMs: run.size.patienceMs }
    await proveCourses(run, stage)
    await proveOrders(run, stage)
  })
}

/** In lanes, each with a tenant and a connection of its own. */
async function proveCourses(
  { services, size, seed, figures, print }: Run,
  { fleet }: CaseStage,
): Promise<void> {
  const numRuns = size.scopes / LANES
  const play = (lane: number) =>
    asSuperuser(
      services,
      async (client) => {
        // Nothing here must outlive the server.
        await client.query('set synchronous_commit = off; set jit = off')
        let scope = 0
        const tenantId = `00000000-0000-4000-8000-00000000000${lane}`
        const ground = { client, tenantId, nextScope: () => `scope-${(scope += 1)}` }
        const holds = fc.asyncProperty(courses, async (steps) => {
          const faults = await take(ground, steps)
          if (faults.length > 0) throw new Error(faults.slice(0, SHOWN).join('; '))
        })
        return fc.check(holds, { numRuns, seed: seed + lane, interruptAfterTimeLimit: 20 * 60_000 })
      },
      fleet.deployment.databaseName,
    )
  const played = await Promise.all(Array.from({ length: LANES }, (_, lane) => play(lane)))
  const failed = played.filter((each) => each.failed)
  for (const { errorInstance, counterexample } of failed)
    print(`  ${String(errorInstance)}\n  ${JSON.stringify(counterexample)}`)
  figures.exactly('random courses after which a property did not hold', failed.length, 0)
  figures.atLeast('random scopes', sum(played.map((each) => each.numRuns)), size.scopes)
}

async function proveOrders(run: Run, stage: CaseStage): Promise<void> {
  const { orders } = run.size
  const random = seededRandom(run.seed)
  const few = permutationsOf(documentsThatDisagree(FEW))
  const many = documentsThatDisagree(MANY)
  const more = [many, ...Array.from({ length: orders - 1 }, () => shuffled(many, random))]
  const places = await createPlaces(stage.fleet, { tenants: 1, scopes: few.length + more.length })
  const ofFew = await endAll(stage, few, places)
  const ofMany = await endAll(stage, more, places.slice(few.length))
  reportOrders(run, `orders of ${FEW} documents`, ofFew, 24)
  reportOrders(run, `orders of ${MANY} documents`, ofMany, orders)
  const [place] = places.slice(few.length)
  if (place) await provePolls(run, stage, place)
}

async function endAll(
  stage: CaseStage,
  plans: readonly CaseDocument[][],
  places: readonly Place[],
): Promise<Ending[]> {
  const endings: Ending[] = []
  await inParallel(plans, AT_ONCE, async (documents, index) => {
    const place = places[index]
    if (!place) throw new Error('There are fewer scopes than orders.')
    endings[index] = await endingOf(stage, place, documents)
  })
  return endings
}

function reportOrders(
  { figures, print }: Run,
  what: string,
  endings: readonly Ending[],
  wanted: number,
): void {
  const rows = new Set(endings.map(({ row }) => row))
  const answers = new Set(endings.map(({ answer }) => answer))
  if (rows.size > 1) for (const row of [...rows].slice(0, SHOWN)) print(`  ${row}`)
  if (answers.size > 1) for (const answer of [...answers].slice(0, SHOWN)) print(`  ${answer}`)
  figures.exactly(what, endings.length, wanted)
  figures.exactly(`different states that ${what} end in`, rows.size, 1)
  figures.exactly(`different answers that ${what} end in`, answers.size, 1)
  figures.exactly(`cut groups in ${what}`, endings.filter(({ cuts }) => cuts !== 0).length, 0)
  const fewest = Math.min(...endings.map((each) => each.contradictions))
  figures.atLeast(`contradictions that ${what} end with`, fewest, 1)
  figures.note('score', JSON.parse(endings[0]?.answer ?? '{}').score)
}

const TABLES = [
  'scope_heads',
  'scope_convergence',
  'contested',
  'convergence_series',
  'scope_log',
  'contradictions',
]

/** Everything that is stored of the scope, before and after. */
async function provePolls(run: Run, stage: CaseStage, place: Place): Promise<void> {
  const { polls } = run.size
  const internals = await createRootKey(stage.fleet, 'internals')
  const requests = [
    { path: `/api/scopes/${place.scopeId}/convergence`, bearer: place.tenantKey },
    { path: `/api/scopes/${place.scopeId}`, bearer: place.tenantKey },
    { path: `/internals/kernel/convergence?scope_id=${place.scopeId}`, bearer: internals },
  ]
  const before = await pictureOf(stage, place)
  const bodies: string[] = []
  await inParallel(Array.from({ length: polls }), AT_ONCE, async (_, index) => {
    const request = requests[index % requests.length] ?? { path: '/' }
    bodies.push(JSON.stringify(await requestJson(stage.fleet.url(), request)))
  })
  const after = await pictureOf(stage, place)
  run.figures.exactly('looks', bodies.length, polls)
  run.figures.exactly('different answers to them', new Set(bodies).size, requests.length)
  run.figures.exactly('rows that they changed', after.filter((row, index) => row !== before[index]).length, 0)
}

async function pictureOf({ fleet }: CaseStage, place: Place): Promise<string[]> {
  const each = TABLES.map(
    (table) => `select '${table} ' || t::text as row from ${table} t where tenant_id = $1 and scope_id = $2`,
  )
  const rows = await fleet.ask<{ row: string }>(`${each.join(' union all ')} order by 1`, [
    place.tenantId,
    place.scopeId,
  ])
  return rows.map(({ row }) => row)
}
