import { beforeEach, describe, expect, it } from 'vitest'
import {
  appendEvents,
  lockScopeHead,
  selectHeads,
  selectLog,
  selectScopeHead,
} from '../../../src/store/scopes/scope-log.ts'
import type { NewEvent } from '../../../src/store/scopes/events.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { logOf } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})

const event = (documentId: string): NewEvent => ({
  kind: 'document.removed',
  documentId,
  version: 1,
  data: {},
})

const append = (events: readonly NewEvent[], then: () => Promise<void> | void = () => undefined) =>
  inTenant(pools().tenant, tenant.tenantId, async (own) => {
    const head = await lockScopeHead(own, 'default')
    if (!head) throw new Error('there is no head')
    const last = await appendEvents(own, head, events)
    await then()
    return last
  })

const read = (after: number, limit = 100) =>
  inTenant(pools().tenant, tenant.tenantId, (own) => selectLog(own, 'default', after, limit))

describe('a new scope', () => {
  it('has its creation as the first event of its log', async () => {
    expect(await logOf(database(), tenant)).toEqual([
      { seq: 1, kind: 'scope.created', document_id: null, version: null, data: {} },
    ])
    const head = await inTenant(pools().tenant, tenant.tenantId, (own) => selectScopeHead(own, 'default'))
    expect(head).toEqual({ scopeId: 'default', epoch: 0, head: 1, erasing: false })
  })
})

describe('events that are appended', () => {
  it('follow the last one without a gap, in the order they were given, with all they say', async () => {
    const data = { stage: 'read', attempt: 2, reason: 'a word with " and \\' } as const
    const last = await append([
      { kind: 'document.queued', documentId: 'b', version: 1, data: {} },
      { kind: 'document.failed', documentId: 'a', version: 7, data },
    ])
    expect(last).toBe(3)
    expect(await read(1)).toEqual([
      expect.objectContaining({
        seq: 2,
        kind: 'document.queued',
        documentId: 'b',
        version: 1,
        data: {},
        epoch: 0,
      }),
      expect.objectContaining({ seq: 3, kind: 'document.failed', documentId: 'a', version: 7, data }),
    ])
  })

  it('leave no trace and no gap when their transaction fails', async () => {
    const failing = append([event('a')], () => {
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await append([event('b')])).toBe(2)
    expect((await read(0)).map(({ seq, kind }) => `${seq} ${kind}`)).toEqual([
      '1 scope.created',
      '2 document.removed',
    ])
  })

  it('wait for the transaction that locks the head, and then take the next position', async () => {
    const held = Promise.withResolvers<void>()
    const holding = Promise.withResolvers<void>()
    const first = append([event('first')], async () => {
      holding.resolve()
      await held.promise
    })
    await holding.promise
    const second = append([event('second')])
    held.resolve()
    expect(await Promise.all([first, second])).toEqual([2, 3])
    expect((await read(1)).map(({ documentId }) => documentId)).toEqual(['first', 'second'])
  })
})

describe('reading the log', () => {
  it('returns the entries after a position, a page at a time', async () => {
    await append(Array.from({ length: 9 }, (_, index) => event(`d-${index}`)))
    expect((await read(0, 4)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect((await read(4, 4)).map(({ seq }) => seq)).toEqual([5, 6, 7, 8])
    expect((await read(8, 4)).map(({ seq }) => seq)).toEqual([9, 10])
    expect(await read(10, 4)).toEqual([])
    expect(await read(9_000, 4)).toEqual([])
  })

  it('gives nothing of another tenant with a scope of the same id', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'default')
    await append([event('mine')])
    const seen = await inTenant(pools().tenant, other.tenantId, (own) => selectLog(own, 'default', 0, 100))
    expect(seen.map(({ kind }) => kind)).toEqual(['scope.created'])
  })

  it('of an unknown scope finds neither head nor entries', async () => {
    await inTenant(pools().tenant, tenant.tenantId, async (own) => {
      expect(await lockScopeHead(own, 'nowhere')).toBeUndefined()
      expect(await selectScopeHead(own, 'nowhere')).toBeUndefined()
      expect(await selectLog(own, 'nowhere', 0, 10)).toEqual([])
    })
  })
})

describe('a look at many heads', () => {
  it('returns the requested ones of all tenants, and leaves out those that do not exist', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'default')
    await append([event('one'), event('two')])
    const heads = await selectHeads(pools().kernel, [
      { tenantId: tenant.tenantId, scopeId: 'default' },
      { tenantId: other.tenantId, scopeId: 'default' },
      { tenantId: other.tenantId, scopeId: 'nowhere' },
    ])
    expect(new Map(heads.map(({ tenantId, head }) => [tenantId, head]))).toEqual(
      new Map([
        [tenant.tenantId, 3],
        [other.tenantId, 1],
      ]),
    )
  })
})
