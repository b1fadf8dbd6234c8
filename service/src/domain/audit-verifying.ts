/**
 * Is the audit log whole? Entries go in one by one, in the order of their places; the first that is not as it should be
 * ends it. Pure, and it remembers nothing but the last place.
 */
import { isGenuine, isGenuineHead, linkText } from './audit.ts'
import type { AuditEntry, AuditHead, ChainedEntry, ChainPlace, MacOf } from './audit.ts'

export type AuditFaultKind =
  /** It has its place, and is not what was recorded; or it was recorded by somebody without the key. */
  | 'edited'
  | 'missing'
  /** Nobody with the key recorded it, or gave it this place. */
  | 'inserted'
  /** It was recorded, but this is not its place: swapped, or what was before it is not there. */
  | 'moved'
  | 'truncated'
  /** Where the log ends is not as it was left. */
  | 'head'
  /** It is not the log that was anchored. */
  | 'anchor'
  /** The master key is not configured, or it never existed. */
  | 'unknown-key'

export interface AuditFault {
  /** The first place that is not as it should be. */
  readonly index: number
  readonly kind: AuditFaultKind
  readonly detail: string
}

export interface ChainCheck {
  /** The last place up to which all is well. */
  readonly place: ChainPlace
  take(entry: ChainedEntry): AuditFault | undefined
  /** Once all that have a place were taken. */
  end(head: AuditHead | undefined): AuditFault | undefined
}

export function createChainCheck(start: ChainPlace, macOf: MacOf, anchor?: ChainPlace): ChainCheck {
  let place = start
  return {
    get place() {
      return place
    },
    take(entry) {
      const found = judgeEntry(place, entry, macOf) ?? judgeAnchor(entry, anchor)
      if (!found) place = { seq: entry.seq, chainMac: entry.chainMac }
      return found
    },
    end: (head) => judgeEnd(place, head, macOf, anchor),
  }
}

/** One that has no place yet cannot be missed, but it can be looked at. */
export function judgeUnchained(place: ChainPlace, entry: AuditEntry, macOf: MacOf): AuditFault | undefined {
  if (isGenuine(entry, macOf)) return undefined
  return fault(place.seq + 1, 'inserted', `entry ${entry.entryId} waits for its place, and ${NOT_RECORDED}`)
}

function judgeEntry(before: ChainPlace, entry: ChainedEntry, macOf: MacOf): AuditFault | undefined {
  const index = before.seq + 1
  if (entry.seq > index) return fault(index, 'missing', `the next entry there is has the number ${entry.seq}`)
  if (entry.seq < index)
    return fault(index, 'inserted', `a further entry has the number ${entry.seq} in its place`)
  for (const key of [entry.macKey, entry.chainKey])
    if (macOf(key, '') === undefined)
      return fault(index, 'unknown-key', `master key ${key} is not configured; add it to MASTER_KEY`)
  const genuine = isGenuine(entry, macOf)
  const linked = macOf(entry.chainKey, linkText(before, entry.mac)) === entry.chainMac
  if (genuine && linked) return undefined
  if (linked) return fault(index, 'edited', `entry ${entry.entryId} ${NOT_RECORDED}`)
  if (genuine)
    return fault(
      index,
      'moved',
      `entry ${entry.entryId} was recorded, but this is not its place in the chain`,
    )
  return fault(index, 'inserted', `entry ${entry.entryId} ${NOT_RECORDED}, nor given this place`)
}

const NOT_RECORDED = 'is not as it was recorded, or was not recorded by this service'

function judgeAnchor(entry: ChainPlace, anchor: ChainPlace | undefined): AuditFault | undefined {
  if (anchor?.seq !== entry.seq || anchor.chainMac === entry.chainMac) return undefined
  return fault(entry.seq, 'anchor', 'the MAC that was anchored for it is another one')
}

function judgeEnd(
  place: ChainPlace,
  head: AuditHead | undefined,
  macOf: MacOf,
  anchor: ChainPlace | undefined,
): AuditFault | undefined {
  const index = place.seq + 1
  if (!head) return fault(index, 'truncated', 'where the log ends is not there')
  if (!isGenuineHead(head, macOf)) return fault(index, 'head', 'where the log ends is not as it was left')
  if (head.seq > place.seq) return fault(index, 'truncated', `the log had ${head.seq} entries`)
  if (head.seq < place.seq)
    return fault(head.seq + 1, 'head', `where the log ends was put back to ${head.seq}`)
  if (head.chainMac !== place.chainMac)
    return fault(place.seq, 'head', 'where the log ends is of another log')
  if (anchor && anchor.seq > place.seq)
    return fault(index, 'truncated', `it was anchored when the log had ${anchor.seq} entries`)
  return undefined
}

function fault(index: number, kind: AuditFaultKind, detail: string): AuditFault {
  return { index, kind, detail }
}
