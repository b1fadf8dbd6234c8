/** The dispatcher: leases on shards, the bounded window, least-served tenant first, and recalls. */
import { mayRun, windowNow } from './switches.ts'
import { SHARDS, unchanged } from './tables.ts'
import type { Lease, WorkScope, Rule, Tables, WorkRow } from './tables.ts'

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

export const giveUpLeases: Rule<{ readonly holder: string }, null> = (tables, _at, { holder }) =>
  freeLeases(tables, (lease) => lease.holder === holder)

/** No dispatcher can do this: somebody at the database frees one shard, and from then on several may hold some each. */
export const freeShard: Rule<{ readonly shard: number }, null> = (tables, _at, { shard: freed }) =>
  freeLeases(tables, (_, shard) => shard === freed)

function freeLeases(tables: Tables, isFreed: (lease: Lease, shard: number) => boolean) {
  const leases = tables.leases.map((lease, shard) =>
    isFreed(lease, shard) ? { holder: null, expiresAt: -Infinity } : lease,
  )
  return { tables: { ...tables, leases }, answer: null, entries: [] }
}

/** Over all shards, because the broker's one queue holds the messages of all of them. */
export const count: Rule<{ readonly holder: string }, number> = (tables) =>
  unchanged(tables, countOut(tables, SHARDS))

function countOut(tables: Tables, shards: readonly number[]): number {
  let out = 0
  for (const row of tables.work.values()) if (row.state !== 'queued' && shards.includes(row.shard)) out += 1
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
  heldOf: ({ leases }: Tables, at: number, { holder }: ReleaseRequest): readonly number[] =>
    SHARDS.filter((shard) => leases[shard]?.holder === holder && leases[shard].expiresAt > at),
  roomIn: (window: number, out: number) => Math.max(0, window - out),
  /** All that may be released, in the order of release. */
  inLine: inTurn,
}

interface Released {
  readonly place: WorkScope
  readonly version: number
  readonly ticket: number
}

export function createRelease({
  heldOf,
  roomIn,
  inLine,
}: typeof RELEASE_PARTS): Rule<ReleaseRequest, readonly Released[]> {
  return (tables, at, request) => {
    const held = heldOf(tables, at, request)
    const room = roomIn(windowNow(tables, at, request.window), countOut(tables, held))
    const from = held.filter((shard) => request.shards.includes(shard))
    const chosen = inLine(tables, at, from).slice(0, room)
    if (chosen.length === 0) return unchanged(tables, [])
    const work = new Map(tables.work)
    const answer = chosen.map((row, index) => {
      const ticket = tables.tickets + 1 + index
      work.set(row.place.key, { ...row, state: 'ready', ticket, touchedAt: at })
      return { place: row.place, version: row.version, ticket }
    })
    return { tables: { ...tables, work, tickets: tables.tickets + chosen.length }, answer, entries: [] }
  }
}

/** The turn of a row is how much its tenant would have under way with it and all that goes before it. */
function inTurn(tables: Tables, at: number, shards: readonly number[]): readonly WorkRow[] {
  const rows = [...tables.work.values()].filter(({ shard }) => shards.includes(shard))
  const underWay = new Map<string, number>()
  const oneMore = ({ place: { tenant } }: WorkRow): number => {
    const turn = (underWay.get(tenant) ?? 0) + 1
    underWay.set(tenant, turn)
    return turn
  }
  for (const row of rows) if (row.state !== 'queued') oneMore(row)
  return rows
    .filter(({ state, notBefore, place }) => state === 'queued' && notBefore <= at && mayRun(tables, place))
    .toSorted((a, b) => a.position - b.position)
    .map((row) => ({ row, turn: oneMore(row) }))
    .toSorted((a, b) => a.turn - b.turn || a.row.position - b.row.position)
    .map(({ row }) => row)
}

/** Longer than a lease in the broker plus its redelivery, and than the longest attempt. */
const USUAL: RecallRules = { readySeconds: 12, processingSeconds: 45 }

/** A queue has no message of what was sent before it was made; of what was sent later, some may be missing. */
export function recallAgeFor(
  { ageSeconds, held }: { readonly ageSeconds: number; readonly held: number },
  released: number,
): RecallRules | null {
  const missing = released > held
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
  for (const row of late) work.set(row.place.key, { ...row, state: 'queued', ticket: null, touchedAt: at })
  return { tables: { ...tables, work }, answer: late.length, entries: [] }
}
