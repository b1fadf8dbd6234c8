import { beforeEach, describe, expect, it } from 'vitest'
import { depositDocument, removeDocument, retryDocument } from '../../../src/app/documents/documents.ts'
import { triggerIngest } from '../../../src/app/processing/ingest-trigger.ts'
import { deleteScope, resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import { getScopeMetrics } from '../../../src/app/scopes/scope-stats.ts'
import { getScopeSummary } from '../../../src/app/scopes/scope-summary.ts'
import { listScopes } from '../../../src/app/scopes/scopes.ts'
import type { RuntimeOp, RuntimeTarget } from '../../../src/domain/runtime.ts'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import { startAttempts, completeAttempts } from '../../../src/store/processing/attempts.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  documentsDeps,
  look,
  makeReady,
  newDocument,
  processedResult,
  dispatchAll,
  completeOne,
  unsuccessful,
} from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { auditor, makeScope, makeTenant, masterKeys, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

const deps = () => documentsDeps(api())
const summary = (scopeId = 'default', who = tenant) => getScopeSummary(deps(), who.caller, scopeId)
const counts = async (scopeId = 'default', who = tenant) => {
  const { documents } = await summary(scopeId, who)
  return Object.fromEntries(Object.entries(documents).filter(([, count]) => count !== 0))
}
const metrics = async (request: { from?: Date; to?: Date; step?: '1m' | '1h' | '1d' } = {}) => {
  const { from, to, step = '1m' } = request
  return getScopeMetrics(deps(), tenant.caller, 'default', { from, to, step })
}
/** The sum of all points of the last hour. */
const happened = async (step: '1m' | '1h' | '1d' = '1m') => {
  const { points } = await metrics({ step })
  const sum = (of: 'accepted' | 'processed' | 'failed') => points.reduce((all, each) => all + each[of], 0)
  return [sum('accepted'), sum('processed'), sum('failed')]
}
const ready = (documentId: string, text?: string) =>
  makeReady(
    { api: api().tenant, worker: worker() },
    newDocument(tenant, { documentId, ...(text && { text }) }),
  )
/** Puts together what has moved, as the dispatcher does now and then. */
const fold = (scopeId = 'default') =>
  look(database(), 'select fold_moves($1, $2, 10000, 691200)', [tenant.tenantId, scopeId])
const unfolded = async () => {
  const [row] = await look<{ rows: number }>(
    database(),
    'select count(*)::int as rows from scope_moves where tenant_id = $1',
    [tenant.tenantId],
  )
  return row?.rows
}
const move = (target: RuntimeTarget, op: RuntimeOp) =>
  moveRuntime({ pools: api(), auditor, announceRuntime: () => undefined }, target, op, operator)
const erasing = () => ({ pools: api(), masterKeys, auditor, announceEvents: () => undefined })

/** Moves events back as if all that has happened so far had happened so long ago. */
const backdate = (interval: string) =>
  look(database(), `update scope_moves set at = at - $2::interval where tenant_id = $1`, [
    tenant.tenantId,
    interval,
  ])

describe('the summary of a scope', () => {
  it('is empty for a new scope', async () => {
    expect(await summary()).toMatchObject({
      scopeId: 'default',
      epoch: 0,
      runtime: { own: 'running', effective: 'running', generation: 0 },
      documents: {},
      oldestQueuedAt: null,
      logHead: 1,
      lastActivityAt: expect.any(Date),
    })
  })

  it.each([false, true])('counts a document where it stands, at every turn (folded: %s)', async (folded) => {
    const step = async (expected: object) => {
      if (folded) await fold()
      expect(await counts()).toEqual(expected)
      expect((await unfolded()) === 0).toBe(folded)
    }
    const place = await ready('a')
    await step({ queued: 1 })
    await startOne(worker().tenant, place)
    await step({ processing: 1 })
    await completeOne(worker().tenant, unsuccessful(place, 1, 'retry', 'timeout'))
    await step({ queued: 1 })
    await startOne(worker().tenant, place)
    await completeOne(worker().tenant, unsuccessful(place, 2, 'failed', 'timeout'))
    await step({ failed: 1 })
    await retryDocument(documentsDeps(api()), tenant.caller, 'default', 'a')
    await step({ queued: 1 })
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'a', text: 'newer' }))
    await step({ queued: 1 })
    const [again] = await dispatchAll(worker(), tenant)
    if (!again) throw new Error('nothing was released')
    await startOne(worker().tenant, again)
    await completeOne(worker().tenant, processedResult(again, 1))
    await step({ processed: 1 })
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'a')
    await step({ removed: 1 })
  })

  it('counts documents that are attached and triggered', async () => {
    const all = documentsDeps(api())
    const what = { scopeId: 'default', type: 'txt', name: 'n', source: null, provenance: null }
    for (const documentId of ['a', 'b', 'c'])
      await depositDocument(all, tenant.caller, { ...what, documentId, text: 'x', characters: 1 })
    await depositDocument(all, tenant.caller, { ...what, documentId: 'd', text: null, characters: 0 })
    expect(await counts()).toEqual({ attached: 3, registered: 1 })
    await depositDocument(all, tenant.caller, { ...what, documentId: 'd', text: 'y', characters: 1 })
    await triggerIngest(all, tenant.caller, 'default', ['a', 'b'])
    expect(await counts()).toEqual({ attached: 2, queued: 2 })
    expect(await happened()).toEqual([2, 0, 0])
  })

  it('is right after a stop has recalled work, and after a pause has refused it', async () => {
    const target = { level: 'scope', tenantId: tenant.tenantId, scopeId: 'default' } as const
    const [first, second] = [await ready('a'), await ready('b')]
    await startOne(worker().tenant, first)
    await move(target, 'pause')
    await startOne(worker().tenant, second)
    expect(await counts()).toEqual({ processing: 1, queued: 1 })
    await move(target, 'stop')
    expect(await counts()).toEqual({ queued: 2 })
    expect(await summary()).toMatchObject({ runtime: { own: 'stopped', effective: 'stopped' } })
  })

  it('equals a count of the documents after many different transitions', async () => {
    const documents = Array.from({ length: 120 }, (_, index) =>
      newDocument(tenant, { documentId: `d${index}` }),
    )
    for (let at = 0; at < documents.length; at += 4)
      await acceptDocuments(api().tenant, documents.slice(at, at + 4))
    const places = await dispatchAll(worker(), tenant)
    for (let at = 0; at < 100; at += 5) {
      const some = places.slice(at, at + 5)
      await startAttempts(worker().tenant, some, 5)
      await completeAttempts(
        worker().tenant,
        some
          .slice(1)
          .map((place, index) =>
            index === 0 ? unsuccessful(place, 1, 'failed', 'x') : processedResult(place, 1),
          ),
      )
    }
    const rows = await look<{ status: string; number: number }>(
      database(),
      'select status, count(*)::int as number from documents where tenant_id = $1 group by status',
      [tenant.tenantId],
    )
    expect(await counts()).toEqual(Object.fromEntries(rows.map(({ status, number }) => [status, number])))
    expect(await happened()).toEqual([120, 60, 20])
    await fold()
    expect(await happened('1h')).toEqual([120, 60, 20])
  })

  it('has the time since the oldest waits, whether it was dispatched or not', async () => {
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'old' }))
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'young' }))
    const queuedAt = async (documentId: string) => {
      const [row] = await look<{ at: Date }>(
        database(),
        'select queued_at as at from work where tenant_id = $1 and document_id = $2',
        [tenant.tenantId, documentId],
      )
      return row?.at
    }
    expect((await summary()).oldestQueuedAt).toEqual(await queuedAt('old'))
    const [old] = await dispatchAll(worker(), tenant)
    expect((await summary()).oldestQueuedAt).toEqual(await queuedAt('old'))
    if (old) await startOne(worker().tenant, old)
    expect((await summary()).oldestQueuedAt).toEqual(await queuedAt('young'))
  })

  it('shows the strictest switch that applies', async () => {
    await move({ level: 'tenant', tenantId: tenant.tenantId }, 'pause')
    expect((await summary()).runtime).toEqual({ own: 'running', effective: 'paused', generation: 0 })
    await move({ level: 'scope', tenantId: tenant.tenantId, scopeId: 'default' }, 'restart')
    expect((await summary()).runtime).toEqual({ own: 'running', effective: 'paused', generation: 1 })
  })

  it('covers only one tenant and one scope', async () => {
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    await makeScope(api(), tenant, 'second')
    await acceptOne(api().tenant, newDocument(tenant))
    expect(await counts()).toEqual({ queued: 1 })
    expect(await counts('second')).toEqual({})
    expect(await counts('default', other)).toEqual({})
    expect(await faultOf(summary('second', other))).toBe('scope_not_found')
  })
})

describe('a list of scopes', () => {
  it('has the metrics of each', async () => {
    await makeScope(api(), tenant, 'second')
    await acceptOne(api().tenant, newDocument(tenant, { scopeId: 'second' }))
    await move({ level: 'scope', tenantId: tenant.tenantId, scopeId: 'default' }, 'pause')
    const { items } = await listScopes({ pools: api(), masterKeys, auditor }, tenant.caller, {
      limit: 10,
      cursor: undefined,
    })
    expect(items.map(({ scopeId, runtime, documents }) => [scopeId, runtime.effective, documents])).toEqual([
      ['default', 'paused', {}],
      ['second', 'running', { queued: 1 }],
    ])
  })
})

describe('a scope over time', () => {
  it.each([false, true])('has what happened in the minute in which it did (folded: %s)', async (folded) => {
    const place = await ready('a')
    await startOne(worker().tenant, place)
    await completeOne(worker().tenant, processedResult(place, 1))
    await backdate('30 minutes')
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'b' }))
    if (folded) await fold()
    const { points } = await metrics()
    expect(points).toHaveLength(61)
    const busy = points.filter(({ accepted }) => accepted > 0)
    expect(busy.map(({ accepted, processed }) => [accepted, processed])).toEqual([
      [1, 1],
      [1, 0],
    ])
    const apart = (busy[1]?.at.getTime() ?? 0) - (busy[0]?.at.getTime() ?? 0)
    expect([29, 30, 31].map((minutes) => minutes * 60_000)).toContain(apart)
    expect(points.filter(({ accepted }) => accepted === 0)).toHaveLength(59)
    expect(points[5]).toMatchObject({ accepted: 0, queueWaitMs: null, processingMs: null })
  })

  it('has the waiting times and processing times of documents', async () => {
    const place = await ready('a')
    const age = (interval: string) =>
      look(database(), 'update documents set updated_at = updated_at - $2::interval where tenant_id = $1', [
        tenant.tenantId,
        interval,
      ])
    await age('40 seconds')
    await startOne(worker().tenant, place)
    await age('3 seconds')
    await completeOne(worker().tenant, processedResult(place, 1))
    const { points } = await metrics({ step: '1h' })
    const waits = points.flatMap(({ queueWaitMs }) => (queueWaitMs ? [queueWaitMs.p50] : []))
    const takes = points.flatMap(({ processingMs }) => (processingMs ? [processingMs.p99] : []))
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThan(40_000 / 1.1)
    expect(waits[0]).toBeLessThan(45_000 * 1.1)
    expect(takes).toHaveLength(1)
    expect(takes[0]).toBeGreaterThan(3_000 / 1.1)
    expect(takes[0]).toBeLessThan(8_000 * 1.1)
  })

  it('counts a wait only for the first attempt, and every retry by hand as accepted', async () => {
    const place = await ready('a')
    for (const [attempt, verdict] of [
      [1, 'retry'],
      [2, 'failed'],
    ] as const) {
      await startOne(worker().tenant, place)
      await completeOne(worker().tenant, unsuccessful(place, attempt, verdict, 'x'))
    }
    await fold()
    const [row] = await look<{ waits: Record<string, number>; takes: Record<string, number> }>(
      database(),
      'select waits, takes from scope_periods where tenant_id = $1 and seconds = 3600',
      [tenant.tenantId],
    )
    expect(Object.values(row?.waits ?? {})).toEqual([1])
    expect(Object.values(row?.takes ?? {})).toEqual([1])
    await retryDocument(documentsDeps(api()), tenant.caller, 'default', 'a')
    expect(await happened()).toEqual([2, 0, 1])
  })

  it('adds up the same by minute, hour and day, and however often it was folded', async () => {
    for (const documentId of ['a', 'b', 'c']) {
      const place = await ready(documentId)
      await startOne(worker().tenant, place)
      await fold()
      await completeOne(worker().tenant, processedResult(place, 1))
      await fold()
    }
    for (const step of ['1m', '1h', '1d'] as const) expect(await happened(step)).toEqual([3, 3, 0])
    const { points } = await metrics({ step: '1d' })
    expect(points.at(-1)?.queueWaitMs).not.toBeNull()
  })

  it('keeps steps below an hour for eight days, and the others for longer', async () => {
    await acceptOne(api().tenant, newDocument(tenant))
    await backdate('9 days')
    await fold()
    await fold()
    const rows = await look<{ seconds: number }>(
      database(),
      'select seconds from scope_periods where tenant_id = $1 order by seconds',
      [tenant.tenantId],
    )
    expect(rows.map(({ seconds }) => seconds)).toEqual([3_600, 86_400])
    const from = new Date(Date.now() - 10 * 86_400_000)
    expect((await metrics({ from, step: '1d' })).points.map(({ accepted }) => accepted)).toContain(1)
    expect(await faultOf(metrics({ from, step: '1m' }))).toBe('validation_failed')
  })

  it('does not know the scope of another tenant', async () => {
    const other = await makeTenant(api())
    const ask = getScopeMetrics(deps(), other.caller, 'default', {
      from: undefined,
      to: undefined,
      step: '1m',
    })
    expect(await faultOf(ask)).toBe('scope_not_found')
  })
})

describe('erasing', () => {
  const figures = () =>
    look(
      database(),
      `select 'moves' as of, scope_id from scope_moves where tenant_id = $1
       union all select 'counts', scope_id from scope_counts where tenant_id = $1
       union all select 'periods', scope_id from scope_periods where tenant_id = $1`,
      [tenant.tenantId],
    )

  it.each(['reset', 'delete'])('leaves no figure of the scope behind: %s', async (how) => {
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'a' }))
    await fold()
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'b' }))
    expect(new Set((await figures()).map((row) => Object.values(row)[0]))).toEqual(
      new Set(['moves', 'counts', 'periods']),
    )
    if (how === 'reset') await resetScope(erasing(), tenant.caller, 'default')
    else await deleteScope(erasing(), tenant.caller, 'default')
    expect(await figures()).toEqual([])
  })

  it('lets a scope start again after a reset', async () => {
    await acceptOne(api().tenant, newDocument(tenant))
    const { epoch } = await resetScope(erasing(), tenant.caller, 'default')
    expect([await counts(), await happened()]).toEqual([{}, [0, 0, 0]])
    await acceptOne(api().tenant, newDocument(tenant, { epoch }))
    expect([await counts(), await happened()]).toEqual([{ queued: 1 }, [1, 0, 0]])
  })
})

describe('the buckets of the database', () => {
  it('are the buckets from which the percentiles are computed', async () => {
    const durations = [0, 0.4, 1, 1.01, 1.19, 1.2, 2, 999, 1_000, 60_000, 3_600_000, 86_400_000]
    const rows = await look<{ bucket: number }>(
      database(),
      `select duration_bucket(make_interval(secs => ms / 1000)) as bucket from unnest($1::float[]) ms`,
      [durations],
    )
    const expected = durations.map((ms) => Math.max(0, Math.ceil(4 * Math.log2(Math.max(1, ms)) - 1e-9)))
    expect(rows.map(({ bucket }) => bucket)).toEqual(expected)
    const [beyond] = await look(database(), `select duration_bucket('-1 s') a, duration_bucket('90 days') b`)
    expect(beyond).toEqual({ a: 0, b: 120 })
  })
})
