/**
 * Content is never written down in clear, and a reset ends it for good: in the live system at once, in every copy as far
 * as the keys are concerned.
 *
 * What a reset can promise, and what it cannot. With its commit the rows of the scope are gone and so is the data key
 * that opened them, so the live database, what it writes to its log from then on, and the keys it has open nothing of
 * the scope any more. What was copied before is not reached by a commit: a backup, a standby that stands still, and for
 * a while the live directory itself (dead rows until vacuum, the write-ahead log until it is recycled) hold the sealed
 * content and beside it the old data key, wrapped by the master key. These are protected by the master key alone, which
 * is never in the database. They end when it is rotated out of the ring, or when they themselves are deleted.
 * A running process may also remember the old data key in memory until it next writes to the scope; this proof searches
 * disks, tables, answers and logs, and no memory.
 */
import { askAll } from './answers.ts'
import type { RecordedAnswers } from './answers.ts'
import { takeBackup } from './backup.ts'
import type { Backup } from './backup.ts'
import { decideInSite, fillSite, untilProcessed } from './filling.ts'
import { countRows, oddTables, rowsInside } from './rows.ts'
import { HALF_A_RESET } from './sabotage.ts'
import { planSite } from './site.ts'
import type { Site } from './site.ts'
import { withStage } from './stage.ts'
import type { ErasureStage } from './stage.ts'
import {
  countFilesWith,
  searchBroker,
  searchBusyBroker,
  searchLogs,
  searchPostgres,
  untilBrokerEmpty,
} from './traces.ts'
import { proveUnreadable } from './unreadable.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = { documents: 1_000, processMs: 180_000 }
const SHORT = { documents: 100, processMs: 30_000 }
/** In a scope beside it, of the same tenant, that is not reset. */
const KEPT = 10
const BROKER_MS = 15_000
const STREAMS = 3

type Run = ProofRun<typeof FULL>

export const erasure = defineProof({
  name: 'erasure',
  shows:
    'content is never on a disk in clear, and after a reset it is in no answer, row or log, and the keys that are ' +
    'left open nothing of an older backup',
  sabotages: 'a reset leaves the texts and the data key that opens them',
  sizes: { full: FULL, short: SHORT },
  mutations: HALF_A_RESET,
  prove,
})

interface Sites {
  readonly erased: Site
  readonly kept: Site
}

async function prove(run: Run): Promise<void> {
  const { documents } = run.size
  const sites = { erased: planSite('erased', documents), kept: planSite('kept', KEPT) }
  await withStage(run, async (stage) => {
    await fill(run, stage, sites)
    await proveSealed(run, stage, sites.erased)
    const backup = await takeBackup(stage)
    try {
      await stage.untilReady()
      await reset(run, stage, sites.erased)
      await proveErased(run, stage, sites)
      await tryBackup(run, stage, backup, sites)
    } finally {
      await backup.remove()
    }
    run.figures.exactly('processes that ended by themselves', stage.exits(), 0)
  })
}

/** The broker is searched while work waits in it: what was worked off may be gone from its disk. */
async function fill(run: Run, stage: ErasureStage, { erased, kept }: Sites): Promise<void> {
  const { figures } = run
  const { processMs } = run.size
  await fillSite(stage, kept)
  await fillSite(stage, erased)
  const waiting = await searchBusyBroker(stage, erased, BROKER_MS)
  await stage.startWorker()
  const processed = await untilProcessed(stage, erased, processMs)
  figures.atLeast('documents sent in, and read to the end', processed, erased.documents.length)
  await decideInSite(stage, erased)
  figures.note('files of NATS searched while work waited in it', waiting.searched)
  figures.atLeast(
    'files of NATS with ids, while work waited (the search finds what is there)',
    waiting.ids,
    1,
  )
  figures.exactly('files of NATS with content, while work waited', waiting.content, 0)
}

/** Everything that is looked for after the reset is looked for before it as well, where it must be found. */
async function proveSealed({ figures }: Run, stage: ErasureStage, site: Site): Promise<void> {
  const { length: count } = site.documents
  const database = await searchPostgres(stage, site)
  figures.note('files of Postgres searched before the reset', database.searched)
  figures.atLeast('files of Postgres with ids before the reset (ids are no content)', database.ids, 1)
  figures.exactly('files of Postgres with content before the reset', database.content, 0)
  const logs = await searchLogs(stage, site)
  figures.exactly('logs in which a known text was found', logs.controls, logs.logs)
  figures.exactly('logs with content before the reset', logs.content, 0)
  const rows = await countRows(stage, site)
  figures.atLeast('rows with an id before the reset', rows.ids, count)
  figures.exactly('rows with content in clear before the reset', rows.content, 0)
  const told = await askAll(stage, site, { event: 'document.processed', times: count })
  figures.exactly('documents that the service lists before the reset', told.listed, count)
  figures.exactly('documents found by id before the reset', told.found, count)
  figures.atLeast('claims that the service lists before the reset', told.claims, count)
  figures.atLeast('contradictions that the service lists before the reset', told.contradictions, 1)
  figures.atLeast('decisions that the service lists before the reset', told.decisions, 1)
  figures.atLeast(
    'answers with names of documents before the reset (their owner may see them)',
    told.content,
    count,
  )
  figures.atLeast('streams that told all of it before the reset', told.streams, STREAMS)
}

async function reset({ figures }: Run, { client, admin, tenant }: ErasureStage, site: Site): Promise<void> {
  const { epoch, removed } = await client.json<Reset>({
    method: 'POST',
    path: `/admin/scopes/${site.scopeId}/reset`,
    bearer: admin,
    tenantKey: tenant.key,
    timeoutMs: 30_000,
  })
  figures.exactly('generation of the scope after the reset', epoch, 1)
  figures.exactly('documents that the reset removed, as it says', removed.documents, site.documents.length)
  figures.exactly(
    'idempotency records that the reset removed, as it says',
    removed.idempotency_records,
    site.documents.filter(({ idempotencyKey }) => idempotencyKey !== null).length,
  )
}

interface Reset {
  readonly epoch: number
  readonly removed: { readonly documents: number; readonly idempotency_records: number }
}

async function proveErased(run: Run, stage: ErasureStage, { erased, kept }: Sites): Promise<void> {
  const { figures, print } = run
  const until = { event: 'scope.reset', times: 1 }
  reportTold(run, await askAll(stage, erased, until), erased)
  const rows = await countRows(stage, erased)
  figures.exactly('rows of the scope in all tables of what was in it', rowsInside(rows), 0)
  figures.exactly('rows of any table with an id or with content', rows.ids + rows.content, 0)
  const odd = oddTables(rows)
  figures.exactly(
    'tables with other than the one row of the empty scope: itself, head, key, log',
    odd.length,
    0,
  )
  for (const table of odd) print(`  ${table}: ${rows.ofScope[table] ?? 'not there'}`)
  figures.atMost('messages that NATS holds after the reset', await untilBrokerEmpty(stage, BROKER_MS), 0)
  const broker = await searchBroker(stage, erased)
  figures.exactly('files of NATS with content after the reset', broker.content, 0)
  figures.exactly('files of NATS with ids after the reset', broker.ids, 0)
  const logs = await searchLogs(stage, erased)
  figures.exactly('logs with content or ids after the reset', logs.content + logs.ids, 0)
  const database = await searchPostgres(stage, erased)
  figures.exactly('files of Postgres with content after the reset', database.content, 0)
  figures.note('files of Postgres with ids after the reset (until vacuum, and in older log)', database.ids)
  const beside = await countRows(stage, kept)
  figures.exactly('documents of the other scope that are still there', beside.ofScope['documents'] ?? 0, KEPT)
}

function reportTold({ figures }: Run, told: RecordedAnswers, { documents }: Site): void {
  figures.exactly('documents that the service lists after the reset', told.listed, 0)
  figures.exactly(
    'claims, contradictions and decisions that the service lists after the reset',
    told.claims + told.contradictions + told.decisions,
    0,
  )
  figures.exactly('ids answered with 404 after the reset', told.missing, documents.length)
  figures.exactly('streams, read from 0, that came to the reset', told.streams, STREAMS)
  figures.note('answers and streams searched after the reset', told.answers)
  figures.exactly('answers with content after the reset', told.content, 0)
  figures.exactly('answers with ids after the reset', told.ids, 0)
}

async function tryBackup(run: Run, stage: ErasureStage, backup: Backup, sites: Sites): Promise<void> {
  const { figures, print } = run
  const [old] = await proveUnreadable({ stage, backup, ...sites, figures, print })
  if (!old) throw new Error('The backup has no key of the scope.')
  const files = await countFilesWith(stage, old.wrapped)
  figures.note('files of the live Postgres with the wrapped old key (dead row, older log: see (c))', files)
}
