import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createWorkDispatch } from '../../src/app/processing/dispatch.ts'
import type { WorkDispatch } from '../../src/app/processing/dispatch.ts'
import { createDispatcher } from '../../src/dispatch/dispatcher.ts'
import type { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import { acceptDocuments } from '../../src/store/documents/acceptance.ts'
import { useDatabase } from '../support/database.ts'
import { look, newDocument, SHARDS } from '../support/documents.ts'
import { createMemoryLog } from '../support/log.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { useQueue } from '../support/queue.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
const broker = useQueue()
const running: Dispatcher[] = []
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})
beforeEach(async () => {
  await look(database(), 'delete from work')
  await look(database(), `update dispatch_leases set holder = null, expires_at = '-infinity'`)
  await broker().queue.inspect()
  await broker().manager.streams.purge(broker().stream)
})
afterEach(async () => {
  for (const dispatcher of running.splice(0)) await dispatcher.stop()
})

const dispatchOf = (holder: string, window = 100): WorkDispatch =>
  createWorkDispatch({
    kernel: worker().kernel,
    queue: broker().queue,
    holder,
    leaseSeconds: 5,
    window,
    priority: 0,
  })

async function start(dispatch: WorkDispatch, times = { renewEveryMs: 50, lookEveryMs: 60_000, paceMs: 5 }) {
  const { log, text } = createMemoryLog()
  const dispatcher = createDispatcher({ dispatch, log, ...times })
  running.push(dispatcher)
  await dispatcher.start()
  return { dispatcher, text }
}

const queueUp = (count: number) =>
  acceptDocuments(
    api().tenant,
    Array.from({ length: count }, () => newDocument(tenant)),
  )

const holder = async () => {
  const rows = await look<{ holder: string | null }>(
    database(),
    'select distinct holder from dispatch_leases',
  )
  return rows.length === 1 ? rows[0]?.holder : undefined
}
const heldBy = (name: string | null) =>
  waitUntil(async () => (await holder()) === name, { what: `${name} holding all leases`, everyMs: 20 })
const held = (count: number) =>
  waitUntil(async () => (await broker().held()) === count, { what: `${count} notes`, everyMs: 20 })

describe('a dispatcher', () => {
  it('dispatches queued documents as soon as it is woken', async () => {
    const { dispatcher } = await start(dispatchOf('one'))
    await heldBy('one')
    await queueUp(3)
    // It would not look by itself for a minute.
    dispatcher.wake()
    expect(await held(3)).toBe(true)
  })

  it('dispatches soon, not at once, if there is only free capacity', async () => {
    const one = dispatchOf('one')
    const looks: number[] = []
    const counted: WorkDispatch = {
      ...one,
      dispatch: async (shards) => {
        looks.push(performance.now())
        return one.dispatch(shards)
      },
    }
    const { dispatcher } = await start(counted, { renewEveryMs: 50, lookEveryMs: 60_000, paceMs: 100 })
    await heldBy('one')
    // A document that waits there when the lease is won is looked at once by itself.
    await waitUntil(() => looks.length > 1, { what: 'the looks of the beginning' })
    await queueUp(1)
    const from = looks.length
    for (let time = 0; time < 20; time += 1) dispatcher.wake(false)
    await held(1)
    expect((looks[from] ?? 0) - (looks[from - 1] ?? 0)).toBeGreaterThan(90)
  })

  it('polls when nothing wakes it', async () => {
    await start(dispatchOf('one'), { renewEveryMs: 50, lookEveryMs: 50, paceMs: 5 })
    await queueUp(2)
    expect(await held(2)).toBe(true)
  })

  it('continues until the window is full or the backlog is empty', async () => {
    const one = dispatchOf('one', 10)
    let dispatches = 0
    const inSteps: WorkDispatch = {
      ...one,
      dispatch: async (shards) => {
        dispatches += 1
        return one.dispatch(shards)
      },
    }
    const { dispatcher } = await start(inSteps)
    await heldBy('one')
    await queueUp(15)
    dispatcher.wake()
    await held(10)
    expect(dispatches).toBeGreaterThanOrEqual(2)
  })

  it('recalls what the broker lost, logs it, and sends it again', async () => {
    const { dispatcher, text } = await start(dispatchOf('one'))
    await heldBy('one')
    await queueUp(2)
    dispatcher.wake()
    await held(2)
    await broker().deleteStream()
    await waitUntil(() => text().includes('taken back from the broker'), { what: 'the recall' })
    dispatcher.wake()
    expect(await held(2)).toBe(true)
  })

  it('sends nothing before it has checked that the queue exists', async () => {
    const one = dispatchOf('one')
    const looked = Promise.withResolvers<void>()
    const asked: (readonly number[])[] = []
    const { dispatcher } = await start({
      ...one,
      dispatch: async (shards) => {
        asked.push(shards)
        return 0
      },
      // Making the queue takes its time on a broker that was set up just now.
      reconcile: async () => {
        await looked.promise
        return 0
      },
    })
    await heldBy('one')
    const before = asked.length
    dispatcher.wake()
    await waitUntil(() => asked.length > before, { what: 'another look' })
    const early = asked.flat()
    looked.resolve()
    // A document that is dispatched into nowhere is missed only after twelve seconds.
    expect(early).toEqual([])
    await waitUntil(
      () => {
        dispatcher.wake()
        return asked.flat().length > 0
      },
      { what: 'dispatching' },
    )
  })
})

describe('a failure', () => {
  it('of a round is logged, and the next round follows', async () => {
    const one = dispatchOf('one')
    let failures = 0
    const failing = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
      let first = true
      return async (...args: Args): Promise<Result> => {
        if (!first) return work(...args)
        first = false
        failures += 1
        throw new Error('away for a moment')
      }
    }
    const { dispatcher, text } = await start({
      ...one,
      renewLeases: failing(one.renewLeases),
      dispatch: failing(one.dispatch),
      reconcile: failing(one.reconcile),
    })
    await queueUp(1)
    await waitUntil(
      async () => {
        dispatcher.wake()
        return (await broker().held()) === 1
      },
      { what: 'the note' },
    )
    expect(failures).toBe(3)
    expect(text()).toContain('renewing leases failed')
    expect(text()).toContain('dispatching work failed')
  })
})

describe('several dispatchers', () => {
  it('share nothing: one holds all shards, and the standby takes over at once when it stops', async () => {
    const { dispatcher } = await start(dispatchOf('one'))
    await heldBy('one')
    const { dispatcher: standby } = await start(dispatchOf('two'))
    await queueUp(2)
    standby.wake()
    dispatcher.wake()
    await held(2)
    const stopped = performance.now()
    await dispatcher.stop()
    await heldBy('two')
    // Far less than the lease of five seconds.
    expect(performance.now() - stopped).toBeLessThan(3_000)
    await queueUp(1)
    standby.wake()
    await held(3)
  })

  it('wait for the leases of a crashed one to expire', async () => {
    const [lease] = await look<{ ends: string }>(
      database(),
      `update dispatch_leases set holder = 'gone', expires_at = now() + interval '1.5 seconds'
       returning expires_at::text as ends`,
    )
    await start(dispatchOf('two'))
    await heldBy('two')
    // Its own leases last five seconds from the moment it took them.
    const early = await look(
      database(),
      `select from dispatch_leases where expires_at - interval '5 seconds' < $1::timestamptz`,
      [lease?.ends],
    )
    expect(early).toEqual([])
  })
})

describe('stopping', () => {
  it('releases the leases, and leaves nothing running', async () => {
    const { dispatcher } = await start(dispatchOf('one'))
    await heldBy('one')
    await Promise.all([dispatcher.stop(), dispatcher.stop()])
    expect(await holder()).toBeNull()
    await queueUp(1)
    dispatcher.wake()
    expect(await broker().held()).toBe(0)
  })

  it('before the start is harmless', async () => {
    const { log } = createMemoryLog()
    const dispatcher = createDispatcher({
      dispatch: dispatchOf('one'),
      log,
      renewEveryMs: 50,
      lookEveryMs: 50,
      paceMs: 5,
    })
    await expect(dispatcher.stop()).resolves.toBeUndefined()
  })

  it('succeeds even if the leases cannot be released', async () => {
    const broken: WorkDispatch = {
      renewLeases: async () => SHARDS,
      dispatch: async () => 0,
      reconcile: async () => 0,
      sent: async () => undefined,
      releaseLeases: async () => {
        throw new Error('away')
      },
    }
    const { dispatcher } = await start(broken)
    await expect(dispatcher.stop()).resolves.toBeUndefined()
  })
})
