import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import {
  countDispatched,
  releaseLeases,
  recallWork,
  dispatchWork,
  renewLeases,
} from '../../../src/store/processing/dispatch.ts'
import { useDatabase } from '../../support/database.ts'
import { startOne, isWaiting, look, newDocument, SHARDS, workRow } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
const otherWorker = usePools(database, 2, 'worker')
let acme: TestTenant
let borealis: TestTenant
let cirrus: TestTenant

beforeAll(async () => {
  const made = [await makeTenant(api()), await makeTenant(api()), await makeTenant(api())] as const
  for (const tenant of made) await makeScope(api(), tenant, 'default')
  ;[acme, borealis, cirrus] = made
})
beforeEach(async () => {
  await look(database(), 'delete from work')
  await setLease(HOLDER, '1 hour')
})

const kernel = () => worker().kernel
const HOLDER = 'test'
/** With room for this many. */
const dispatch = async (room: number, shards: readonly number[] = SHARDS) =>
  dispatchWork(kernel(), { holder: HOLDER, shards, window: (await countDispatched(kernel())) + room })
const setLease = (holder: string | null, ends: string, shards: readonly number[] = SHARDS) =>
  look(database(), 'update dispatch_leases set holder = $1, expires_at = now() + $2 where shard = any($3)', [
    holder,
    ends,
    shards,
  ])
const shardOf = ({ tenantId }: TestTenant) => Number.parseInt(tenantId.slice(-2), 16) % SHARDS.length

/** Queued in the order of their names. */
const queue = (tenant: TestTenant, ...names: string[]) =>
  acceptDocuments(
    api().tenant,
    names.map((documentId) => newDocument(tenant, { documentId, text: `${documentId} ${Math.random()}` })),
  )

const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${word}${index}`)
const namesOf = (dispatched: readonly { readonly documentId: string }[]) =>
  dispatched.map(({ documentId }) => documentId)

describe('a dispatch', () => {
  it('gives each document its own ticket, and returns only ids', async () => {
    await queue(acme, 'a', 'b')
    const dispatched = await dispatch(10)
    expect(dispatched).toHaveLength(2)
    for (const each of dispatched) {
      expect(Object.keys(each).toSorted().join()).toBe('documentId,priority,scopeId,tenantId,ticket,version')
      expect(await workRow(database(), each)).toMatchObject({
        state: 'ready',
        ticket: each.ticket,
        attempt: 0,
      })
    }
    expect(dispatched[0]?.ticket).not.toBe(dispatched[1]?.ticket)
  })

  it('dispatches no more than the window allows, and nothing twice', async () => {
    await queue(acme, ...numbered('a', 5))
    const first = await dispatch(3)
    const second = await dispatch(3)
    expect([first.length, second.length]).toEqual([3, 2])
    expect(new Set(namesOf([...first, ...second])).size).toBe(5)
    expect(await dispatch(3)).toEqual([])
    expect(await countDispatched(kernel())).toBe(5)
  })

  it('keeps the order of each tenant from one dispatch to the next', async () => {
    // Not the order of the ids, nor of the partitions.
    const names = ['m', 'c', 'z', 'a', 'q', 'b']
    await queue(acme, ...names)
    const order: string[] = []
    for (let turn = 0; turn < names.length; turn += 1) order.push(...namesOf(await dispatch(1)))
    expect(order).toEqual(names)
  })

  it('keeps the order of each tenant inside one dispatch, which is the order of the messages', async () => {
    const names = ['m', 'c', 'z', 'a', 'q', 'b', 'y', 'd', 'x', 'e', 'w', 'f']
    await queue(acme, ...names)
    await queue(borealis, ...names)
    const dispatched = await dispatch(100)
    for (const tenant of [acme, borealis])
      expect(namesOf(dispatched.filter(({ tenantId }) => tenantId === tenant.tenantId))).toEqual(names)
  })

  it('dispatches nothing before it is due', async () => {
    await queue(acme, 'later', 'now')
    await look(
      database(),
      `update work set not_before = now() + interval '1 hour' where document_id = 'later'`,
    )
    expect(namesOf(await dispatch(10))).toEqual(['now'])
    await look(database(), `update work set not_before = now() where document_id = 'later'`)
    expect(namesOf(await dispatch(10))).toEqual(['later'])
  })

  it('uses only the requested shards', async () => {
    await queue(acme, 'a')
    const [row] = await look<{ shard: number }>(database(), 'select shard from work')
    const own = row?.shard ?? -1
    expect(
      await dispatch(
        10,
        SHARDS.filter((shard) => shard !== own),
      ),
    ).toEqual([])
    expect(await dispatch(10, [])).toEqual([])
    expect(namesOf(await dispatch(10, [own]))).toEqual(['a'])
  })
})

describe('the window', () => {
  const fill = (window: number, shards: readonly number[] = SHARDS) =>
    dispatchWork(kernel(), { holder: HOLDER, shards, window })

  it('bounds the work in flight of all held shards together, including work in progress', async () => {
    for (const tenant of [acme, borealis, cirrus]) await queue(tenant, ...numbered('d', 5))
    const [first] = await fill(4)
    if (!first) throw new Error('nothing was dispatched')
    await startOne(worker().tenant, first)
    expect(await fill(4)).toEqual([])
    expect(await fill(6)).toHaveLength(2)
    expect(await fill(3)).toEqual([])
    expect(await countDispatched(kernel())).toBe(6)
  })

  it('also counts held shards that are not dispatched from', async () => {
    await queue(acme, ...numbered('a', 3))
    await fill(2)
    const away = await makeTenantElsewhere()
    await queue(away, ...numbered('b', 3))
    expect(await fill(3, [shardOf(away)])).toHaveLength(1)
  })

  it('counts work of a shard that was taken over, and stays full until enough of it has ended', async () => {
    await queue(acme, ...numbered('a', 8))
    await fill(6)
    await setLease('two', '1 hour')
    const fillAsTwo = () => dispatchWork(kernel(), { holder: 'two', shards: SHARDS, window: 4 })
    expect(await fillAsTwo()).toEqual([])
    await look(database(), `delete from work where document_id in ('a0', 'a1', 'a2')`)
    expect(await fillAsTwo()).toHaveLength(1)
  })

  it('of one holder does not count work of the shards of another', async () => {
    await queue(acme, ...numbered('a', 3))
    await fill(3)
    await setLease('two', '1 hour', [shardOf(acme)])
    const away = await makeTenantElsewhere()
    await queue(away, ...numbered('b', 3))
    // It still believes to hold all of them.
    expect(await fill(2)).toHaveLength(2)
  })

  async function makeTenantElsewhere(): Promise<TestTenant> {
    for (;;) {
      const tenant = await makeTenant(api())
      if (shardOf(tenant) === shardOf(acme)) continue
      await makeScope(api(), tenant, 'default')
      return tenant
    }
  }
})

describe('a dispatch without the lease', () => {
  it.each([
    ['that another has', 'two', '1 hour'],
    ['that nobody has', null, '1 hour'],
    ['that has ended', HOLDER, '-1 ms'],
  ])('%s gives nothing', async (_, holder, ends) => {
    await queue(acme, 'a')
    await setLease(holder, ends)
    expect(await dispatch(5)).toEqual([])
    expect(await countDispatched(kernel())).toBe(0)
  })

  it('dispatches nothing while the shards are being taken over', async () => {
    await queue(acme, 'a')
    const taker = await database().superuser.connect()
    try {
      await taker.query(`begin; update dispatch_leases set holder = 'two'`)
      const dispatched = dispatch(5)
      await waitUntil(() => isWaiting(database(), 'with recursive held'), {
        what: 'the release to wait',
        everyMs: 10,
      })
      await taker.query('commit')
      expect(await dispatched).toEqual([])
    } finally {
      taker.release()
    }
  })

  it('cannot happen during a dispatch: a takeover waits for its end', async () => {
    await queue(acme, ...numbered('a', 3))
    const dispatcher = await kernel().connect()
    try {
      await dispatcher.query('begin')
      await dispatchWork(dispatcher, { holder: HOLDER, shards: SHARDS, window: 2 })
      const taken = look(database(), `update dispatch_leases set holder = 'two'`)
      await waitUntil(() => isWaiting(database(), `holder = 'two'`), {
        what: 'the takeover to wait',
        everyMs: 10,
      })
      await dispatcher.query('commit')
      await taken
    } finally {
      dispatcher.release()
    }
    expect(await dispatchWork(kernel(), { holder: 'two', shards: SHARDS, window: 2 })).toEqual([])
  })
})

describe('fairness', () => {
  const shareOf = (dispatched: readonly { readonly tenantId: string }[]) =>
    [acme, borealis, cirrus].map(
      (tenant) => dispatched.filter(({ tenantId }) => tenantId === tenant.tenantId).length,
    )

  it('gives tenants with a backlog equal shares, however long it is', async () => {
    await queue(acme, ...numbered('a', 60))
    await queue(borealis, ...numbered('b', 4))
    await queue(cirrus, ...numbered('c', 4))
    expect(shareOf(await dispatch(9))).toEqual([3, 3, 3])
    // One is left of each small backlog; the rest of the room goes to who still waits.
    expect(shareOf(await dispatch(9))).toEqual([7, 1, 1])
  })

  it('serves the tenant with the least work in flight first', async () => {
    await queue(acme, ...numbered('a', 20))
    expect(shareOf(await dispatch(5))).toEqual([5, 0, 0])
    await queue(borealis, ...numbered('b', 20))
    // The newcomer catches up before the other gets more.
    expect(shareOf(await dispatch(5))).toEqual([0, 5, 0])
    expect(shareOf(await dispatch(4))).toEqual([2, 2, 0])
  })

  it('counts work in progress as in flight', async () => {
    await queue(acme, ...numbered('a', 10))
    for (const place of await dispatch(4)) await startOne(worker().tenant, place)
    await queue(borealis, ...numbered('b', 10))
    expect(shareOf(await dispatch(4))).toEqual([0, 4, 0])
  })

  it('leaves no capacity unused for the sake of fairness', async () => {
    await queue(acme, ...numbered('a', 12))
    await queue(borealis, 'b')
    expect(shareOf(await dispatch(10))).toEqual([9, 1, 0])
  })
})

describe('several dispatchers at once', () => {
  it('never dispatch the same document twice, and leave none behind', async () => {
    for (const tenant of [acme, borealis, cirrus]) await queue(tenant, ...numbered('d', 40))
    const releasers = [kernel(), kernel(), otherWorker().kernel, otherWorker().kernel]
    const rounds = await Promise.all(
      releasers.map(async (pool) => {
        const mine = []
        for (let round = 0; round < 40; round += 1)
          mine.push(
            ...(await dispatchWork(pool, { holder: HOLDER, shards: SHARDS, window: 7 * (round + 1) })),
          )
        return mine
      }),
    )
    const dispatched = rounds.flat().map(({ tenantId, documentId }) => `${tenantId} ${documentId}`)
    expect(dispatched).toHaveLength(120)
    expect(new Set(dispatched).size).toBe(120)
    expect(new Set(rounds.flat().map(({ ticket }) => ticket)).size).toBe(120)
  })
})

describe('a recall', () => {
  const age = (seconds: number, documentId: string) =>
    look(
      database(),
      'update work set touched_at = now() - make_interval(secs => $1) where document_id = $2',
      [seconds, documentId],
    )
  const recall = (readySeconds: number, processingSeconds: number, shards: readonly number[] = SHARDS) =>
    recallWork(kernel(), shards, { readySeconds, processingSeconds })

  it('puts back work that is too old for its state, and nothing else', async () => {
    await queue(acme, 'ready-old', 'ready-new', 'busy-old', 'busy-new', 'queued-old')
    const dispatched = await dispatch(4)
    for (const place of dispatched.filter(({ documentId }) => documentId.startsWith('busy')))
      await startOne(worker().tenant, place)
    await age(20, 'ready-old')
    await age(20, 'busy-new')
    await age(50, 'busy-old')
    await age(500, 'queued-old')
    expect(await recall(12, 45)).toBe(2)
    const rows = await look<{ document_id: string; state: string; ticket: string | null }>(
      database(),
      'select document_id, state, ticket from work order by document_id',
    )
    expect(rows.map(({ document_id, state }) => `${document_id} ${state}`)).toEqual([
      'busy-new processing',
      'busy-old queued',
      'queued-old queued',
      'ready-new ready',
      'ready-old queued',
    ])
    expect(rows.filter(({ state }) => state === 'queued').every(({ ticket }) => ticket === null)).toBe(true)
  })

  it('leads to a new ticket, and keeps the count of attempts', async () => {
    await queue(acme, 'a')
    const [first] = await dispatch(1)
    if (!first) throw new Error('nothing was dispatched')
    await startOne(worker().tenant, first)
    await age(60, 'a')
    expect(await recall(12, 45)).toBe(1)
    const [second] = await dispatch(1)
    expect(second?.ticket).not.toBe(first.ticket)
    expect(await workRow(database(), first)).toMatchObject({
      state: 'ready',
      attempt: 1,
      ticket: second?.ticket,
    })
  })

  it('uses only the requested shards', async () => {
    await queue(acme, 'a')
    const [row] = await look<{ shard: number }>(database(), 'select shard from work')
    await dispatch(1)
    await age(60, 'a')
    expect(
      await recall(
        12,
        45,
        SHARDS.filter((shard) => shard !== row?.shard),
      ),
    ).toBe(0)
    expect(await recall(12, 45)).toBe(1)
  })
})

describe('the leases of shards', () => {
  beforeEach(async () => {
    await look(database(), `update dispatch_leases set holder = null, expires_at = '-infinity'`)
  })

  const renew = async (holder: string, seconds = 5) =>
    (await renewLeases(kernel(), holder, seconds)).toSorted((a, b) => a - b)

  it('belong to the first dispatcher, and stay with it while it renews them', async () => {
    expect(await renew('one')).toEqual(SHARDS)
    expect(await renew('two')).toEqual([])
    expect(await renew('one')).toEqual(SHARDS)
  })

  it('are taken over when they have expired, and not before', async () => {
    await renew('one')
    await look(
      database(),
      `update dispatch_leases set expires_at = now() + interval '2 seconds' where shard < 2`,
    )
    await look(database(), `update dispatch_leases set expires_at = now() - interval '1 ms' where shard >= 2`)
    expect(await renew('two')).toEqual([2, 3])
    // The first finds out by itself.
    expect(await renew('one')).toEqual([0, 1])
  })

  it('are free at once when they are released; others stay', async () => {
    await renew('one')
    await releaseLeases(kernel(), 'two')
    expect(await renew('two')).toEqual([])
    await releaseLeases(kernel(), 'one')
    expect(await renew('two')).toEqual(SHARDS)
  })

  it('go to one holder each when many request them at the same time', async () => {
    const held = await Promise.all(numbered('holder', 8).map((holder) => renew(holder)))
    expect(held.flat().toSorted((a, b) => a - b)).toEqual(SHARDS)
  })
})
