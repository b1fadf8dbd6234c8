/**
 * Feeds followers with the events of scopes. Events are read from Postgres, by position. An announcement through the broker only
 * says which scope to read, and polling all followed heads every other second makes up for lost announcements.
 * Followers pull at their own pace, so a slow one costs no memory, and followers of one scope share its newest entries.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import type { Pools } from '../../store/pools.ts'
import { selectHeads, selectLog } from '../../store/scopes/scope-log.ts'
import type { LogEntry } from '../../store/scopes/scope-log.ts'
import { inTenant } from '../../store/transaction.ts'
import { requireScope } from '../scopes/required-scope.ts'

export type { LogEntry }

export interface EventFeed extends Part {
  /** Calls `receive` with every entry after the position, in order, until the signal aborts. */
  follow(options: FollowOptions): Promise<void>
  /** Returns the present end of the log. A stream starts here at the latest. */
  headOf(tenantId: string, scopeId: string): Promise<number>
  /** Called when the scope has, or may have, new entries. */
  wake(tenantId: string, scopeId: string): void
}

export interface FollowOptions {
  readonly tenantId: string
  readonly scopeId: string
  readonly after: number | undefined
  readonly signal: AbortSignal
  /** Resolves when the follower can receive more (backpressure). */
  readonly receive: (entries: readonly LogEntry[]) => Promise<void>
  /** Called if the position is not, or no longer, in the log. The client must read everything up to `head` again. */
  readonly resync: (head: number) => Promise<void>
}

export interface EventFeedDeps {
  readonly pools: Pools
  readonly log: Log
}

interface Tail {
  readonly tenantId: string
  readonly scopeId: string
  followers: number
  head: number
  /** The newest entries without a gap. The last one is at `head`. */
  recent: LogEntry[]
  reading: Promise<void> | undefined
  readAgain: boolean
  /** True if the scope was deleted, or deleted and created again. */
  ended: boolean
  /** Called once, on the next change. A follower that leaves removes its callback, so idle scopes collect none. */
  readonly waiting: Set<() => void>
  changes: number
}

const PAGE = 500
const RECENT = 1_000
const LOOK_EVERY_MS = 2_000
/** Followers notified per turn of the event loop. Thousands at once would delay every request. */
const AT_ONCE = 100

export function createEventFeed({ pools, log }: EventFeedDeps): EventFeed {
  const tails = new Map<string, Tail>()
  let timer: NodeJS.Timeout | undefined
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message)

  function refresh(tail: Tail): void {
    tail.readAgain = true
    tail.reading ??= readOn(pools, tail)
      .catch(warn('a scope log could not be read; it is tried again'))
      .finally(() => (tail.reading = undefined))
  }

  async function lookAtHeads(): Promise<void> {
    for (const { tail, before, head } of await lookUp(pools, [...tails.values()])) {
      if (head > tail.head) refresh(tail)
      // A log never shrinks, so the scope was deleted or created again.
      if (head < before) end(tail)
    }
  }

  function end(tail: Tail): void {
    tail.ended = true
    tails.delete(scopeKey(tail.tenantId, tail.scopeId))
    notifyFollowers(tail)
  }

  async function join(tenantId: string, scopeId: string): Promise<{ tail: Tail; head: number }> {
    const key = scopeKey(tenantId, scopeId)
    const head = await readHead(pools, tenantId, scopeId)
    const tail = tails.get(key) ?? createTail(tenantId, scopeId, head)
    tails.set(key, tail)
    tail.followers += 1
    if (head > tail.head) refresh(tail)
    return { tail, head }
  }

  function leave(tail: Tail): void {
    tail.followers -= 1
    if (tail.followers === 0 && !tail.ended) tails.delete(scopeKey(tail.tenantId, tail.scopeId))
  }

  return {
    name: 'event feed',
    async start() {
      timer = setInterval(() => void lookAtHeads().catch(warn('heads could not be read')), LOOK_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
    },
    wake(tenantId, scopeId) {
      const tail = tails.get(scopeKey(tenantId, scopeId))
      if (tail) refresh(tail)
    },
    headOf: (tenantId, scopeId) => readHead(pools, tenantId, scopeId),
    async follow(options) {
      const { tail, head } = await join(options.tenantId, options.scopeId)
      try {
        await followTail(pools, tail, head, options)
      } finally {
        leave(tail)
      }
    },
  }
}

/** Reads new entries page by page, until no more came meanwhile. */
async function readOn(pools: Pools, tail: Tail): Promise<void> {
  do {
    tail.readAgain = false
    // oxlint-disable-next-line no-await-in-loop -- until nothing new came meanwhile
    const entries = await readPage(pools, tail, tail.head)
    if (entries.length === PAGE) tail.readAgain = true
    advance(tail, entries)
  } while (tail.readAgain)
}

/** Reads the heads of all followed scopes in one statement. The head of a missing scope is -1. */
async function lookUp(pools: Pools, tails: readonly Tail[]) {
  if (tails.length === 0) return []
  const looked = tails.map((tail) => ({ tail, before: tail.head }))
  const heads = await selectHeads(pools.kernel, tails)
  const found = new Map(heads.map(({ tenantId, scopeId, head }) => [scopeKey(tenantId, scopeId), head]))
  return looked.map((each) => ({
    ...each,
    head: found.get(scopeKey(each.tail.tenantId, each.tail.scopeId)) ?? -1,
  }))
}

async function readHead(pools: Pools, tenantId: string, scopeId: string): Promise<number> {
  const head = await inTenant(pools.tenant, tenantId, (transaction) => requireScope(transaction, scopeId))
  return head.head
}

async function followTail(pools: Pools, tail: Tail, head: number, options: FollowOptions): Promise<void> {
  const { signal, receive, resync } = options
  let position = options.after ?? head
  // Compares with the head in the database, because the entries in memory may be slightly older.
  if (position > head) {
    position = head
    await resync(position)
  }
  while (!signal.aborted && !tail.ended) {
    const { changes } = tail
    // oxlint-disable-next-line no-await-in-loop -- each page follows the one before
    const entries = await entriesAfter(pools, tail, position)
    const [first] = entries
    if (!first) {
      // @point events.follow.wait
      // oxlint-disable-next-line no-await-in-loop -- waits for news
      await untilChanged(tail, changes, signal)
      continue
    }
    // oxlint-disable-next-line no-await-in-loop -- the follower sets the pace
    if (first.seq > position + 1) await resync(first.seq - 1)
    // oxlint-disable-next-line no-await-in-loop -- the follower sets the pace
    await receive(entries)
    // @point events.follow.advance
    position = entries.at(-1)?.seq ?? position
  }
}

/** Waits for a change. It removes its listeners, because the tail and the signal live as long as the stream. */
async function untilChanged(tail: Tail, seen: number, signal: AbortSignal): Promise<void> {
  if (tail.changes !== seen || signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const go = () => resolve()
  tail.waiting.add(go)
  signal.addEventListener('abort', go, { once: true })
  await promise
  tail.waiting.delete(go)
  signal.removeEventListener('abort', go)
}

function notifyFollowers(tail: Tail): void {
  tail.changes += 1
  // The list is copied, because a notified follower may wait again before the last one is notified.
  void callAll([...tail.waiting])
}

async function callAll(followers: readonly (() => void)[]): Promise<void> {
  for (const [index, go] of followers.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- lets requests in between
    if (index > 0 && index % AT_ONCE === 0) await nextTurn()
    go()
  }
}

/** Reads from the shared entries if they reach back far enough, otherwise from Postgres. */
async function entriesAfter(pools: Pools, tail: Tail, position: number): Promise<readonly LogEntry[]> {
  // @point events.follow.nothing-new
  if (position >= tail.head) return []
  const oldest = tail.recent[0]?.seq ?? Infinity
  // @point events.follow.from-memory
  if (position + 1 >= oldest) return tail.recent.slice(position + 1 - oldest, position + 1 - oldest + PAGE)
  return readPage(pools, tail, position)
}

function readPage(pools: Pools, { tenantId, scopeId }: Tail, after: number): Promise<LogEntry[]> {
  return inTenant(pools.tenant, tenantId, (transaction) => selectLog(transaction, scopeId, after, PAGE))
}

function advance(tail: Tail, entries: readonly LogEntry[]): void {
  const last = entries.at(-1)
  if (!last) return
  const gap = (entries[0]?.seq ?? 0) !== tail.head + 1
  // Entries that a reset has deleted are not sent from memory either.
  const reset = entries.findLastIndex(({ kind }) => kind === 'scope.reset')
  const fresh = entries.slice(Math.max(0, reset))
  tail.recent = (gap || reset >= 0 ? fresh : [...tail.recent, ...fresh]).slice(-RECENT)
  tail.head = last.seq
  notifyFollowers(tail)
}

function createTail(tenantId: string, scopeId: string, head: number): Tail {
  return {
    tenantId,
    scopeId,
    followers: 0,
    head,
    recent: [],
    reading: undefined,
    readAgain: false,
    ended: false,
    waiting: new Set(),
    changes: 0,
  }
}

function scopeKey(tenantId: string, scopeId: string): string {
  return `${tenantId}/${scopeId}`
}
