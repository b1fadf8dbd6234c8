import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createBroker } from '../../src/engine/broker.ts'
import type { Broker } from '../../src/engine/broker.ts'
import { subjectsOf } from '../../src/engine/subjects.ts'
import type { Subjects } from '../../src/engine/subjects.ts'
import { createAnnouncer } from '../../src/main/announcer.ts'
import { silentLog } from '../support/log.ts'
import { natsAddress } from '../support/queue.ts'

const TENANT = '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66'
let broker: Broker
let subjects: Subjects
/** The news that came over the broker, and what this process was told directly. */
let scopes: string[]
let backlogs: number
let woken: string[]

beforeEach(async () => {
  subjects = subjectsOf(`concord.test-${Math.random().toString(16).slice(2)}`)
  scopes = []
  backlogs = 0
  woken = []
  broker = createBroker(await natsAddress(), silentLog)
  broker.listen(subjects.scopeChanged, (payload) => void scopes.push(payload))
  broker.listen(subjects.backlogChanged, () => void (backlogs += 1))
  await broker.start()
  await waitUntil(() => broker.isConnected(), { what: 'the broker being connected', everyMs: 10 })
  await broker.connection()?.flush()
})
afterEach(() => broker.stop())

const make = () =>
  createAnnouncer(broker, subjects, 'work', {
    wake: (tenantId, scopeId) => void woken.push(`${tenantId}/${scopeId}`),
  })

describe('an announcement', () => {
  it('reaches followers in this process, those of others, and the dispatcher', async () => {
    make().announce(TENANT, 'default')
    await waitUntil(() => scopes.length > 0 && backlogs > 0, { what: 'the announcement', everyMs: 5 })
    expect([scopes, backlogs, woken]).toEqual([[`${TENANT}/default`], 1, [`${TENANT}/default`]])
  })

  it('of the same scope many times at once is made once, and no scope is left out', async () => {
    const announcer = make()
    for (let time = 0; time < 100; time += 1) announcer.announce(TENANT, time % 2 ? 'one' : 'two')
    await waitUntil(() => backlogs > 0, { what: 'the announcement', everyMs: 5 })
    expect(scopes.toSorted()).toEqual([`${TENANT}/one`, `${TENANT}/two`])
    expect([woken.length, backlogs]).toEqual([2, 1])
    announcer.announce(TENANT, 'one')
    await waitUntil(() => backlogs > 1, { what: 'the next announcement', everyMs: 5 })
    expect(scopes).toHaveLength(3)
  })

  it('of another process wakes the followers here', () => {
    make().receive(`${TENANT}/default`)
    expect(woken).toEqual([`${TENANT}/default`])
  })

  it.each(['', '/', 'garbage', `${TENANT}/`, '/default'])('that says nothing wakes nobody: %j', (payload) => {
    make().receive(payload)
    expect(woken).toEqual([])
  })

  it('still wakes the followers here while the broker is away', async () => {
    const announcer = make()
    await broker.stop()
    announcer.announce(TENANT, 'default')
    await waitUntil(() => woken.length > 0, { what: 'the follower being woken', everyMs: 5 })
    expect([woken, scopes]).toEqual([[`${TENANT}/default`], []])
  })

  it('needs no follower in this process', async () => {
    createAnnouncer(broker, subjects, 'room').announce(TENANT, 'default')
    await waitUntil(() => scopes.length > 0, { what: 'the announcement', everyMs: 5 })
    expect(woken).toEqual([])
  })
})
