/** The dispatcher: leases on shards, the bounded window, least-served tenant first, and what is taken back. */
import { SHARDS, unchanged } from '../store.ts'
import type { Change, Place, Store, Work } from '../store.ts'

export interface Released {
  readonly place: Place
  readonly version: number
  readonly ticket: number
}

export interface Patience {
  readonly readySeconds: number
  readonly processingSeconds: number
}

export interface QueueSight {
  /** Since it was made. */
  readonly ageSeconds: number
  readonly held: number
}

export function renewLeases(
  store: Store,
  at: number,
  { holder, ms }: { readonly holder: string; readonly ms: number },
): Change<readonly number[]> {
  const shards = store.leases.flatMap((lease, shard) =>
    lease.holder === holder || lease.expiresAt < at ? [shard] : [],
  )
  if (shards.length === 0) return unchanged(store, shards)
  const leases = store.leases.map((lease, shard) =>
    shards.includes(shard) ? { holder, expiresAt: at + ms } : lease,
  )
  return { store: { ...store, leases }, answer: shards, entries: [] }
}

export function giveUpLeases(
  store: Store,
  _at: number,
  { holder }: { readonly holder: string },
): Change<null> {
  const leases = store.leases.map((lease) =>
    lease.holder === holder ? { holder: null, expiresAt: -Infinity } : lease,
  )
  return { store: { ...store, leases }, answer: null, entries: [] }
}

/** No dispatcher can do this: somebody at the database frees one shard, and from then on several may hold some each. */
export function freeShard(
  store: Store,
  _at: number,
  { shard: freed }: { readonly shard: number },
): Change<null> {
  const leases = store.leases.map((lease, shard) =>
    shard === freed ? { holder: null, expiresAt: -Infinity } : lease,
  )
  return { store: { ...store, leases }, answer: null, entries: [] }
}

/** Over all shards, because the broker's one queue holds the notes of all of them. */
export function count(store: Store): Change<number> {
  return unchanged(store, countOut(store, SHARDS))
}

function countOut(store: Store, shards: readonly number[]): number {
  let out = 0
  for (const row of store.work.values()) if (row.state !== 'queued' && shards.includes(row.shard)) out += 1
  return out
}

export interface ReleaseRequest {
  readonly holder: string
  /** To release from: those that the holder believes to have. */
  readonly shards: readonly number[]
  readonly window: number
}

/** What one release decides, each part of which can be broken alone. */
export interface ReleaseParts {
  /** All that the holder has, those that it does not know of yet too: what is out of them fills its window. */
  heldOf(store: Store, at: number, request: ReleaseRequest): readonly number[]
  roomIn(window: number, out: number): number
  /** All that may be released, in the order of release. */
  inLine(store: Store, at: number, shards: readonly number[]): readonly Work[]
}

export const RELEASE_PARTS: ReleaseParts = {
  heldOf: ({ leases }, at, { holder }) =>
    SHARDS.filter((shard) => leases[shard]?.holder === holder && leases[shard].expiresAt > at),
  roomIn: (window, out) => Math.max(0, window - out),
  inLine: inTurn,
}

export function createRelease({ heldOf, roomIn, inLine }: ReleaseParts) {
  return (store: Store, at: number, request: ReleaseRequest): Change<readonly Released[]> => {
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

/** A queue has no note of what was sent before it was made; of what was sent later, some may be missing. */
export function patienceFor({ ageSeconds, held }: QueueSight, released: number): Patience {
  const missing = released > held
  const ready = missing ? Math.min(ageSeconds, USUAL.readySeconds) : ageSeconds
  const processing = missing ? Math.min(ageSeconds, USUAL.processingSeconds) : ageSeconds
  return { readySeconds: ready, processingSeconds: Math.max(USUAL.readySeconds, processing) }
}

export function recall(
  store: Store,
  at: number,
  { shards, patience }: { readonly shards: readonly number[]; readonly patience: Patience },
): Change<number> {
  const isLate = ({ state, touchedAt }: Work) =>
    (state === 'ready' && touchedAt < at - patience.readySeconds * 1000) ||
    (state === 'processing' && touchedAt < at - patience.processingSeconds * 1000)
  const late = [...store.work.values()].filter((row) => shards.includes(row.shard) && isLate(row))
  if (late.length === 0) return unchanged(store, 0)
  const work = new Map(store.work)
  for (const row of late) work.set(row.place.key, { ...row, state: 'queued', ticket: null, touchedAt: at })
  return { store: { ...store, work }, answer: late.length, entries: [] }
}
