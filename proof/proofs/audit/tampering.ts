/**
 * Everything that somebody with every right on the database, and without the key, could do to the log: each leaves a log
 * and says at which place it is first not as it was. Pure, and repeated by a seed.
 */
import { createHash } from 'node:crypto'
import type { Chance } from '../../harness/chance.ts'
import type { AuditLog, AuditLogEntry, Head } from './log.ts'

export const KINDS = ['edit', 'delete', 'swap', 'insert', 'truncate'] as const

export type TamperingKind = (typeof KINDS)[number]

export interface Tampered {
  readonly kind: TamperingKind
  /** In words, for whoever must repeat it. */
  readonly what: string
  readonly log: AuditLog
  /** The first place that is not as it was. */
  readonly index: number
}

/** `earlier` is where the log ended once, as it stood in the table then. */
export function tamper(kind: TamperingKind, log: AuditLog, earlier: Head, chance: Chance): Tampered {
  return { kind, ...WAYS[kind](log, chance, earlier) }
}

type Way = (log: AuditLog, chance: Chance, earlier: Head) => Omit<Tampered, 'kind'>

const WAYS: Readonly<Record<TamperingKind, Way>> = { edit, delete: remove, swap, insert, truncate }

type Change = (entry: AuditLogEntry, chance: Chance) => Partial<AuditLogEntry>

const uuid = (chance: Chance) => {
  const hex = junk(chance)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const EDITS: Readonly<Record<string, Change>> = {
  entry_id: (_, chance) => ({ entry_id: uuid(chance) }),
  at: ({ at }) => ({ at: at.replace(/\d{3}Z$/, at.endsWith('001Z') ? '002Z' : '001Z') }),
  action: ({ action }) => ({ action: action === 'scope.created' ? 'scope.deleted' : 'scope.created' }),
  tier: ({ tier }) => ({ tier: tier === 'admin' ? 'internals' : 'admin' }),
  actor: ({ actor }) => ({ actor: `${actor.slice(0, -1)}${actor.endsWith('0') ? '1' : '0'}` }),
  tenant_id: ({ tenant_id: tenant }, chance) => ({ tenant_id: tenant === null ? uuid(chance) : null }),
  scope_id: ({ scope_id: scope }) => ({ scope_id: scope === null ? 'default' : null }),
  subject: ({ subject }) => ({ subject: subject === null ? '' : null }),
  // A space: the same value for whoever reads JSON.
  details: ({ details }) => ({ details: `${details} ` }),
  'details that say otherwise': ({ details }) => ({ details: details.replace('{', '{"by":"nobody",') }),
  mac: ({ mac }, chance) => ({ mac: flip(mac, chance) }),
  chain_mac: ({ chain_mac: mac }, chance) => ({ chain_mac: flip(mac ?? '', chance) }),
  mac_key: () => ({ mac_key: 'other' }),
  chain_key: () => ({ chain_key: 'other' }),
}

function edit({ entries, head }: AuditLog, chance: Chance): Omit<Tampered, 'kind'> {
  const index = chance.between(1, entries.length)
  const column = chance.pick(Object.keys(EDITS)) ?? 'actor'
  const entry = entryAt(entries, index)
  const changed = { ...entry, ...EDITS[column]?.(entry, chance) }
  return { what: `${column} of ${index}`, index, log: { entries: entries.with(index - 1, changed), head } }
}

function remove({ entries, head }: AuditLog, chance: Chance): Omit<Tampered, 'kind'> {
  const index = chance.between(1, entries.length)
  const left = entries.filter((entry) => entry.seq !== index)
  const closed = chance.happens(0.5)
  return {
    what: `entry ${index}${closed ? ', and the gap closed' : ''}`,
    index,
    log: closed
      ? { entries: renumber(left), head: moveHead(head, left.length, left, chance) }
      : { entries: left, head },
  }
}

/** Either the entries change places with all they have but their number, or what they say does and the links stay. */
function swap({ entries, head }: AuditLog, chance: Chance): Omit<Tampered, 'kind'> {
  const index = chance.between(1, entries.length - 1)
  const other = chance.happens(0.3) ? index + 1 : chance.between(index + 1, entries.length)
  const [first, second] = [entryAt(entries, index), entryAt(entries, other)]
  const linksStay = chance.happens(0.5)
  const into = (from: AuditLogEntry, to: AuditLogEntry): AuditLogEntry => ({
    ...from,
    seq: to.seq,
    ...(linksStay && { chain_key: to.chain_key, chain_mac: to.chain_mac }),
  })
  return {
    what: `${index} and ${other}${linksStay ? ', links left in place' : ''}`,
    index,
    log: { entries: entries.with(index - 1, into(second, first)).with(other - 1, into(first, second)), head },
  }
}

function insert({ entries, head }: AuditLog, chance: Chance): Omit<Tampered, 'kind'> {
  const index = chance.between(1, entries.length + 1)
  const model = entryAt(entries, chance.between(1, entries.length))
  const way = chance.oneOf(['a copy', 'a copy under a new name', 'made up'])
  const made: AuditLogEntry =
    way === 'made up'
      ? { ...model, entry_id: uuid(chance), mac: junk(chance), chain_mac: junk(chance) }
      : { ...model, ...(way !== 'a copy' && { entry_id: uuid(chance) }) }
  const longer = renumber([...entries.slice(0, index - 1), made, ...entries.slice(index - 1)])
  return {
    what: `${way} of ${model.seq ?? 0} at ${index}`,
    // In its own place the copy is what was there; the one that had to move is the first that is not.
    index: way === 'a copy' && model.seq === index ? index + 1 : index,
    log: { entries: longer, head: moveHead(head, longer.length, longer, chance) },
  }
}

/** Down to where the log once ended the head of then can be put back, and that one is genuine. */
function truncate({ entries, head }: AuditLog, chance: Chance, earlier: Head): Omit<Tampered, 'kind'> {
  const putBack = chance.happens(0.3)
  const length = putBack ? earlier.seq : chance.between(0, entries.length - 1)
  const left = entries.slice(0, length)
  return {
    what: `after ${length}${putBack ? ', with the head of then' : ''}`,
    index: length + 1,
    log: { entries: left, head: putBack ? earlier : moveHead(head, length, left, chance) },
  }
}

/** The head may be left as it is, or made to fit as well as can be done without the key. */
function moveHead(head: Head, seq: number, entries: readonly AuditLogEntry[], chance: Chance): Head {
  if (chance.happens(0.5)) return head
  // Behaves as if there had never been an entry: nothing in the database says otherwise.
  if (seq === 0) return { ...head, seq, chain_mac: '0'.repeat(64), mac_key: null, mac: null }
  return { ...head, seq, chain_mac: entries.at(-1)?.chain_mac ?? '0'.repeat(64) }
}

function renumber(entries: readonly AuditLogEntry[]): AuditLogEntry[] {
  return entries.map((entry, index) => ({ ...entry, seq: index + 1 }))
}

function entryAt(entries: readonly AuditLogEntry[], seq: number): AuditLogEntry {
  const entry = entries[seq - 1]
  if (!entry) throw new Error(`The log has no entry ${seq}.`)
  return entry
}

function junk(chance: Chance): string {
  return createHash('sha256').update(String(chance.number())).digest('hex')
}

function flip(hex: string, chance: Chance): string {
  const place = chance.between(0, hex.length - 1)
  const digit = (Number.parseInt(hex[place] ?? '0', 16) ^ (1 << chance.between(0, 3))).toString(16)
  return `${hex.slice(0, place)}${digit}${hex.slice(place + 1)}`
}
