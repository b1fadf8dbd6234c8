import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createEventFeed } from '../../../src/app/events/event-feed.ts'
import type { EventFeed, LogEntry } from '../../../src/app/events/event-feed.ts'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import { useDatabase } from '../../support/database.ts'
import { faultOf } from '../../support/faults.ts'
import { look, newDocument } from '../../support/documents.ts'
import { createMemoryLog } from '../../support/log.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database, 8)
const writers = usePools(database, 8)
let tenant: TestTenant
let feed: EventFeed
const log = createMemoryLog()
const open: Follower[] = []

beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
  feed = createEventFeed({ pools: pools(), log: log.log })
  await feed.start()
})
afterEach(async () => {
  for (const follower of open.splice(0)) await follower.leave()
  await feed.stop()
})

interface Follower {
  readonly seqs: readonly number[]
  readonly resyncs: readonly number[]
  readonly entries: readonly LogEntry[]
  /** The largest page so far. */
  largestPage(): number
  until(seq: number, withinMs?: number): Promise<void>
  /** Takes nothing more until it is told to go on. */
  pause(): void
  goOn(): void
  leave(): Promise<void>
}

function follow(after: number | undefined, { on = feed, scopeId = 'default', who = tenant } = {}): Follower {
  const entries: LogEntry[] = []
  const resyncs: number[] = []
  const stop = new AbortController()
  let gate: PromiseWithResolvers<void> | undefined
  let largest = 0
  const ended = on.follow({
    tenantId: who.tenantId,
    scopeId,
    after,
    signal: stop.signal,
    async receive(page) {
      largest = Math.max(largest, page.length)
      entries.push(...page)
      await gate?.promise
    },
    resync: async (head) => void resyncs.push(head),
  })
  const follower: Follower = {
    entries,
    resyncs,
    get seqs() {
      return entries.map(({ seq }) => seq)
    },
    largestPage: () => largest,
    async until(seq, withinMs = 10_000) {
      await waitUntil(() => entries.at(-1)?.seq === seq, { what: `event ${seq}`, withinMs, everyMs: 10 })
    },
    pause: () => void (gate = Promise.withResolvers<void>()),
    goOn() {
      gate?.resolve()
      gate = undefined
    },
    async leave() {
      follower.goOn()
      stop.abort()
      await ended
    },
  }
  open.push(follower)
  return follower
}

const write = async (count = 1, { who = tenant, scopeId = 'default', from = writers() } = {}) => {
  const flush = Array.from({ length: count }, () => newDocument(who, { scopeId }))
  const answers = await acceptDocuments(from.tenant, flush)
  return answers.at(-1)?.seq ?? 0
}

/** Wakes the feed like the broker would: the scope has something new. */
const writeAndWake = async (count = 1) => {
  const seq = await write(count)
  feed.wake(tenant.tenantId, 'default')
  return seq
}

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('a follower', () => {
  it('gets events as soon as a change is announced', async () => {
    const follower = follow(0)
    await follower.until(1)
    const asked = performance.now()
    await follower.until(await writeAndWake())
    // Well below the two seconds after which it would have been found anyway.
    expect(performance.now() - asked).toBeLessThan(1_500)
    expect(follower.entries.map(({ kind }) => kind)).toEqual(['scope.created', 'document.queued'])
  })

  it('gets only new events without a position', async () => {
    await write(3)
    const follower = follow(undefined)
    const last = await waitUntil(
      async () => {
        const seq = await writeAndWake()
        return follower.seqs.length > 0 && seq
      },
      { what: 'the first new event' },
    )
    await follower.until(last)
    expect(follower.seqs[0]).toBeGreaterThan(4)
    expect(follower.seqs).toEqual(upTo(last, follower.seqs[0]))
    expect(follower.resyncs).toEqual([])
  })

  it.each([0, 1, 7, 10, 11])('can begin after %i of 11 and gets the rest without a gap', async (after) => {
    await write(10)
    const follower = follow(after)
    const last = await writeAndWake()
    await follower.until(last)
    expect(follower.seqs).toEqual(upTo(12, after + 1))
    expect(follower.resyncs).toEqual([])
  })

  it('gets everything a page at a time if it begins far behind', async () => {
    for (let flush = 0; flush < 6; flush += 1) await write(250)
    const follower = follow(0)
    await follower.until(1_501)
    expect(follower.seqs).toEqual(upTo(1_501))
    expect(follower.largestPage()).toBeLessThanOrEqual(500)
  })

  it('of an unknown scope, or of one of another tenant, is refused', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'theirs')
    const options = {
      after: 0,
      signal: AbortSignal.abort(),
      receive: async () => undefined,
      resync: async () => undefined,
    }
    for (const scopeId of ['nowhere', 'theirs']) {
      const following = feed.follow({ tenantId: tenant.tenantId, scopeId, ...options })
      expect(await faultOf(following)).toBe('scope_not_found')
    }
  })

  it('gets no events of another scope, or of a scope of that name of another tenant', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'default')
    await makeScope(pools(), tenant, 'second')
    const follower = follow(0)
    await write(5, { who: other })
    await write(5, { scopeId: 'second' })
    feed.wake(other.tenantId, 'default')
    feed.wake(tenant.tenantId, 'second')
    await follower.until(await writeAndWake())
    expect(follower.seqs).toEqual([1, 2])
  })

  it('leaves nothing behind on its signal, however much happened', async () => {
    const stop = new AbortController()
    let last = 0
    const ended = feed.follow({
      tenantId: tenant.tenantId,
      scopeId: 'default',
      after: 0,
      signal: stop.signal,
      receive: async (page) => void (last = page.at(-1)?.seq ?? last),
      resync: async () => undefined,
    })
    for (let times = 0; times < 5; times += 1) {
      const seq = await writeAndWake()
      await waitUntil(() => last === seq, { what: `event ${seq}`, everyMs: 10 })
    }
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
    stop.abort()
    await ended
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  it('is released at once if it leaves while nothing happens', async () => {
    const follower = follow(0)
    await follower.until(1)
    await expect(follower.leave()).resolves.toBeUndefined()
  })
})

describe('the head of a scope', () => {
  it('is the current end of its log', async () => {
    expect(await feed.headOf(tenant.tenantId, 'default')).toBe(1)
    const seq = await write(3)
    expect(await feed.headOf(tenant.tenantId, 'default')).toBe(seq)
  })

  it('of an unknown scope is refused', async () => {
    expect(await faultOf(feed.headOf(tenant.tenantId, 'nowhere'))).toBe('scope_not_found')
  })
})

describe('an announcement that never arrives', () => {
  it('is made up for within two and a half seconds', async () => {
    const follower = follow(0)
    await follower.until(1)
    const seq = await write()
    const written = performance.now()
    await follower.until(seq)
    expect(performance.now() - written).toBeLessThan(2_500)
  })
})

describe('a position that is not in the log', () => {
  it('leads to one resync at the head if it is beyond the head, and then to later events', async () => {
    await write(3)
    const follower = follow(1_000)
    await waitUntil(() => follower.resyncs.length > 0, { what: 'the resync', everyMs: 10 })
    const last = await writeAndWake()
    await follower.until(last)
    expect(follower.resyncs).toEqual([4])
    expect(follower.seqs).toEqual([last])
  })

  it('leads to one resync before the first remaining entry if that part of the log is deleted', async () => {
    await write(9)
    await look(database(), 'delete from scope_log where tenant_id = $1 and seq <= 6', [tenant.tenantId])
    const follower = follow(2)
    await follower.until(10)
    expect(follower.resyncs).toEqual([6])
    expect(follower.seqs).toEqual([7, 8, 9, 10])
  })

  it('is not one exactly at the head', async () => {
    const seq = await write(3)
    const follower = follow(seq)
    const last = await writeAndWake()
    await follower.until(last)
    expect([follower.resyncs, follower.seqs]).toEqual([[], [last]])
  })
})

describe('under many writers at once', () => {
  it('followers who come and go at any time miss nothing and see nothing twice', async () => {
    const early = follow(0)
    const writing = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 12; round += 1) {
          await write(1 + (round % 3))
          feed.wake(tenant.tenantId, 'default')
        }
      }),
    )
    // Each goes on where the one before left.
    const seen: number[] = []
    for (let turn = 0; turn < 6; turn += 1) {
      const wanted = seen.length + 15
      const visitor = follow(seen.at(-1) ?? 0)
      await waitUntil(() => visitor.seqs.length >= wanted - seen.length, { what: 'some events', everyMs: 5 })
      await visitor.leave()
      seen.push(...visitor.seqs)
    }
    await writing
    const total = 8 * (4 * (1 + 2 + 3)) + 1
    await early.until(total)
    const late = follow(seen.at(-1))
    // The last visitor may have seen everything.
    if (seen.at(-1) !== total) await late.until(total)
    expect(early.seqs).toEqual(upTo(total))
    expect([...seen, ...late.seqs]).toEqual(upTo(total))
  })
})

describe('a slow follower', () => {
  it('delays no other follower, and gets everything in the end', async () => {
    const slow = follow(0)
    await slow.until(1)
    slow.pause()
    await slow.until(await writeAndWake())
    const quick = follow(0)
    // More than is kept in memory, so that the slow one must be served from the log.
    let last = 0
    for (let flush = 0; flush < 5; flush += 1) last = await writeAndWake(250)
    await quick.until(last)
    expect(slow.seqs).toEqual([1, 2])
    slow.goOn()
    await slow.until(last)
    expect(slow.seqs).toEqual(upTo(last))
    expect(quick.seqs).toEqual(upTo(last))
  })
})

describe('a feed whose database fails for a moment', () => {
  it('logs the failure, and its followers miss nothing', async () => {
    const follower = follow(0)
    await follower.until(1)
    const rename = (from: string, to: string) => look(database(), `alter table ${from} rename to ${to}`)
    const seq = await write()
    await rename('scope_log', 'scope_log_away')
    feed.wake(tenant.tenantId, 'default')
    await waitUntil(() => log.text().includes('a scope log could not be read'), {
      what: 'the line in the log',
    })
    await rename('scope_log_away', 'scope_log')
    await follower.until(seq)
    expect(follower.seqs).toEqual([1, 2])
  })
})
