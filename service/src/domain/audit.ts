/**
 * The audit log as data: the entries, the text that each MAC covers, and the hash chain of the entries. Pure: the holder
 * of the key computes the MACs.
 */
import type { KeyTier } from '../platform/api-key.ts'

/** Every recorded action. Some belong to parts that are designed and not built yet. */
export type AuditAction =
  | 'key.issued'
  | 'key.rotated'
  | 'key.revoked'
  | 'tenant.created'
  | 'tenant.deleted'
  | 'scope.created'
  | 'scope.reset'
  | 'scope.deleted'
  | 'scope.declared'
  | 'scope.reopened'
  | 'scope.reread'
  | 'runtime.changed'
  | 'document.removed'
  | 'document.retried'
  | 'document.released'
  | 'contradiction.reported'
  | 'contradiction.resolved'
  | 'contradiction.dismissed'
  | 'contradiction.reopened'
  | 'policy.changed'
  | 'judge.permitted'
  | 'judge.forbidden'
  | 'decision.made'
  | 'certificate.issued'
  | 'database.restored'
  | 'rewrap.started'

/** The actor: a caller, or the system or a policy if no person caused the action. */
export interface AuditActor {
  readonly tier: KeyTier | 'system' | 'policy'
  readonly actor: string
}

/** Ids, counts and kinds. A text with spaces is content, and is refused. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>

export interface AuditEvent {
  readonly action: AuditAction
  readonly who: AuditActor
  /** Null or missing if the action is not about one tenant, one scope or one subject. */
  readonly tenantId?: string | null
  readonly scopeId?: string | null
  /** The id of the key, contradiction, policy, … For a document its fingerprint, see `documentFingerprint`. */
  readonly subject?: string | null
  readonly details?: AuditDetails
}

/** An entry as it is stored, with every field as text. */
export interface AuditRecord {
  readonly entryId: string
  /** In UTC, to the microsecond. */
  readonly at: string
  readonly action: string
  readonly tier: string
  readonly actor: string
  readonly tenantId: string | null
  readonly scopeId: string | null
  readonly subject: string | null
  /** The JSON text, unchanged: the MAC covers it. */
  readonly details: string
  /** The master key that the key of the MAC comes from. */
  readonly macKey: string
}

export interface AuditEntry extends AuditRecord {
  /** In hexadecimal, like all MACs in this file. */
  readonly mac: string
}

/** An entry that is in the chain. */
export interface ChainedEntry extends AuditEntry {
  readonly seq: number
  readonly chainKey: string
  readonly chainMac: string
}

/** A position in the chain, and the MAC over all entries up to it. */
export interface ChainPosition {
  readonly seq: number
  readonly chainMac: string
}

/** The position of the last chained entry, with its own MAC. */
export interface AuditHead extends ChainPosition {
  /** Both are null until the first entry is chained. */
  readonly macKey: string | null
  readonly mac: string | null
}

/** Computes a MAC. Returns undefined if the master key is not configured. */
export type MacOf = (keyId: string, text: string) => string | undefined

export const CHAIN_START: ChainPosition = { seq: 0, chainMac: '0'.repeat(64) }

const ID = /^\S{1,256}$/
/** Zero or more ids. The limit is high, so that an action on many things does not fail because of its audit entry. */
const IDS = /^\S{0,65536}$/

export function toRecord(
  event: AuditEvent,
  stamp: { readonly entryId: string; readonly at: Date; readonly macKey: string },
): AuditRecord {
  const { action, who, tenantId = null, scopeId = null, subject = null, details = {} } = event
  return {
    entryId: stamp.entryId,
    at: stamp.at.toISOString().replace(/Z$/, '000Z'),
    action,
    tier: who.tier,
    actor: who.actor,
    tenantId,
    scopeId,
    subject: subject === null ? null : requireIdLike('subject', subject, ID),
    details: encodeDetails(details),
    macKey: stamp.macKey,
  }
}

/** Returns the text that a MAC covers. Each kind of text has its own prefix, so that none passes for another. */
export function entryText(entry: AuditRecord): string {
  return encodeParts('entry', [
    entry.entryId,
    entry.at,
    entry.action,
    entry.tier,
    entry.actor,
    entry.tenantId,
    entry.scopeId,
    entry.subject,
    entry.details,
    entry.macKey,
  ])
}

export function linkText(before: ChainPosition, mac: string): string {
  // @point audit.link
  return encodeParts('link', [before.chainMac, String(before.seq + 1), mac])
}

export function headText({ seq, chainMac }: ChainPosition): string {
  return encodeParts('head', [String(seq), chainMac])
}

export function documentText(tenantId: string, scopeId: string, documentId: string): string {
  return encodeParts('document', [tenantId, scopeId, documentId])
}

/** Returns true if a holder of the key recorded the entry and nothing in it was changed. */
export function isGenuine(entry: AuditEntry, macOf: MacOf): boolean {
  return macOf(entry.macKey, entryText(entry)) === entry.mac
}

export function isGenuineHead(head: AuditHead, macOf: MacOf): boolean {
  if (head.macKey === null) return head.seq === 0 && head.chainMac === CHAIN_START.chainMac
  return macOf(head.macKey, headText(head)) === head.mac
}

/** Chains the entries in their order, after this position. */
export function chainEntries(
  head: ChainPosition,
  entries: readonly AuditEntry[],
  chainKey: string,
  macOf: MacOf,
): ChainedEntry[] {
  let before = head
  return entries.map((entry) => {
    const chainMac = macOf(chainKey, linkText(before, entry.mac))
    if (chainMac === undefined) throw new TypeError(`master key ${chainKey} is not configured`)
    before = { seq: before.seq + 1, chainMac }
    return { ...entry, ...before, chainKey }
  })
}

function encodeDetails(details: AuditDetails): string {
  for (const [name, value] of Object.entries(details))
    if (typeof value === 'string') requireIdLike(name, value, IDS)
  return JSON.stringify(details)
}

function requireIdLike(name: string, value: string, form: RegExp): string {
  if (form.test(value)) return value
  throw new TypeError(`${name} of an audit entry must be an id, a count or a kind, never content`)
}

/** Encodes each part with its length. Null differs from the empty text. */
function encodeParts(kind: string, parts: readonly (string | null)[]): string {
  const encoded = parts.map((part) => (part === null ? '-' : `${part.length}:${part}`))
  return `concord audit ${kind}|${encoded.join('|')}`
}
