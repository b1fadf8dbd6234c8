import { beforeEach, describe, expect, it } from 'vitest'
import { createEventFeed } from '../../../src/app/events/event-feed.ts'
import { deleteScope, deleteTenant, resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import type { ErasureDeps } from '../../../src/app/scopes/scope-erasure.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  idempotency,
  logOf,
  look,
  makeReady,
  newDocument,
  pictureOf,
  processedResult,
  completeOne,
} from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
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

const deps = (): ErasureDeps => ({ pools: api(), masterKeys, auditor, announceEvents: () => undefined })
const reset = (scopeId = 'default') => resetScope(deps(), tenant.caller, scopeId)
const ready = (documentId: string) =>
  makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant, { documentId }))

async function fill(): Promise<void> {
  const done = await ready('done')
  await startOne(worker().tenant, done)
  await completeOne(worker().tenant, processedResult(done, 1))
  await acceptOne(
    api().tenant,
    newDocument(tenant, { documentId: 'waits', idempotency: idempotency('k', 'r') }),
  )
}

/** Rows of the tenant that belong to a generation before this one. */
async function olderThan(epoch: number): Promise<string[]> {
  const tables = ['documents', 'document_versions', 'readings', 'work', 'scope_log', 'scope_keys']
  const each = tables.map(
    (table) => `select '${table}' as name from ${table} where tenant_id = $1 and epoch < $2`,
  )
  const rows = await look<{ name: string }>(database(), each.join(' union all '), [tenant.tenantId, epoch])
  return rows.map(({ name }) => name)
}

describe('a reset', () => {
  it('deletes everything, destroys the key, and the log continues', async () => {
    await fill()
    const events = await logOf(database(), tenant)
    const answer = await reset()
    expect(answer).toEqual({
      epoch: 1,
      seq: events.length + 1,
      removed: {
        documents: 2,
        claims: 0,
        contradictions: 0,
        idempotencyRecords: 1,
        logEntries: events.length,
      },
    })
    expect(await olderThan(1)).toEqual([])
    expect(await logOf(database(), tenant)).toEqual([
      {
        seq: answer.seq,
        kind: 'scope.reset',
        document_id: null,
        version: null,
        data: {
          removed: {
            documents: 2,
            claims: 0,
            contradictions: 0,
            idempotency_records: 1,
            log_entries: events.length,
          },
        },
      },
    ])
  })

  it('creates a new key, and the old one is nowhere', async () => {
    const seals = () => createScopeSeals({ pool: api().tenant, masterKeys })
    const before = await seals().get(tenant.tenantId, 'default')
    const sealed = before.seal('text', 'report', Buffer.from('canary'))
    await reset()
    const after = await seals().get(tenant.tenantId, 'default')
    expect([before.epoch, after.epoch]).toEqual([0, 1])
    expect(() => after.open('text', 'report', sealed)).toThrow('does not open')
    expect(
      await look(database(), 'select epoch from scope_keys where tenant_id = $1', [tenant.tenantId]),
    ).toEqual([{ epoch: 1 }])
  })

  it('lets work in progress have no effect, and refuses what was sealed before it', async () => {
    const place = await ready('report')
    await startOne(worker().tenant, place)
    const other = await ready('other')
    await reset()
    const picture = await pictureOf(database(), tenant)
    expect(await completeOne(worker().tenant, processedResult(place, 1))).toBe('stale')
    expect(await startOne(worker().tenant, other)).toEqual({ outcome: 'stale' })
    expect(await acceptOne(api().tenant, newDocument(tenant))).toMatchObject({ outcome: 'stale_epoch' })
    expect(await pictureOf(database(), tenant)).toEqual(picture)
    expect(await acceptOne(api().tenant, newDocument(tenant, { epoch: 1 }))).toMatchObject({
      outcome: 'accepted',
    })
  })

  it('touches no other scope, nor the same one of another tenant', async () => {
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    await makeScope(api(), tenant, 'second')
    await acceptOne(api().tenant, newDocument(other))
    await acceptOne(api().tenant, newDocument(tenant, { scopeId: 'second' }))
    const before = [await pictureOf(database(), other), await logOf(database(), tenant, 'second')]
    await reset()
    expect([await pictureOf(database(), other), await logOf(database(), tenant, 'second')]).toEqual(before)
  })

  it('answers not found for a scope that does not exist', async () => {
    await expect(reset('nowhere')).rejects.toMatchObject({ code: 'scope_not_found' })
  })
})

describe('a scope that is deleted', () => {
  it('leaves nothing, and a scope with the same name continues with a new generation', async () => {
    await fill()
    const { removed } = await deleteScope(deps(), tenant.caller, 'default')
    expect(removed).toMatchObject({ documents: 2, idempotencyRecords: 1 })
    expect(await pictureOf(database(), tenant)).toEqual([])
    await expect(deleteScope(deps(), tenant.caller, 'default')).rejects.toMatchObject({
      code: 'scope_not_found',
    })
    await makeScope(api(), tenant, 'default')
    const [scope] = await look(database(), 'select epoch from scopes where tenant_id = $1', [tenant.tenantId])
    expect(scope).toEqual({ epoch: 1 })
    expect(await acceptOne(api().tenant, newDocument(tenant))).toMatchObject({ outcome: 'stale_epoch' })
  })

  it('ends the streams of those who follow it', async () => {
    const feed = createEventFeed({ pools: api(), log: silentLog })
    await feed.start()
    try {
      const following = feed.follow({
        tenantId: tenant.tenantId,
        scopeId: 'default',
        after: undefined,
        signal: AbortSignal.timeout(8_000),
        receive: async () => undefined,
        resync: async () => undefined,
      })
      const started = performance.now()
      await deleteScope(deps(), tenant.caller, 'default')
      await following
      expect(performance.now() - started).toBeLessThan(6_000)
    } finally {
      await feed.stop()
    }
  })
})

describe('a tenant that is deleted', () => {
  it('is deleted with its scopes, documents and keys, and no other is touched', async () => {
    await fill()
    await makeScope(api(), tenant, 'second')
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    const before = await pictureOf(database(), other)
    expect(await deleteTenant(deps(), operator, tenant.tenantId)).toMatchObject({
      scopes: 2,
      removed: { documents: 2 },
    })
    for (const table of ['tenants', 'keys', 'scopes', 'scope_keys', 'ended_scopes'])
      expect(
        await look(database(), `select 1 from ${table} where tenant_id = $1`, [tenant.tenantId]),
      ).toEqual([])
    expect(await pictureOf(database(), tenant)).toEqual([])
    expect(await pictureOf(database(), other)).toEqual(before)
    await expect(deleteTenant(deps(), operator, tenant.tenantId)).rejects.toMatchObject({
      code: 'tenant_not_found',
    })
  })
})
