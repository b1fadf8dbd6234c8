/** The dispatcher: leases on shards, a bounded window of work in flight, the least-served tenant first, and recalls. */
import { mayRun, windowNow } from './switches.ts'
import { SHARDS, unchanged } from './tables.ts'
import type { Lease, DocumentRef, Rule, Tables, WorkRow } from './tables.ts'

export interface RecallRules {
  readonly readySeconds: number
  readonly processingSeconds: number
}

export const renewLeases: Rule<{ readonly holder: string; readonly ms: number }, readonly number[]> = (
  tables,
  at,
  { holder, ms },
) => {
  const isMine = (lease: Lease) => lease.holder === holder || lease.expiresAt < at
  const answer = tables.leases.flatMap((lease, shard) => (isMine(lease) ? [shard] : []))
  if (answer.length === 0) return unchanged(tables, answer)
  const leases = tables.leases.map((lease) => (isMine(lease) ? { holder, expiresAt: at + ms } : lease))
  return { tables: { ...tables, leases }, answer, entries: [] }
}

export const releaseLeases: Rule<{ readonly holder: string }, null> = (tables, _at, { holder }) =>
  freeLeases(tables, (lease) => lease.holder === holder)

/** Frees one shard by hand, in the database. From then on several dispatchers may hold some shards each. */
export const freeShard: Rule<{ readonly shard: number }, null> = (tables, _at, { shard: freed }) =>
  freeLeases(tables, (_, shard) => shard === freed)

function freeLeases(tables: Tables, isFreed: (lease: Lease, shard: number) => boolean) {
  const leases = tables.leases.map((lease, shard) =>
    isFreed(lease, shard) ? { holder: null, expiresAt: -Infinity } : lease,
  )
  return { tables: { ...tables, leases }, answer: null, entries: [] }
}

/** Counts all shards, because one queue of the broker holds the messages of all of them. */
export const countInFlight: Rule<{ readonly holder: string }, number> = (tables) =>
  unchanged(tables, countDispatched(tables, SHARDS))

function countDispatched(tables: Tables, shards: readonly number[]): number {
  let dispatched = 0
  for (const row of tables.work.values())
    if (row.state !== 'queued' && shards.includes(row.shard)) dispatched += 1
  return dispatched
}

interface DispatchRequest {
  readonly holder: string
  /** The shards to dispatch from: the holder believes that it has them. */
  readonly shards: readonly number[]
  readonly window: number
}

/** The parts of one dispatch, each of which the proof can break alone. */
export const DISPATCH_PARTS = {
  /** All shards of the holder, including those that it does not know of yet: their work in flight fills its window. */
  findHeldShards: ({ leases }: Tables, at: number, { holder }: DispatchRequest): readonly number[] =>
    SHARDS.filter((shard) => leases[shard]?.holder === holder && leases[shard].expiresAt > at),
  freeCapacity: (window: number, dispatched: number) => Math.max(0, window - dispatched),
  /** All work that may be dispatched, in the order of dispatch. */
  inDispatchOrder: sortByTurn,
}

interface Dispatched {
  readonly ref: DocumentRef
  readonly version: number
  readonly ticket: number
}

export function createDispatch({
  findHeldShards,
  freeCapacity,
  inDispatchOrder,
}: typeof DISPATCH_PARTS): Rule<DispatchRequest, readonly Dispatched[]> {
  return (tables, at, request) => {
    const held = findHeldShards(tables, at, request)
    const capacity = freeCapacity(windowNow(tables, at, request.window), countDispatched(tables, held))
    const from = held.filter((shard) => request.shards.includes(shard))
    const chosen = inDispatchOrder(tables, at, from).slice(0, capacity)
    if (chosen.length === 0) return unchanged(tables, [])
    const work = new Map(tables.work)
    const answer = chosen.map((row, index) => {
      const ticket = tables.tickets + 1 + index
      work.set(row.ref.key, { ...row, state: 'ready', ticket, touchedAt: at })
      return { ref: row.ref, version: row.version, ticket }
    })
    return { tables: { ...tables, work, tickets: tables.tickets + chosen.length }, answer, entries: [] }
  }
}

/** Sorts by turn. The turn of a row is the number of rows that its tenant would have in flight including this one. */
function sortByTurn(tables: Tables, at: number, shards: readonly number[]): readonly WorkRow[] {
  const rows = [...tables.work.values()].filter(({ shard }) => shards.includes(shard))
  const inFlight = new Map<string, number>()
  const addOne = ({ ref: { tenant } }: WorkRow): number => {
    const turn = (inFlight.get(tenant) ?? 0) + 1
    inFlight.set(tenant, turn)
    return turn
  }
  for (const row of rows) if (row.state !== 'queued') addOne(row)
  return rows
    .filter(({ state, notBefore, ref }) => state === 'queued' && notBefore <= at && mayRun(tables, ref))
    .toSorted((a, b) => a.position - b.position)
    .map((row) => ({ row, turn: addOne(row) }))
    .toSorted((a, b) => a.turn - b.turn || a.row.position - b.row.position)
    .map(({ row }) => row)
}

/** Longer than a lease of the broker plus its redelivery, and longer than the longest attempt. */
const USUAL: RecallRules = { readySeconds: 12, processingSeconds: 45 }

/**
 * Decides from which age work is recalled. A queue of the broker has no message that was sent before the queue was
 * created. If it holds fewer messages than were dispatched, later ones are missing too.
 */
export function recallAgeFor(
  { ageSeconds, held }: { readonly ageSeconds: number; readonly held: number },
  dispatched: number,
): RecallRules | null {
  const missing = dispatched > held
  const ready = missing ? Math.min(ageSeconds, USUAL.readySeconds) : ageSeconds
  const processing = missing ? Math.min(ageSeconds, USUAL.processingSeconds) : ageSeconds
  return { readySeconds: ready, processingSeconds: Math.max(USUAL.readySeconds, processing) }
}

export const recall: Rule<{ readonly shards: readonly number[]; readonly olderThan: RecallRules }, number> = (
  tables,
  at,
  { shards, olderThan },
) => {
  const isLate = ({ state, touchedAt }: WorkRow) =>
    (state === 'ready' && touchedAt < at - olderThan.readySeconds * 1000) ||
    (state === 'processing' && touchedAt < at - olderThan.processingSeconds * 1000)
  const late = [...tables.work.values()].filter((row) => shards.includes(row.shard) && isLate(row))
  if (late.length === 0) return unchanged(tables, 0)
  const work = new Map(tables.work)
  for (const row of late) work.set(row.ref.key, { ...row, state: 'queued', ticket: null, touchedAt: at })
  return { tables: { ...tables, work }, answer: late.length, entries: [] }
}
