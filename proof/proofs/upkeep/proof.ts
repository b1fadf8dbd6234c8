/** A table full of idempotency records and a document with very many versions: settings say what stays, and nothing becomes slow. */
import { waitUntil } from '@concord/tools/launch'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { reportExits } from '../../harness/report.ts'
import { median } from '../../harness/statistics.ts'
import { fillTables } from './filling.ts'
import { createRequests } from './requests.ts'
import type { UpkeepRequests } from './requests.ts'

const FULL = {
  requests: 20_000,
  keys: 1_000_000,
  versions: 200_000,
  samples: 100,
  retentionSeconds: 300,
  withinMs: 300_000,
}
const SHORT = {
  requests: 300,
  keys: 30_000,
  versions: 30_000,
  samples: 30,
  retentionSeconds: 20,
  withinMs: 30_000,
}
const SIZES = { api: 1, dispatcher: 1, worker: 1 }
const DOCUMENT = 'worn'
const MAX_GET_BYTES = 64 * 1_024
const MAX_GET_MS = 500
/** Time for a pass to begin and to come to a row, on top of the retention. */
const PASS_SECONDS = 60

/** Restores the old behaviour: nothing is ever thrown away. */
export const KEEPS_EVERYTHING: Mutation = {
  name: 'no dispatcher ever walks, so nothing is removed',
  at: 'retention.sweep',
  change: rewriteValue(() => 'undefined'),
}

type Run = ProofRun<typeof FULL>

export const upkeep = defineProof({
  name: 'upkeep',
  shows:
    'tables hold what retention settings say, and a document with very many versions is as quick as a new one',
  sabotages: 'nothing is removed',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT, sabotaged: { withinMs: 5_000 } },
  mutations: [KEEPS_EVERYTHING],
  prove,
})

async function prove(run: Run): Promise<void> {
  const { size, services } = run
  const seconds = String(size.retentionSeconds)
  const env = {
    RETENTION_KEYS_SECONDS: seconds,
    RETENTION_VERSIONS_SECONDS: seconds,
    RETENTION_EVENTS_SECONDS: seconds,
  }
  await withFleet(run, { sizes: SIZES, env }, async (fleet) => {
    const [place] = await createPlaces(fleet, { tenants: 1, scopes: 1 })
    const requests = createRequests(fleet.url(), place)
    await requests.ingest({ document_id: DOCUMENT, name: DOCUMENT, text: 'The first of many.' })
    await untilIdle(fleet)
    await fillTables(services, fleet.deployment.databaseName, place, { ...size, documentId: DOCUMENT })
    await measure(run, fleet, requests)
    await untilIdle(fleet)
    await reportRemoval(run, fleet)
    await reportPromises(run, requests, place)
    requests.close()
    reportExits(run, fleet)
  })
}

async function untilIdle(fleet: Fleet): Promise<void> {
  await waitUntil(async () => (await fleet.count('select count(*) from work')) === 0, {
    what: 'every document at its end',
    withinMs: 300_000,
  })
}

/** While all of it is there. */
async function measure({ figures, size }: Run, fleet: Fleet, requests: UpkeepRequests): Promise<void> {
  figures.note('idempotency records written by SQL', size.keys)
  figures.note('versions of one document written by SQL', size.versions)
  const worn: number[] = []
  const fresh: number[] = []
  const refused: string[] = []
  for (let at = 0; at < size.samples; at += 1)
    for (const [documentId, ms] of [[DOCUMENT, worn] as const, [`fresh-${at}`, fresh] as const]) {
      const answer = await requests.ingest({
        document_id: documentId,
        name: 'a document',
        text: `Measured ${at}.`,
      })
      if (answer.status === 202) ms.push(answer.ms)
      else refused.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    }
  const get = await requests.read(DOCUMENT)
  figures.atLeast('versions of the document when it was measured', await countVersions(fleet), size.versions)
  figures.none('ingests refused', refused)
  figures.note('ingest of a new document, median', median(fresh), ' ms')
  figures.atMost('ingest of that document, median, of that of a new one', median(worn) / median(fresh), 1.5)
  figures.exactly('status of one GET of that document', get.status, 200)
  figures.atMost('size of its answer', get.text.length, MAX_GET_BYTES, ' bytes')
  figures.atMost('time of its answer', get.ms, MAX_GET_MS, ' ms')
  figures.exactly('keyed requests sent and accepted', await requests.sendKeyed(size.requests), size.requests)
  figures.none(
    'keys within their retention that were not replayed',
    await requests.findNotReplayed(size.samples),
  )
}

const countVersions = (fleet: Fleet) =>
  fleet.count('select count(*) from document_versions where document_id = $1', [DOCUMENT])

/** Rows that the settings say are kept no longer; all of them by `afterSeconds` at 0. */
async function countDue(fleet: Fleet, afterSeconds: number) {
  const due = (table: string, column: string, where: string) =>
    fleet.count(
      `select count(*) from ${table} t where ${column} < now() - make_interval(secs => $1) and ${where}`,
      [afterSeconds],
    )
  return {
    'idempotency records': await due('idempotency_keys', 'created_at', 'true'),
    'superseded versions': await due('document_versions', 'ended_at', `status = 'superseded'`),
    'log entries': await due(
      'scope_log',
      'at',
      'seq < (select head from scope_heads h where (h.tenant_id, h.scope_id) = (t.tenant_id, t.scope_id))',
    ),
  }
}

async function reportRemoval({ figures, size }: Run, fleet: Fleet): Promise<void> {
  const { retentionSeconds, withinMs } = size
  const all = await countDue(fleet, 0)
  await waitUntil(async () => (await fleet.count(YOUNGEST)) >= retentionSeconds, {
    what: 'all of it being due',
    withinMs: (retentionSeconds + 60) * 1_000,
    everyMs: 500,
  })
  const began = performance.now()
  await waitUntil(async () => sumOf(await countDue(fleet, retentionSeconds)) === 0, {
    what: 'all of it being removed',
    withinMs,
    everyMs: 200,
  }).catch(() => undefined)
  figures.note('seconds from when all was due until it was gone', (performance.now() - began) / 1_000)
  for (const [what, left] of Object.entries(await countDue(fleet, retentionSeconds)))
    figures.exactly(`${what} kept for longer than the settings say`, left, 0)
  for (const [what, before] of Object.entries(all)) figures.note(`${what} there were`, before)
  figures.atMost(
    'rows left in the table of idempotency records',
    await fleet.count('select count(*) from idempotency_keys'),
    0,
  )
  figures.atMost('versions left of the document', await countVersions(fleet), 1)
  figures.atMost(
    'seconds since the last completed pass began',
    await fleet.count('select max(extract(epoch from now() - swept_to)) as count from retention_sweeps'),
    retentionSeconds / 10 + PASS_SECONDS,
  )
}

/** Whole seconds since the last row was written that retention is about. */
const YOUNGEST = `select floor(extract(epoch from now() - greatest(
    (select max(created_at) from idempotency_keys), (select max(ended_at) from document_versions where status = 'superseded'),
    (select max(at) from scope_log)))) as count`

const sumOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, each) => sum + each, 0)

async function reportPromises(
  { figures, size }: Run,
  requests: UpkeepRequests,
  { scopeId }: Place,
): Promise<void> {
  const document = await requests.read(DOCUMENT)
  figures.exactly('status of a GET of the document afterwards', document.status, 200)
  const inForce =
    document.text.includes('"status":"processed"') &&
    document.text.includes(`"version":${size.versions + size.samples}`)
  figures.exactly(`the newest version of it in ${scopeId} being in force`, inForce ? 1 : 0, 1)
  figures.none('keys after their retention that are not free', await requests.findNotFree(size.samples))
  const told = await requests.follow()
  figures.exactly(
    'a follower from the first entry being told resync',
    told.text.includes('event: resync') ? 1 : 0,
    1,
  )
}
