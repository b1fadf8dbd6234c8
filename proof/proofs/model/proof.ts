/**
 * A language model that misbehaves costs nothing but time: it is slow, busy, breaks off, hangs, answers nonsense, invents quotes and goes away
 * for a while. All documents are read, no attempt is used up, nothing is paid twice, no invented quote is stored, and no budget
 * is exceeded by more than one request.
 */
import { waitUntil } from '@concord/tools/launch'
import { createChance } from '../../harness/chance.ts'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { requestAll, requestJson } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { COSTLY, withFaultyModel } from './faulty-model.ts'
import type { FaultyModel } from './faulty-model.ts'

const FULL = {
  documents: 10_000,
  costly: 700,
  inFlight: 200,
  slowestMs: 30_000,
  timeoutMs: 45_000,
  awayMs: 300_000,
  budget: 1_000_000,
  patienceMs: 5_400_000,
}
const SHORT = {
  documents: 200,
  costly: 120,
  inFlight: 50,
  slowestMs: 1_000,
  timeoutMs: 3_000,
  awayMs: 8_000,
  budget: 300_000,
  patienceMs: 120_000,
}
const SABOTAGED = { documents: 120, costly: 0, inFlight: 10, patienceMs: 90_000 }

const SIZES = { api: 1, dispatcher: 1, worker: 1 }

type Run = ProofRun<typeof FULL>

const AT_ONCE = 16

export const BLAMED_DOCUMENTS: Mutation = {
  name: 'an endpoint that fails is taken for a fault of the attempt',
  at: 'attempt.defer',
  change: rewriteValue((reason) => `(${reason}) && undefined`),
}

export const model = defineProof({
  name: 'model',
  shows:
    'a language model that is slow, busy, broken, away or wrong costs time only: no document, no attempt, no second payment, no invented quote',
  sabotages: 'an endpoint that fails is taken for a fault of the attempt',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  mutations: [BLAMED_DOCUMENTS],
  prove: (run) =>
    withFaultyModel(
      {
        chance: createChance(run.seed),
        slowestMs: run.size.slowestMs,
        calmRequests: Math.min(2 * run.size.inFlight, run.size.documents / 3),
        calmMs: 0.6 * run.size.timeoutMs,
      },
      (server) => prove(run, server),
    ),
})

async function prove(run: Run, server: FaultyModel): Promise<void> {
  const { size } = run
  const env = {
    MODEL_URL: server.url,
    MODEL_NAME: 'faulty',
    MODEL_CONCURRENCY: String(size.inFlight),
    MODEL_TIMEOUT_MS: String(size.timeoutMs),
  }
  await withFleet(run, { sizes: SIZES, env }, async (fleet) => {
    const [own] = await createPlaces(fleet, { tenants: 1, scopes: 1 })
    const texts = Array.from({ length: size.documents }, (_, no) => textOf(no))
    await sendAll(fleet, own, texts)
    const half = size.documents / 2
    await untilProcessed(run, fleet, own, half)
    await server.leave()
    const processedBefore = await countProcessed(fleet, own)
    await new Promise((resolve) => setTimeout(resolve, size.awayMs))
    const waiting = await countWaiting(fleet, own)
    const processedAway = (await countProcessed(fleet, own)) - processedBefore
    await server.comeBack()
    await untilProcessed(run, fleet, own, size.documents)
    await judgeReading(run, fleet, own, server, texts)
    run.figures.atLeast('documents that waited visibly while the model was away', waiting, 1)
    run.figures.note('documents that were finished while the model was away', processedAway)
  })
  if (size.costly === 0) return
  // A deployment of its own: the budget is one for each tenant, and the documents above would use it up.
  await withFleet(
    run,
    { sizes: SIZES, env: { ...env, MODEL_TOKENS_PER_DAY: String(size.budget) } },
    async (fleet) => {
      const [costly] = await createPlaces(fleet, { tenants: 1, scopes: 1 })
      await judgeBudget(run, fleet, costly)
    },
  )
}

const textOf = (no: number) => `Site ${no} had ${no + 3} employees. It was visited in May.`

async function sendAll(fleet: Fleet, place: Place, texts: readonly string[]): Promise<void> {
  await inParallel([...texts.entries()], AT_ONCE, async ([no, text]) => {
    const body = { scope_id: place.scopeId, document_id: `d${no}`, name: `d${no}`, text }
    const { tenantKey: bearer, tenantId } = place
    await requestJson(fleet.url(), { path: '/api/ingest', bearer, tenantId, body, timeoutMs: 60_000 })
  })
}

const countProcessed = (fleet: Fleet, { tenantId }: Place) =>
  fleet.count(`select count(*) as count from documents where tenant_id = $1 and status = 'processed'`, [
    tenantId,
  ])

const countWaiting = (fleet: Fleet, { tenantId }: Place) =>
  fleet.count(
    `select count(*) as count from work where tenant_id = $1 and state = 'queued' and waiting_reason is not null`,
    [tenantId],
  )

async function untilProcessed({ size }: Run, fleet: Fleet, place: Place, documents: number): Promise<void> {
  const isOver = async () =>
    (await countProcessed(fleet, place)) +
      (await fleet.count(
        `select count(*) as count from documents where tenant_id = $1 and status = 'failed'`,
        [place.tenantId],
      )) >=
    documents
  await waitUntil(isOver, { what: `${documents} documents`, withinMs: size.patienceMs, everyMs: 200 })
}

interface ListedClaim {
  readonly quote: string
}

async function judgeReading(
  { size, figures }: Run,
  fleet: Fleet,
  place: Place,
  server: FaultyModel,
  texts: readonly string[],
): Promise<void> {
  const { tenantId, tenantKey: bearer, scopeId } = place
  figures.exactly('documents that were read', await countProcessed(fleet, place), size.documents)
  const repeated = await fleet.count(
    'select count(*) as count from documents where tenant_id = $1 and attempt > 1',
    [tenantId],
  )
  figures.exactly('documents that used up an attempt', repeated, 0)
  // The request by which a worker finds out whether the model is back is about no document.
  const paidTwice = [...server.paid].filter(([asked, times]) => times > 1 && asked.includes('Site'))
  figures.none(
    'requests that were paid for twice',
    paidTwice.map(([asked]) => asked),
  )
  const claims = await requestAll<ListedClaim>(fleet.url(), {
    path: `/api/scopes/${scopeId}/claims`,
    bearer,
    tenantId,
  })
  const sentences = new Set(texts.flatMap((text) => text.match(/[^.]+\./g) ?? []).map((each) => each.trim()))
  const invented = claims.map(({ quote }) => quote).filter((quote) => !sentences.has(quote))
  figures.none('quotes of claims that are in no document', invented)
  figures.atLeast('claims', claims.length, size.documents)
  figures.atLeast('requests in flight at the same time', server.peak(), size.inFlight * 0.8)
  for (const [fault, times] of Object.entries(server.faults)) figures.atLeast(`met: ${fault}`, times, 1)
  figures.none('processes that ended by themselves', fleet.unaskedExits)
}

/** The largest number of tokens of a request: its prompt, and the answer that it allows. */
const MAX_REQUEST = 10_000

async function judgeBudget({ size, figures }: Run, fleet: Fleet, place: Place): Promise<void> {
  const texts = Array.from({ length: size.costly }, (_, no) => `Site ${no} was ${COSTLY} in ${no + 1_900}.`)
  await sendAll(fleet, place, texts)
  const { tenantId } = place
  const used = () =>
    fleet.count('select coalesce(sum(used), 0) as count from model_spending where tenant_id = $1', [tenantId])
  const waits = () =>
    fleet.count(
      `select count(*) as count from work where tenant_id = $1 and waiting_reason = 'over_budget' and state = 'queued'`,
      [tenantId],
    )
  const isSpent = async () =>
    (await used()) >= size.budget && (await waits()) + (await countProcessed(fleet, place)) === size.costly
  await waitUntil(isSpent, { what: 'the budget being spent', withinMs: size.patienceMs, everyMs: 200 })
  figures.atMost('tokens used beyond the budget', (await used()) - size.budget, MAX_REQUEST)
  figures.atLeast('documents that wait for the budget', await waits(), 1)
}
