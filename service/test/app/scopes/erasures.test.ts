import { beforeEach, describe, expect, it } from 'vitest'
import { getConvergence } from '../../../src/app/scopes/convergence.ts'
import { listDocuments } from '../../../src/app/documents/document-lists.ts'
import { getDocumentText } from '../../../src/app/documents/document-text.ts'
import { getDocument } from '../../../src/app/documents/documents.ts'
import { createErasureSweep } from '../../../src/app/scopes/erasure-sweep.ts'
import { deleteScope, deleteTenant, resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import type { ErasureDeps } from '../../../src/app/scopes/scope-erasure.ts'
import { createEventFeed } from '../../../src/app/events/event-feed.ts'
import { createIngest } from '../../../src/app/documents/ingest.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { getScopeMetrics } from '../../../src/app/scopes/scope-stats.ts'
import { getScopeSummary } from '../../../src/app/scopes/scope-summary.ts'
import { listScopes } from '../../../src/app/scopes/scopes.ts'
import { selectErasureStats } from '../../../src/store/scopes/erasures.ts'
import type { Pools } from '../../../src/store/pools.ts'
import { recallWork } from '../../../src/store/processing/dispatch.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  documentsDeps,
  idempotency,
  isWaiting,
  logOf,
  look,
  makeReady,
  newDocument,
  pictureOf,
  processedResult,
  dispatchAll,
  completeOne,
} from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, fingerprints, makeScope, makeTenant, masterKeys, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

/** One row at a time, so that the smallest scope takes many transactions. */
const deps = (pools: Pools = api()): ErasureDeps => ({
  pools,
  masterKeys,
  auditor,
  announceEvents: () => undefined,
  pieceRows: 1,
})

/** After so many transactions it gets no connection any more, as a process that was killed. */
function dyingAfter(transactions: number): Pools {
  let left = transactions
  const tenantPool = Object.assign(Object.create(api().tenant), {
    connect: async () => {
      if (left === 0) throw new Error('killed')
      left -= 1
      return api().tenant.connect()
    },
  })
  return { ...api(), tenant: tenantPool }
}

const sweep = () => createErasureSweep({ ...deps(), log: silentLog, idleMs: 0 }).sweep()

async function fill(): Promise<void> {
  const place = await makeReady(
    { api: api().tenant, worker: worker() },
    newDocument(tenant, { documentId: 'done' }),
  )
  await startOne(worker().tenant, place)
  await completeOne(worker().tenant, processedResult(place, 1))
  await acceptOne(
    api().tenant,
    newDocument(tenant, { documentId: 'waits', idempotency: idempotency('k', 'r') }),
  )
}

const METRICS = { from: undefined, to: undefined, step: '1m' } as const
const SHARDS = [0, 1, 2, 3]
const REMOVED = { documents: 2, claims: 0, contradictions: 0, idempotency_records: 1 }

async function dieAfter(transactions: number): Promise<void> {
  await expect(resetScope(deps(dyingAfter(transactions)), tenant.caller, 'default')).rejects.toThrow('killed')
}

describe('a reset whose process ends in the middle', () => {
  it.each([1, 2, 5, 9])('is ended by another process after %i transactions', async (transactions) => {
    await fill()
    const events = await logOf(database(), tenant)
    await dieAfter(transactions)
    expect(await sweep()).toBe(1)
    const [entry, ...more] = await logOf(database(), tenant)
    expect([entry?.kind, entry?.seq, more]).toEqual(['scope.reset', events.length + 1, []])
    expect(entry?.data).toEqual({ removed: { ...REMOVED, log_entries: events.length } })
    expect(await acceptOne(api().tenant, again())).toMatchObject({ outcome: 'accepted' })
    expect(await look(database(), 'select from erasures')).toEqual([])
  })

  const again = () =>
    newDocument(tenant, { epoch: 1, documentId: 'waits', idempotency: idempotency('k', 'other') })

  it('shows no earlier content meanwhile, and answers unavailable', async () => {
    await fill()
    const documents = documentsDeps(api())
    const reading = { pools: api(), seals: documents.seals }
    // The process remembers the key of the old generation.
    await documents.seals.get(tenant.tenantId, 'default')
    await dieAfter(1)
    const who = tenant.caller
    const page = { limit: 10, cursor: undefined, order: 'id' } as const
    const reads = {
      document: getDocument(documents, who, 'default', 'done'),
      text: getDocumentText(reading, who, 'default', 'done', { start: 0, end: 10, version: undefined }),
      documents: listDocuments(documents, who, 'default', page),
      summary: getScopeSummary(reading, who, 'default'),
      metrics: getScopeMetrics(reading, who, 'default', METRICS),
      convergence: getConvergence(reading, who, 'default'),
      events: createEventFeed({ pools: api(), log: silentLog }).headOf(tenant.tenantId, 'default'),
    }
    const answers = await Promise.allSettled(Object.values(reads))
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  })

  it('counts no earlier document', async () => {
    await fill()
    await dieAfter(1)
    const { items } = await listScopes({ pools: api(), masterKeys, auditor }, tenant.caller, {
      limit: 10,
      cursor: undefined,
    })
    expect(items.map(({ documents }) => Object.values(documents).reduce((a, b) => a + b, 0))).toEqual([0])
  })

  it('accepts nothing and starts nothing meanwhile', async () => {
    await fill()
    const seals = createScopeSeals({ pool: api().tenant, masterKeys })
    await seals.get(tenant.tenantId, 'default')
    const ingest = createIngest({
      pool: api().tenant,
      seals,
      fingerprints,
      announceEvents: () => undefined,
    })
    await dieAfter(1)
    const request = {
      scopeId: 'default',
      name: 'n',
      type: 'txt',
      text: 't',
      characters: 1,
      documentId: 'new',
      source: null,
      idempotencyKey: null,
    }
    await expect(ingest.ingestDocument(tenant.caller, request)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await dispatchAll(worker(), tenant)).toEqual([])
    await sweep()
    expect(await ingest.ingestDocument(tenant.caller, request)).toMatchObject({ replayed: false })
  })

  it('is reported until it has ended', async () => {
    await fill()
    await dieAfter(1)
    expect(await selectErasureStats(worker().kernel)).toMatchObject({
      running: 1,
      idleMs: expect.any(Number),
    })
    await sweep()
    expect(await selectErasureStats(worker().kernel)).toEqual({ running: 0, idleMs: null })
  })

  it('is joined by a second request for it, and completed by a deletion', async () => {
    await fill()
    await dieAfter(2)
    expect(await resetScope(deps(), tenant.caller, 'default')).toMatchObject({ epoch: 1 })
    await acceptOne(api().tenant, newDocument(tenant, { epoch: 1 }))
    await dieAfter(2)
    await deleteScope(deps(), tenant.caller, 'default')
    expect(await pictureOf(database(), tenant)).toEqual([])
    await makeScope(api(), tenant, 'default')
    expect(
      await look(database(), 'select epoch from scopes where tenant_id = $1', [tenant.tenantId]),
    ).toEqual([{ epoch: 2 }])
  })
})

describe('a deletion whose process ends in the middle', () => {
  it('is ended by a reset, which finds no scope then', async () => {
    await fill()
    await expect(deleteScope(deps(dyingAfter(2)), tenant.caller, 'default')).rejects.toThrow('killed')
    await expect(resetScope(deps(), tenant.caller, 'default')).rejects.toMatchObject({
      code: 'scope_not_found',
    })
    expect(await pictureOf(database(), tenant)).toEqual([])
  })
})

describe('a reset beside the dispatcher, which changes rows without the lock of the scope', () => {
  it.each([1, 2, 5_000])('leaves no row behind in pieces of %i', async (pieceRows) => {
    for (const documentId of ['a', 'b', 'c'])
      await makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant, { documentId }))
    await asRole(database(), 'kernel', async (session) => {
      await session.query('begin')
      const all = { readySeconds: 0, processingSeconds: 60 }
      expect(await recallWork(session, SHARDS, all)).toBeGreaterThanOrEqual(3)
      const reset = resetScope({ ...deps(), pieceRows }, tenant.caller, 'default')
      await expect.poll(() => isWaiting(database(), 'delete from work'), { timeout: 10_000 }).toBe(true)
      await session.query('commit')
      expect(await reset).toMatchObject({ epoch: 1, removed: { documents: 3 } })
    })
    for (const table of ['work', 'documents', 'document_versions'])
      expect(await look(database(), `select from ${table} where tenant_id = $1`, [tenant.tenantId])).toEqual(
        [],
      )
  })
})

describe('a tenant that is deleted', () => {
  it('deletes a scope that is created between its last page and its end', async () => {
    const original = api().tenant
    let made = false
    const tenantPool = Object.assign(Object.create(original), {
      connect: async () => {
        const [scope] = await look(database(), 'select from scopes where tenant_id = $1', [tenant.tenantId])
        if (!scope && !made) {
          made = true
          await makeScope(api(), tenant, 'late')
          await acceptOne(original, newDocument(tenant, { scopeId: 'late' }))
        }
        return original.connect()
      },
    })
    const deletion = deleteTenant(deps({ ...api(), tenant: tenantPool }), operator, tenant.tenantId)
    expect(await deletion).toMatchObject({ scopes: 2, removed: { documents: 1 } })
    expect(made).toBe(true)
    for (const table of ['tenants', 'scopes', 'scope_heads', 'documents', 'scope_log', 'scope_convergence'])
      expect(await look(database(), `select from ${table} where tenant_id = $1`, [tenant.tenantId])).toEqual(
        [],
      )
  })
})
