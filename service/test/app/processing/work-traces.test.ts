/** How a trace gets from the request that queued a document to the attempt that reads it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { depositDocument, retryDocument } from '../../../src/app/documents/documents.ts'
import { triggerIngest } from '../../../src/app/processing/ingest-trigger.ts'
import type { DocumentsDeps } from '../../../src/app/documents/documents.ts'
import { watchIngest, watchQueued } from '../../../src/app/documents/ingest-watch.ts'
import { createIngest } from '../../../src/app/documents/ingest.ts'
import type { Ingest } from '../../../src/app/documents/ingest.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { createTraceLookup, createTraceRecorder } from '../../../src/app/processing/work-traces.ts'
import type { TraceRecorder } from '../../../src/app/processing/work-traces.ts'
import type { TenantCaller } from '../../../src/domain/caller.ts'
import type { Trace } from '../../../src/platform/tracing.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { insertTraces } from '../../../src/store/processing/work-traces.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, fingerprints, makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 3)
const worker = usePools(database, 2, 'worker')

let tenant: TestTenant
let outcomes: string[]

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  outcomes = []
})

const traceparentOf = (digit: number) => `00-${String(digit).repeat(32)}-${String(digit).repeat(16)}-01`

/** Steps that were told of it, and nothing else. */
function traceOf(digit: number): Trace & { readonly steps: string[] } {
  const steps: string[] = []
  return {
    traceparent: traceparentOf(digit),
    steps,
    step: (name) => void steps.push(name),
    end: () => undefined,
  }
}

const followed = (trace: Trace): TenantCaller => ({ ...tenant.caller, trace })

function watched(): { readonly ingest: Ingest; readonly settled: () => Promise<void> } {
  const notes = createTraceRecorder({ pool: api().tenant, log: silentLog })
  const ingest = createIngest({
    pool: api().tenant,
    seals: createScopeSeals({ pool: api().tenant, masterKeys }),
    fingerprints,
    announceEvents: () => undefined,
  })
  return {
    ingest: watchIngest(ingest, { ingested: (outcome) => void outcomes.push(outcome), notes }),
    settled: notes.drain,
  }
}

const request = (documentId: string, text = 'Words.') => ({
  scopeId: 'default',
  name: documentId,
  type: 'txt',
  text,
  characters: text.length,
  documentId,
  source: null,
  idempotencyKey: null,
})

const lookup = () => createTraceLookup({ pool: worker().tenant, log: silentLog })

const place = (documentId: string, ticket = '7', isOver = true, tenantId = tenant.tenantId) => ({
  tenantId,
  scopeId: 'default',
  documentId,
  ticket,
  isOver,
})

const rows = () =>
  look<{ document_id: string; traceparent: string }>(
    database(),
    'select document_id, traceparent from work_traces where tenant_id = $1 order by document_id',
    [tenant.tenantId],
  )

/** The records that the dispatcher, the worker and its settlement would leave of it. */
const release = (documentId: string, ticket: string) =>
  look(database(), `update work set state = 'ready', ticket = $3 where tenant_id = $1 and document_id = $2`, [
    tenant.tenantId,
    documentId,
    ticket,
  ])
const finish = (documentId: string) =>
  look(database(), 'delete from work where tenant_id = $1 and document_id = $2', [
    tenant.tenantId,
    documentId,
  ])

describe('the trace of a traced request', () => {
  it('is available to the worker that reads the document, and deleted when the document completes', async () => {
    const { ingest, settled } = watched()
    const trace = traceOf(1)
    await ingest.ingestDocument(followed(trace), request('d'))
    await settled()
    expect(trace.steps).toEqual(['commit'])
    await release('d', '7')
    expect(await lookup().take(place('d', '7', false))).toBe(traceparentOf(1))
    await finish('d')
    expect(await lookup().take(place('d'))).toBe(traceparentOf(1))
    expect(await rows()).toEqual([])
  })

  it('is stored for every document of a batch', async () => {
    const { ingest, settled } = watched()
    await ingest.ingestAll(followed(traceOf(2)), [request('a'), request('b')])
    await settled()
    expect(await rows()).toEqual([
      { document_id: 'a', traceparent: traceparentOf(2) },
      { document_id: 'b', traceparent: traceparentOf(2) },
    ])
  })

  it('is replaced by that of a newer version, and not used by an attempt at the older one', async () => {
    const { ingest, settled } = watched()
    await ingest.ingestDocument(followed(traceOf(1)), request('d'))
    await settled()
    await release('d', '7')
    await ingest.ingestDocument(followed(traceOf(2)), request('d', 'Other words.'))
    await settled()
    expect(await rows()).toEqual([{ document_id: 'd', traceparent: traceparentOf(2) }])
    expect(await lookup().take(place('d', '7'))).toBeUndefined()
    expect(await rows()).toHaveLength(1)
  })

  it('is not replaced by a repeated request, which queues nothing', async () => {
    const { ingest, settled } = watched()
    await ingest.ingestDocument(followed(traceOf(1)), request('d'))
    await ingest.ingestDocument(followed(traceOf(2)), request('d'))
    await settled()
    expect(await rows()).toEqual([{ document_id: 'd', traceparent: traceparentOf(1) }])
    expect(outcomes).toEqual(['accepted', 'replayed'])
  })

  it('is not stored for a request that is not traced', async () => {
    const { ingest, settled } = watched()
    await ingest.ingestDocument(tenant.caller, request('d'))
    await settled()
    expect(await rows()).toEqual([])
    expect(await lookup().take(place('d'))).toBeUndefined()
  })

  it('is not visible to another tenant', async () => {
    const { ingest, settled } = watched()
    const other = await makeTenant(api(), 'Borealis')
    await ingest.ingestDocument(followed(traceOf(1)), request('d'))
    await settled()
    await finish('d')
    expect(await lookup().take(place('d', '7', true, other.tenantId))).toBeUndefined()
    expect(await rows()).toHaveLength(1)
  })

  it('is protected by the database too, and a worker cannot write one', async () => {
    const { ingest, settled } = watched()
    const other = await makeTenant(api(), 'Borealis')
    await ingest.ingestDocument(followed(traceOf(1)), request('d'))
    await settled()
    const seenBy = (tenantId: string) =>
      inTenant(worker().tenant, tenantId, async ({ connection }) => {
        const { rowCount } = await connection.query('select from work_traces')
        return rowCount
      })
    expect([await seenBy(tenant.tenantId), await seenBy(other.tenantId)]).toEqual([1, 0])
    const writing = inTenant(worker().tenant, tenant.tenantId, ({ connection }) =>
      connection.query('insert into work_traces select * from work_traces'),
    )
    await expect(writing).rejects.toThrow('permission denied')
  })

  it('is deleted after a day, when others of its tenant are stored', async () => {
    const { ingest, settled } = watched()
    await ingest.ingestDocument(followed(traceOf(1)), request('old'))
    await settled()
    await look(database(), `update work_traces set noted_at = now() - interval '25 hours'`)
    await ingest.ingestDocument(followed(traceOf(2)), request('new'))
    await settled()
    expect((await rows()).map(({ document_id: id }) => id)).toEqual(['new'])
  })
})

describe('a traced request that queues existing documents', () => {
  const deps = (notes: TraceRecorder): DocumentsDeps => ({
    ...documentsDeps(api()),
    noteQueued: watchQueued(notes),
  })

  it('stores its trace for each document that it triggers', async () => {
    const notes = createTraceRecorder({ pool: api().tenant, log: silentLog })
    for (const documentId of ['a', 'b'])
      await depositDocument(deps(notes), tenant.caller, { ...request(documentId), provenance: null })
    await triggerIngest(deps(notes), followed(traceOf(3)), 'default', undefined)
    await notes.drain()
    expect(await rows()).toEqual([
      { document_id: 'a', traceparent: traceparentOf(3) },
      { document_id: 'b', traceparent: traceparentOf(3) },
    ])
  })

  it('stores its trace for a document that is retried, in place of the first', async () => {
    const { ingest, settled } = watched()
    await ingest.ingestDocument(followed(traceOf(1)), request('d'))
    await settled()
    await finish('d')
    await look(database(), `update documents set status = 'failed' where tenant_id = $1`, [tenant.tenantId])
    const notes = createTraceRecorder({ pool: api().tenant, log: silentLog })
    await retryDocument(deps(notes), followed(traceOf(2)), 'default', 'd')
    await notes.drain()
    expect(await rows()).toEqual([{ document_id: 'd', traceparent: traceparentOf(2) }])
  })
})

describe('a reset', () => {
  const reset = () =>
    resetScope(
      { pools: api(), masterKeys, auditor, announceEvents: () => undefined },
      tenant.caller,
      'default',
    )

  it('deletes the traces of the scope', async () => {
    const { ingest, settled } = watched()
    await ingest.ingestDocument(followed(traceOf(1)), request('d'))
    await settled()
    await reset()
    expect(await rows()).toEqual([])
  })

  it('prevents storing traces of documents that were accepted before it', async () => {
    const { ingest } = watched()
    const { seq } = await ingest.ingestDocument(tenant.caller, request('d'))
    await reset()
    await inTenant(api().tenant, tenant.tenantId, (transaction) =>
      insertTraces(transaction, [{ scopeId: 'default', seq, traceparent: traceparentOf(1) }]),
    )
    expect(await rows()).toEqual([])
  })

  it('waits for a trace that is being stored, and deletes it too', async () => {
    const { ingest } = watched()
    const { seq } = await ingest.ingestDocument(tenant.caller, request('d'))
    const noted = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const noting = inTenant(api().tenant, tenant.tenantId, async (transaction) => {
      await insertTraces(transaction, [{ scopeId: 'default', seq, traceparent: traceparentOf(1) }])
      noted.resolve()
      await go.promise
    })
    await noted.promise
    const resetting = reset()
    await waitUntil(
      async () =>
        (
          await look(
            database(),
            `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length > 0,
      { what: 'the reset waiting' },
    )
    go.resolve()
    await Promise.all([noting, resetting])
    expect(await rows()).toEqual([])
  })
})

describe('accepting with metrics', () => {
  it('counts refused documents and still refuses them', async () => {
    const { ingest } = watched()
    const lost = { ...request('d'), scopeId: 'nowhere' }
    await expect(ingest.ingestDocument(tenant.caller, lost)).rejects.toMatchObject({
      code: 'scope_not_found',
    })
    const [first, second] = await ingest.ingestAll(tenant.caller, [request('e'), lost])
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected'])
    expect(outcomes).toEqual(['refused', 'accepted', 'refused'])
  })
})
