/** The dispatcher: leases on shards, the bounded window, least-served tenant first, and recalls. */
import { SHARDS, unchanged } from '../store.ts'
import type { Lease, Place, Rule, Store, Work } from '../store.ts'

export interface Patience {
  readonly readySeconds: number
  readonly processingSeconds: number
}

export const renewLeases: Rule<{ readonly holder: string; readonly ms: number }, readonly number[]> = (
  store,
  at,
  { holder, ms },
) => {
  const isMine = (lease: Lease) => lease.holder === holder || lease.expiresAt < at
  const answer = store.leases.flatMap((lease, shard) => (isMine(lease) ? [shard] : []))
  if (answer.length === 0) return unchanged(store, answer)
  const leases = store.leases.map((lease) => (isMine(lease) ? { holder, expiresAt: at + ms } : lease))
  return { store: { ...store, leases }, answer, entries: [] }
}

export const giveUpLeases: Rule<{ readonly holder: string }, null> = (store, _at, { holder }) =>
  freeLeases(store, (lease) => lease.holder === holder)

/** No dispatcher can do this: somebody at the database frees one shard, and from then on several may hold some each. */
export const freeShard: Rule<{ readonly shard: number }, null> = (store, _at, { shard: freed }) =>
  freeLeases(store, (_, shard) => shard === freed)

function freeLeases(store: Store, isFreed: (lease: Lease, shard: number) => boolean) {
  const leases = store.leases.map((lease, shard) =>
    isFreed(lease, shard) ? { holder: null, expiresAt: -Infinity } : lease,
  )
  return { store: { ...store, leases }, answer: null, entries: [] }
}

/** Over all shards, because the broker's one queue holds the messages of all of them. */
export const count: Rule<{ readonly holder: string }, number> = (store) =>
  unchanged(store, countOut(store, SHARDS))

function countOut(store: Store, shards: readonly number[]): number {
  let out = 0
  for (const row of store.work.values()) if (row.state !== 'queued' && shards.includes(row.shard)) out += 1
  return out
}

interface ReleaseRequest {
  readonly holder: string
  /** To release from: those that the holder believes to have. */
  readonly shards: readonly number[]
  readonly window: number
}

/** The parts of one release, each of which can be broken alone. */
export const RELEASE_PARTS = {
  /** All that the holder has, those that it does not know of yet too: what is out of them fills its window. */
  heldOf: ({ leases }: Store, at: number, { holder }: ReleaseRequest): readonly number[] =>
    SHARDS.filter((shard) => leases[shard]?.holder === holder && leases[shard].expiresAt > at),
  roomIn: (window: number, out: number) => Math.max(0, window - out),
  /** All that may be released, in the order of release. */
  inLine: inTurn,
}

interface Released {
  readonly place: Place
  readonly version: number
  readonly ticket: number
}

export function createRelease({
  heldOf,
  roomIn,
  inLine,
}: typeof RELEASE_PARTS): Rule<ReleaseRequest, readonly Released[]> {
  return (store, at, request) => {
    const held = heldOf(store, at, request)
    const room = roomIn(request.window, countOut(store, held))
    const from = held.filter((shard) => request.shards.includes(shard))
    const chosen = inLine(store, at, from).slice(0, room)
    if (chosen.length === 0) return unchanged(store, [])
    const work = new Map(store.work)
    const answer = chosen.map((row, index) => {
      const ticket = store.tickets + 1 + index
      work.set(row.place.key, { ...row, state: 'ready', ticket, touchedAt: at })
      return { place: row.place, version: row.version, ticket }
    })
    return { store: { ...store, work, tickets: store.tickets + chosen.length }, answer, entries: [] }
  }
}

/** The turn of a row is how much its tenant would have under way with it and all that goes before it. */
function inTurn(store: Store, at: number, shards: readonly number[]): readonly Work[] {
  const rows = [...store.work.values()].filter(({ shard }) => shards.includes(shard))
  const underWay = new Map<string, number>()
  const oneMore = ({ place: { tenant } }: Work): number => {
    const turn = (underWay.get(tenant) ?? 0) + 1
    underWay.set(tenant, turn)
    return turn
  }
  for (const row of rows) if (row.state !== 'queued') oneMore(row)
  return rows
    .filter(({ state, notBefore }) => state === 'queued' && notBefore <= at)
    .toSorted((a, b) => a.position - b.position)
    .map((row) => ({ row, turn: oneMore(row) }))
    .toSorted((a, b) => a.turn - b.turn || a.row.position - b.row.position)
    .map(({ row }) => row)
}

/** Longer than a lease in the broker plus its redelivery, and than the longest attempt. */
const USUAL: Patience = { readySeconds: 12, processingSeconds: 45 }

/** A queue has no message of what was sent before it was made; of what was sent later, some may be missing. */
export function patienceFor(
  { ageSeconds, held }: { readonly ageSeconds: number; readonly held: number },
  released: number,
): Patience | null {
  const missing = released > held
  const ready = missing ? Math.min(ageSeconds, USUAL.readySeconds) : ageSeconds
  const processing = missing ? Math.min(ageSeconds, USUAL.processingSeconds) : ageSeconds
  return { readySeconds: ready, processingSeconds: Math.max(USUAL.readySeconds, processing) }
}

export const recall: Rule<{ readonly shards: readonly number[]; readonly patience: Patience }, number> = (
  store,
  at,
  { shards, patience },
) => {
  const isLate = ({ state, touchedAt }: Work) =>
    (state === 'ready' && touchedAt < at - patience.readySeconds * 1000) ||
    (state === 'processing' && touchedAt < at - patience.processingSeconds * 1000)
  const late = [...store.work.values()].filter((row) => shards.includes(row.shard) && isLate(row))
  if (late.length === 0) return unchanged(store, 0)
  const work = new Map(store.work)
  for (const row of late) work.set(row.place.key, { ...row, state: 'queued', ticket: null, touchedAt: at })
  return { store: { ...store, work }, answer: late.length, entries: [] }
}
