import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkDispatch } from '../../../src/app/processing/dispatch.ts'
import type { WorkDispatch } from '../../../src/app/processing/dispatch.ts'
import { createBroker } from '../../../src/engine/broker.ts'
import { createWorkQueue } from '../../../src/engine/work-queue.ts'
import type { QueueDelivery, WorkQueue } from '../../../src/engine/work-queue.ts'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import { useDatabase } from '../../support/database.ts'
import { startOne, look, newDocument, SHARDS } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { receiveSome, useQueue } from '../../support/queue.ts'

const HOLDER = 'test'
const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
const broker = useQueue()
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})
beforeEach(async () => {
  await look(database(), 'delete from work')
  await look(database(), `update dispatch_leases set holder = $1, expires_at = now() + interval '1 minute'`, [
    HOLDER,
  ])
  await broker().queue.inspect()
  await broker().manager.streams.purge(broker().stream)
})

function make(window = 100, queue: WorkQueue = broker().queue, priority = 0): WorkDispatch {
  const { kernel } = worker()
  const dispatch = createWorkDispatch({ kernel, queue, holder: HOLDER, leaseSeconds: 5, window, priority })
  return {
    ...dispatch,
    async dispatch(shards) {
      const dispatched = await dispatch.dispatch(shards)
      await dispatch.sent()
      return dispatched
    },
  }
}

let made = 0
const queueUp = (count: number, text = 'a text') =>
  acceptDocuments(
    api().tenant,
    Array.from({ length: count }, () => newDocument(tenant, { documentId: `d${(made += 1)}`, text })),
  )

const age = (seconds: number, state: string) =>
  look(database(), 'update work set touched_at = now() - make_interval(secs => $1) where state = $2', [
    seconds,
    state,
  ])

const states = async () =>
  (await look<{ state: string }>(database(), 'select state from work order by position')).map(
    ({ state }) => state,
  )

/** Takes one note away behind everybody's back. */
async function loseOne(): Promise<void> {
  const { manager, stream } = broker()
  const { state } = await manager.streams.info(stream)
  await manager.streams.deleteMessage(stream, state.first_seq)
}

describe('dispatching', () => {
  it('sends one message per dispatched document, and no more than the window allows', async () => {
    const dispatch = make(5)
    await queueUp(8)
    expect(await dispatch.dispatch(SHARDS)).toBe(5)
    expect(await broker().held()).toBe(5)
    expect(await dispatch.dispatch(SHARDS)).toBe(0)
    expect(await states()).toEqual([
      'ready',
      'ready',
      'ready',
      'ready',
      'ready',
      'queued',
      'queued',
      'queued',
    ])
  })

  it('refills the window as work ends, and counts work in progress', async () => {
    const dispatch = make(3)
    await queueUp(6)
    await dispatch.dispatch(SHARDS)
    const [first, second] = await receiveSome(broker().queue, 3)
    if (!first || !second) throw new Error('nothing came')
    await startOne(worker().tenant, first.message)
    expect(await dispatch.dispatch(SHARDS)).toBe(0)
    await look(database(), 'delete from work where document_id = $1', [second.message.documentId])
    expect(await dispatch.dispatch(SHARDS)).toBe(1)
  })

  it('sends the first few documents of a tenant with priority, and the others in order', async () => {
    const { queue } = broker()
    const dispatch = make(5, queue, 2)
    await queueUp(4)
    expect(await dispatch.dispatch(SHARDS)).toBe(4)
    expect(await broker().held()).toBe(2)
    const priority: QueueDelivery[] = []
    await queue.receive('priority', 2, 1_000, (delivery) => void priority.push(delivery))
    expect(priority).toMatchObject([
      { message: { documentId: `d${made - 3}`, priority: true } },
      { message: { documentId: `d${made - 2}`, priority: true } },
    ])
    for (const delivery of priority) delivery.ack()
  })

  it('sends messages after the commit, so that attempts can start at once', async () => {
    await queueUp(12)
    await make().dispatch(SHARDS)
    const deliveries = await receiveSome(broker().queue, 12)
    const claims = await Promise.all(deliveries.map(({ message }) => startOne(worker().tenant, message)))
    expect(claims.map((claim) => claim?.outcome)).toEqual(Array(12).fill('claimed'))
  })

  it('sends ids and nothing of the content', async () => {
    await queueUp(1, 'canary words of the text')
    await make().dispatch(SHARDS)
    const [payload] = await broker().payloads()
    expect(payload).not.toContain('canary')
    expect(JSON.parse(payload ?? '')).toEqual([
      tenant.tenantId,
      'default',
      `d${made}`,
      expect.stringMatching(/^\d+$/),
    ])
  })

  it('leaves the backlog unchanged without a shard or without a broker', async () => {
    await queueUp(2)
    expect(await make().dispatch([])).toBe(0)
    const away = createBroker('nats://127.0.0.1:1', silentLog)
    expect(await make(100, createWorkQueue(away, 'concord.nowhere')).dispatch(SHARDS)).toBe(0)
    expect(await states()).toEqual(['queued', 'queued'])
  })
})

describe('a shard that another dispatcher took over', () => {
  /** Somebody else has the shard of the tenant, or every other one. */
  const takeOver = (which: 'its own' | 'the others') =>
    look(
      database(),
      `update dispatch_leases set holder = 'other'
        where (shard = (select shard from work limit 1)) = ($1 = 'its own')`,
      [which],
    )

  it('is not dispatched from by its previous holder', async () => {
    await queueUp(4)
    const dispatch = make(3)
    await takeOver('its own')
    expect(await dispatch.dispatch(SHARDS)).toBe(0)
    expect(await states()).toEqual(['queued', 'queued', 'queued', 'queued'])
    expect(await broker().held()).toBe(0)
  })

  it('does not hide a lost message of another shard, because work in flight is counted over all shards', async () => {
    const dispatch = make()
    await queueUp(1)
    await dispatch.dispatch(SHARDS)
    await age(13, 'ready')
    await loseOne()
    const far = await tenantElsewhere()
    await acceptDocuments(api().tenant, [newDocument(far)])
    await dispatch.dispatch(SHARDS)
    // One note for two that are out, and the one that is held is not its own.
    const [row] = await look<{ shard: number }>(
      database(),
      'select shard from work order by position limit 1',
    )
    expect(await dispatch.reconcile([row?.shard ?? -1])).toBe(1)
    expect(await states()).toEqual(['queued', 'ready'])
  })

  /** In another shard than the tenant of this file. */
  async function tenantElsewhere(): Promise<TestTenant> {
    const shardOf = ({ tenantId }: TestTenant) => Number.parseInt(tenantId.slice(-2), 16) % SHARDS.length
    for (;;) {
      const other = await makeTenant(api())
      if (shardOf(other) === shardOf(tenant)) continue
      await makeScope(api(), other, 'default')
      return other
    }
  }
})

describe('comparing with the broker', () => {
  /** The time is an hour after the queue was made. */
  function makeLater(): WorkDispatch {
    const { queue } = broker()
    const inspect = async () => {
      const state = await queue.inspect()
      return { ...state, ageMs: state.ageMs + 3_600_000 }
    }
    return make(100, { ...queue, inspect })
  }

  it('recalls nothing while the broker holds all work in flight, however long it takes', async () => {
    const dispatch = makeLater()
    await queueUp(3)
    await dispatch.dispatch(SHARDS)
    await age(3_600, 'ready')
    expect(await dispatch.reconcile(SHARDS)).toBe(0)
    expect(await states()).toEqual(['ready', 'ready', 'ready'])
  })

  it('recalls work that waited long when a message is missing, but not what was just sent', async () => {
    const dispatch = makeLater()
    await queueUp(1)
    await dispatch.dispatch(SHARDS)
    await age(13, 'ready')
    await queueUp(1)
    await dispatch.dispatch(SHARDS)
    await loseOne()
    expect(await dispatch.reconcile(SHARDS)).toBe(1)
    expect(await states()).toEqual(['queued', 'ready'])
  })

  it('recalls nothing because of work that is dispatched during the comparison', async () => {
    const { queue } = broker()
    const inspect = async () => {
      const state = await queue.inspect()
      await queueUp(1)
      await dispatch.dispatch(SHARDS)
      await dispatch.sent()
      return { ...state, ageMs: state.ageMs + 3_600_000 }
    }
    const dispatch = make(100, { ...queue, inspect })
    await queueUp(1)
    await dispatch.dispatch(SHARDS)
    await dispatch.sent()
    await age(13, 'ready')
    for (let time = 0; time < 3; time += 1) expect(await dispatch.reconcile(SHARDS)).toBe(0)
    expect(await states()).toEqual(['ready', 'ready', 'ready', 'ready'])
  })

  it('waits for a missing message until its lease may have expired', async () => {
    const dispatch = makeLater()
    await queueUp(1)
    await dispatch.dispatch(SHARDS)
    await loseOne()
    await age(11, 'ready')
    expect(await dispatch.reconcile(SHARDS)).toBe(0)
    await age(13, 'ready')
    expect(await dispatch.reconcile(SHARDS)).toBe(1)
  })

  it('gives an attempt its time when its message is missing', async () => {
    const dispatch = makeLater()
    await queueUp(1)
    await dispatch.dispatch(SHARDS)
    const [delivery] = await receiveSome(broker().queue, 1)
    if (!delivery) throw new Error('nothing came')
    await startOne(worker().tenant, delivery.message)
    await loseOne()
    await age(40, 'processing')
    expect(await dispatch.reconcile(SHARDS)).toBe(0)
    await age(46, 'processing')
    expect(await dispatch.reconcile(SHARDS)).toBe(1)
  })

  it('gives recalled work a new ticket, so that the old message has no effect', async () => {
    const dispatch = makeLater()
    await queueUp(1)
    await dispatch.dispatch(SHARDS)
    const [old] = await receiveSome(broker().queue, 1)
    if (!old) throw new Error('nothing came')
    await broker().manager.streams.purge(broker().stream)
    await age(13, 'ready')
    await dispatch.reconcile(SHARDS)
    expect(await dispatch.dispatch(SHARDS)).toBe(1)
    const [fresh] = await receiveSome(broker().queue, 1)
    if (!fresh) throw new Error('nothing came')
    expect(await startOne(worker().tenant, old.message)).toEqual({ outcome: 'stale' })
    expect(await startOne(worker().tenant, fresh.message)).toMatchObject({ outcome: 'claimed' })
  })
})

describe('a queue that was created again', () => {
  const remake = async () => {
    await broker().deleteStream()
  }

  it('causes a recall of everything that waited in it at once, and of work in progress a little later', async () => {
    const dispatch = make()
    await queueUp(3)
    await dispatch.dispatch(SHARDS)
    await dispatch.reconcile(SHARDS)
    const [delivery] = await receiveSome(broker().queue, 1)
    if (!delivery) throw new Error('nothing came')
    await startOne(worker().tenant, delivery.message)
    await remake()
    expect(await dispatch.reconcile(SHARDS)).toBe(2)
    expect(await dispatch.reconcile(SHARDS)).toBe(0)
    expect(await dispatch.dispatch(SHARDS)).toBe(2)
    expect(await broker().held()).toBe(2)
    expect((await states()).filter((state) => state === 'processing')).toHaveLength(1)
  })

  it('causes a recall of work that was dispatched while there was no queue', async () => {
    const dispatch = make()
    await dispatch.reconcile(SHARDS)
    await remake()
    await queueUp(2)
    // Committed, but there is no stream to take the notes.
    expect(await dispatch.dispatch(SHARDS)).toBe(2)
    expect(await dispatch.reconcile(SHARDS)).toBe(2)
    expect(await dispatch.dispatch(SHARDS)).toBe(2)
    expect(await broker().held()).toBe(2)
  })

  it('is recognized by its age by a dispatcher that started later', async () => {
    await queueUp(3)
    await make().dispatch(SHARDS)
    const [delivery] = await receiveSome(broker().queue, 1)
    if (!delivery) throw new Error('nothing came')
    await startOne(worker().tenant, delivery.message)
    await remake()
    expect(await make().reconcile(SHARDS)).toBe(2)
    // Under way when it was made: it may still come to its end for a while, and no longer, whoever looks.
    await age(11, 'processing')
    expect(await make().reconcile(SHARDS)).toBe(0)
    await age(13, 'processing')
    expect(await make().reconcile(SHARDS)).toBe(1)
  })

  it('causes no recall by a dispatcher that sees it for the first time', async () => {
    await queueUp(2)
    await make().dispatch(SHARDS)
    expect(await make().reconcile(SHARDS)).toBe(0)
  })
})

describe('leases', () => {
  it('are held under the name of the holder for the given time', async () => {
    const dispatch = make()
    expect((await dispatch.renewLeases()).toSorted((a, b) => a - b)).toEqual(SHARDS)
    const [lease] = await look<{ holder: string; left: number }>(
      database(),
      'select holder, extract(epoch from expires_at - now())::float as left from dispatch_leases limit 1',
    )
    expect(lease?.holder).toBe(HOLDER)
    expect(lease?.left).toBeGreaterThan(3)
    expect(lease?.left).toBeLessThanOrEqual(5)
    await dispatch.releaseLeases()
    expect(await look(database(), 'select from dispatch_leases where holder is not null')).toEqual([])
  })
})
