/**
 * Findings stay found. Six conflicts, and many documents that agree with one side or say something else, arrive in random orders and
 * are read and compared by a language model: in every order all six are found, nothing else is, nothing is withdrawn, and the
 * last documents cost no more than the first.
 */
import { waitUntil } from '@concord/tools/launch'
import { createChance } from '../../harness/chance.ts'
import type { Chance } from '../../harness/chance.ts'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { requestAll, requestJson } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { withModelServer } from '../../harness/model-endpoint.ts'
import type { ModelServer } from '../../harness/model-endpoint.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { CONFLICTS, drawDocuments, PLANTED } from './documents.ts'
import type { DrawnDocument } from './documents.ts'

const FULL = { orders: 20, agreeing: 1_000, batches: 12, patienceMs: 600_000, countsRows: true }
/** Postgres tells what it read with some seconds of delay, which is too much for short batches. */
const SHORT = { orders: 2, agreeing: 72, batches: 6, patienceMs: 120_000, countsRows: false }
const SABOTAGED = { orders: 1, agreeing: 40, batches: 4 }

type Run = ProofRun<typeof FULL>

/** So little that the whole scope is compared only at the very beginning. */
const BUDGET = { MODEL_COMPARE_TOKENS: '1000', MODEL_CONCURRENCY: '20' }
const AT_ONCE = 8

export const FORGETFUL_CANDIDATES: Mutation = {
  name: 'a document is compared with one earlier statement',
  at: 'comparison.choose-candidates',
  change: rewriteValue((chosen) => `${chosen}.slice(0, 1)`),
}

export const monotone = defineProof({
  name: 'monotone',
  shows:
    'contradictions that a language model found stay found while agreeing documents arrive, in any order and at the same cost',
  sabotages: 'a document is compared with one earlier statement only',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  mutations: [FORGETFUL_CANDIDATES],
  prove: (run) => withModelServer((model) => prove(run, model)),
})

interface Order {
  readonly found: readonly string[]
  readonly withdrawn: number
  /** For each batch: characters sent to compare a document, and rows that Postgres read for it. */
  readonly costs: readonly Cost[]
}

interface Cost {
  readonly characters: number
  readonly rows: number
}

async function prove(run: Run, model: ModelServer): Promise<void> {
  const { size, seed, figures } = run
  const env = { ...model.env, ...BUDGET }
  await withFleet(run, { sizes: { api: 1, dispatcher: 1, worker: 2 }, env }, async (fleet) => {
    const places = await createPlaces(fleet, { tenants: 1, scopes: size.orders })
    const chance = createChance(seed)
    const orders: Order[] = []
    for (const place of places) orders.push(await runOrder(run, fleet, model, place, chance))
    const missing = orders.flatMap(({ found }) => PLANTED.filter((pair) => !found.includes(pair)))
    figures.note('documents', size.orders * (size.agreeing + 2 * CONFLICTS))
    figures.none(`planted conflicts of ${size.orders} orders that are not found`, missing)
    figures.none(
      'contradictions that were not planted',
      orders.flatMap(({ found }) => found.filter((pair) => !PLANTED.includes(pair))),
    )
    figures.exactly(
      'contradictions that were withdrawn',
      orders.reduce((sum, { withdrawn }) => sum + withdrawn, 0),
      0,
    )
    for (const part of ['characters', 'rows'] as const) {
      const [early, late] = [costOf(orders, part, 2, 4), costOf(orders, part, -2)]
      figures.note(`${part} a document, early and late`, `${early.toFixed(0)} and ${late.toFixed(0)}`)
      if (part === 'characters' || size.countsRows)
        figures.atMost(`${part} of late documents by those of early ones`, late / early, 1.5)
    }
    figures.note(
      'requests to extract, compare and verify',
      Object.values(model.counts).slice(0, 3).join(', '),
    )
    figures.none('processes that ended by themselves', fleet.unaskedExits)
  })
}

/** The mean over these batches of all orders. In the first two the scope still fits the budget. */
function costOf(orders: readonly Order[], part: keyof Cost, from: number, to?: number): number {
  const costs = orders.flatMap(({ costs: each }) => each.slice(from, to).map((cost) => cost[part]))
  return costs.reduce((sum, cost) => sum + cost, 0) / Math.max(1, costs.length)
}

async function runOrder(
  { size }: Run,
  fleet: Fleet,
  model: ModelServer,
  place: Place,
  chance: Chance,
): Promise<Order> {
  const documents = drawDocuments(size.agreeing, chance)
  const length = Math.ceil(documents.length / size.batches)
  const costs: Cost[] = []
  for (let from = 0; from < documents.length; from += length) {
    const batch = documents.slice(from, from + length)
    const before = { characters: model.counts.compared, rows: await countRows(fleet) }
    await sendBatch(fleet, place, batch, size.patienceMs)
    costs.push({
      characters: (model.counts.compared - before.characters) / batch.length,
      rows: ((await countRows(fleet)) - before.rows) / batch.length,
    })
  }
  return {
    found: await listPairs(fleet, place),
    withdrawn: await fleet.count(
      `select count(*) as count from scope_log where scope_id = $1 and kind = 'contradiction.withdrawn'`,
      [place.scopeId],
    ),
    costs,
  }
}

async function sendBatch(
  fleet: Fleet,
  place: Place,
  batch: readonly DrawnDocument[],
  patienceMs: number,
): Promise<void> {
  await inParallel(batch, AT_ONCE, async ({ id, text }) => {
    const body = { scope_id: place.scopeId, document_id: id, name: id, text }
    await requestJson(fleet.url(), { ...asTenant(place, ''), path: '/api/ingest', body, timeoutMs: 60_000 })
  })
  const open = `select (select count(*) from work) + (select count(*) from comparison_steps) as count`
  await waitUntil(async () => (await fleet.count(open)) === 0, {
    what: 'reading and comparing a batch',
    withinMs: patienceMs,
    everyMs: 100,
  })
}

/** Entries that were read of indexes of facts, and rows that were read without one. */
function countRows(fleet: Fleet): Promise<number> {
  return fleet.count(
    `select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0) as count from pg_stat_user_tables
      where relname ~ '^(facts|fact_witnesses|fact_postings|fact_words)_p'`,
  )
}

interface Listed {
  readonly a: { readonly quote: string }
  readonly b: { readonly quote: string }
}

async function listPairs(fleet: Fleet, place: Place): Promise<string[]> {
  const found = await requestAll<Listed>(fleet.url(), asTenant(place, 'contradictions?status=open'))
  return found.map(({ a, b }) => [a.quote, b.quote].toSorted().join(' – ')).toSorted()
}

function asTenant({ scopeId, tenantKey, tenantId }: Place, path: string): HttpRequest {
  return { path: `/api/scopes/${scopeId}/${path}`, bearer: tenantKey, tenantId }
}
