/**
 * Verifies the chain of the audit log. The caller passes the entries one by one, in the order of the chain. The first
 * fault ends the verification. Pure; the only state is the last position that was verified.
 */
import { isGenuine, isGenuineHead, linkText } from './audit.ts'
import type { AuditEntry, AuditHead, ChainedEntry, ChainPosition, MacOf } from './audit.ts'

export type AuditFaultKind =
  /** The entry is linked into the chain, but it was changed, or recorded by somebody without the key. */
  | 'edited'
  | 'missing'
  /** The entry was neither recorded nor chained by anybody with the key. */
  | 'inserted'
  /** The entry is genuine, but at another position: entries were swapped, or the one before it is missing. */
  | 'moved'
  | 'truncated'
  /** The head, which records the end of the log, was changed. */
  | 'head'
  /** The log is not the one of the anchor. */
  | 'anchor'
  /** The master key of the entry is not configured, or never existed. */
  | 'unknown-key'

export interface AuditFault {
  /** The first position with a fault. */
  readonly index: number
  readonly kind: AuditFaultKind
  readonly detail: string
}

export interface ChainCheck {
  /** The last position without a fault. */
  readonly position: ChainPosition
  take(entry: ChainedEntry): AuditFault | undefined
  /** Called after the last entry of the chain. */
  end(head: AuditHead | undefined): AuditFault | undefined
}

export function createChainCheck(start: ChainPosition, macOf: MacOf, anchor?: ChainPosition): ChainCheck {
  let position = start
  return {
    get position() {
      return position
    },
    take(entry) {
      const found = checkEntry(position, entry, macOf) ?? checkAnchor(entry, anchor)
      if (!found) position = { seq: entry.seq, chainMac: entry.chainMac }
      return found
    },
    end: (head) => checkEnd(position, head, macOf, anchor),
  }
}

/** Checks an entry that is not chained yet. If such an entry is deleted, nothing shows it. */
export function checkUnchained(
  position: ChainPosition,
  entry: AuditEntry,
  macOf: MacOf,
): AuditFault | undefined {
  if (isGenuine(entry, macOf)) return undefined
  return fault(
    position.seq + 1,
    'inserted',
    `entry ${entry.entryId} waits for its place, and ${NOT_RECORDED}`,
  )
}

function checkEntry(before: ChainPosition, entry: ChainedEntry, macOf: MacOf): AuditFault | undefined {
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

function checkAnchor(entry: ChainPosition, anchor: ChainPosition | undefined): AuditFault | undefined {
  if (anchor?.seq !== entry.seq || anchor.chainMac === entry.chainMac) return undefined
  return fault(entry.seq, 'anchor', 'the MAC that was anchored for it is another one')
}

function checkEnd(
  position: ChainPosition,
  head: AuditHead | undefined,
  macOf: MacOf,
  anchor: ChainPosition | undefined,
): AuditFault | undefined {
  const index = position.seq + 1
  if (!head) return fault(index, 'truncated', 'where the log ends is not there')
  if (!isGenuineHead(head, macOf)) return fault(index, 'head', 'where the log ends is not as it was left')
  if (head.seq > position.seq) return fault(index, 'truncated', `the log had ${head.seq} entries`)
  if (head.seq < position.seq)
    return fault(head.seq + 1, 'head', `where the log ends was put back to ${head.seq}`)
  if (head.chainMac !== position.chainMac)
    return fault(position.seq, 'head', 'where the log ends is of another log')
  if (anchor && anchor.seq > position.seq)
    return fault(index, 'truncated', `it was anchored when the log had ${anchor.seq} entries`)
  return undefined
}

function fault(index: number, kind: AuditFaultKind, detail: string): AuditFault {
  return { index, kind, detail }
}
