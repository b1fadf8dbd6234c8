/** Documents on their way, made by the statements of the service, and what the tables then say of them. */
import { createHash, randomUUID } from 'node:crypto'
import type { DocumentsDeps } from '../../src/app/documents/documents.ts'
import { createScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import { gapOf, RULE_READER, toStoredReport } from '../../src/domain/reading-report.ts'
import type { ReadingReport } from '../../src/domain/reading-report.ts'
import { acceptDocuments } from '../../src/store/documents/acceptance.ts'
import type { AcceptResult, NewDocument } from '../../src/store/documents/acceptance.ts'
import { startAttempts, completeAttempts } from '../../src/store/processing/attempts.ts'
import type { StoredAttemptResult, WorkRef } from '../../src/store/processing/attempts.ts'
import type { Pool, Pools } from '../../src/store/pools.ts'
import { dispatchWork, renewLeases } from '../../src/store/processing/dispatch.ts'
import type { TestDatabase } from './database.ts'
import { auditor, fingerprints, masterKeys } from './people.ts'
import type { TestTenant } from './people.ts'
import { policiesOf } from './policies.ts'

/** The dependencies of the documents in a process of the API, with a memory of seals of its own. */
export const documentsDeps = (
  pools: Pools,
  announceEvents: DocumentsDeps['announceEvents'] = () => undefined,
): DocumentsDeps => ({
  pools,
  seals: createScopeSeals({ pool: pools.tenant, masterKeys }),
  fingerprints,
  policies: policiesOf(pools.tenant),
  auditor,
  announceEvents,
})

export const SHARDS = [0, 1, 2, 3]
const MANY = 10_000

/** Stands for a keyed hash: equal for equal words. */
const print16 = (words: string): Buffer => createHash('sha256').update(words).digest().subarray(0, 16)

export const idempotency = (key: string, request: string): NewDocument['idempotency'] => ({
  keyHash: print16(`key ${key}`),
  request: print16(`request ${request}`),
})

/** In the scope `default` unless said otherwise; the fingerprint follows the text. */
export function newDocument(
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  { text = 'a text', ...parts }: Partial<NewDocument> & { readonly text?: string } = {},
): NewDocument {
  return {
    tenantId,
    scopeId: 'default',
    epoch: 0,
    documentId: randomUUID(),
    type: 'txt',
    characters: text.length,
    fingerprint: print16(text),
    idempotency: null,
    sealedCard: Buffer.from(`card of ${text}`),
    sealedLayout: null,
    sealedText: Buffer.from(text),
    ...parts,
  }
}

export async function acceptOne(pool: Pool, document: NewDocument): Promise<AcceptResult> {
  const [answer] = await acceptDocuments(pool, [document])
  if (!answer) throw new Error('the statement did not answer')
  return answer
}

/** Releases all there is, and says what of it belongs to the tenant. */
export async function dispatchAll(
  { kernel }: Pools,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
): Promise<WorkRef[]> {
  const holder = 'test'
  await renewLeases(kernel, holder, 60)
  const dispatched = await dispatchWork(kernel, { holder, shards: SHARDS, window: MANY })
  return dispatched.filter((each) => each.tenantId === tenantId)
}

/** Accepted and dispatched: a message with this ticket may claim it. */
export async function makeReady(
  { api, worker }: { readonly api: Pool; readonly worker: Pools },
  document: NewDocument,
): Promise<WorkRef> {
  await acceptOne(api, document)
  const dispatched = await dispatchAll(worker, document)
  const place = dispatched.find(({ documentId }) => documentId === document.documentId)
  if (!place) throw new Error('the document was not dispatched')
  return place
}

/** Claims like the service does, once more while somebody else holds the scope. */
export async function startOne(pool: Pool, place: WorkRef, maxAttempts = 5) {
  for (;;) {
    const [answer] = await startAttempts(pool, [place], maxAttempts)
    if (answer?.outcome !== 'busy') return answer
  }
}

export async function completeOne(pool: Pool, result: StoredAttemptResult) {
  for (;;) {
    const [outcome] = await completeAttempts(pool, [result])
    if (outcome !== 'busy') return outcome
  }
}

/** The same for documents; answers keep the order. */
export async function acceptAll(pool: Pool, documents: readonly NewDocument[]): Promise<AcceptResult[]> {
  const answers = await acceptDocuments(pool, documents)
  const busy = documents.filter((_, index) => answers[index]?.outcome === 'busy')
  const others = busy.length === 0 ? [] : await acceptAll(pool, busy)
  return answers.map((answer) => (answer.outcome === 'busy' ? (others.shift() ?? answer) : answer))
}

/** The report of an English text that was read to its end. */
export const wholeReport = (characters: number, claims = 1): ReadingReport => ({
  ...RULE_READER,
  format: 'text',
  language: 'en',
  languageConfidence: 1,
  characters,
  charactersRead: characters,
  passages: 2,
  passagesRead: 2,
  unread: [],
  claims,
  quotesDropped: 0,
})

/** `report`: of the text that `newDocument` has where nothing else is said. */
export const processedResult = (
  place: WorkRef,
  attempt: number,
  words = 'a reading',
  report = wholeReport('a text'.length),
): StoredAttemptResult => ({
  ...place,
  attempt,
  verdict: 'processed',
  reason: null,
  reading: {
    passages: 2,
    sentences: 3,
    sealed: Buffer.from(words),
    report: toStoredReport(report),
    gap: gapOf(report),
  },
})

export const unsuccessful = (
  place: WorkRef,
  attempt: number,
  verdict: 'failed' | 'retry',
  reason: string,
): StoredAttemptResult => ({ ...place, attempt, verdict, reason, reading: null })

/** Seen past row-level security, so that nothing a test looks for can hide. */
export async function look<Row extends object>(
  database: TestDatabase,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await database.superuser.query<Row>(statement, values)).rows
}

/** Whether a statement with these words waits for a lock. The server keeps its first kilobyte. */
export async function isWaiting(database: TestDatabase, words: string): Promise<boolean> {
  const waiting = await look(
    database,
    `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
    [words],
  )
  return waiting.length > 0
}

export interface LoggedEvent {
  readonly seq: number
  readonly kind: string
  readonly document_id: string | null
  readonly version: number | null
  readonly data: Readonly<Record<string, unknown>>
}

export async function logOf(
  database: TestDatabase,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  scopeId = 'default',
): Promise<LoggedEvent[]> {
  return look<LoggedEvent>(
    database,
    `select seq::int, kind, document_id, version, data from scope_log
      where tenant_id = $1 and scope_id = $2 order by seq`,
    [tenantId, scopeId],
  )
}

/** The events after the creation of the scope, as `seq kind version`. */
export async function storyOf(
  database: TestDatabase,
  tenant: Pick<TestTenant, 'tenantId'>,
  scopeId = 'default',
): Promise<string[]> {
  const events = await logOf(database, tenant, scopeId)
  return events.filter(({ seq }) => seq > 1).map(({ seq, kind, version }) => `${seq} ${kind} ${version}`)
}

export async function documentRow(
  database: TestDatabase,
  { tenantId, documentId }: Pick<NewDocument, 'tenantId' | 'documentId'>,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await look<Record<string, unknown>>(
    database,
    'select * from documents where tenant_id = $1 and document_id = $2',
    [tenantId, documentId],
  )
  return row
}

/** `version status`, newest first. */
export async function versionsOf(
  database: TestDatabase,
  { tenantId, documentId }: Pick<NewDocument, 'tenantId' | 'documentId'>,
): Promise<string[]> {
  const rows = await look<{ version: number; status: string }>(
    database,
    'select version, status from document_versions where tenant_id = $1 and document_id = $2 order by version desc',
    [tenantId, documentId],
  )
  return rows.map(({ version, status }) => `${version} ${status}`)
}

export interface StoredWorkRow {
  readonly state: string
  readonly version: number
  readonly attempt: number
  readonly ticket: string | null
  readonly position: string
}

export async function workRow(
  database: TestDatabase,
  { tenantId, documentId }: Pick<NewDocument, 'tenantId' | 'documentId'>,
): Promise<StoredWorkRow | undefined> {
  const [row] = await look<StoredWorkRow>(
    database,
    'select state, version, attempt, ticket, position from work where tenant_id = $1 and document_id = $2',
    [tenantId, documentId],
  )
  return row
}

const TABLES = [
  'scope_heads',
  'scope_log',
  'documents',
  'document_labels',
  'document_versions',
  'readings',
  'work',
  'idempotency_keys',
  'claims',
  'claim_keys',
  'claim_counts',
  'comparison_cuts',
  'facts',
  'fact_witnesses',
  'fact_postings',
  'fact_words',
  'fact_counts',
  'comparison_steps',
  'contradictions',
  'scope_convergence',
  'contested',
  'convergence_series',
]

/** Every row of the pipeline to the last byte: two equal pictures mean that nothing was written in between. */
export async function pictureOf(
  database: TestDatabase,
  tenant?: Pick<TestTenant, 'tenantId'>,
): Promise<string[]> {
  const each = TABLES.map(
    (table) =>
      `select '${table} ' || t::text as row from ${table} t where $1::uuid is null or tenant_id = $1`,
  )
  const rows = await look<{ row: string }>(database, `${each.join(' union all ')} order by 1`, [
    tenant?.tenantId ?? null,
  ])
  return rows.map(({ row }) => row)
}
