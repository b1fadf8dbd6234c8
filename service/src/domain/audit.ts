/**
 * The audit log as data: what is recorded, the text that a MAC is over, and how entries hang together. Pure: the MACs
 * themselves are made by whoever has the key.
 */
import type { KeyTier } from '../platform/api-key.ts'

/** All that is ever recorded. Some of it is done by parts that are designed and not built yet. */
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

/** The actor. A caller fits; what no person asked for was the system, or a policy. */
export interface AuditActor {
  readonly tier: KeyTier | 'system' | 'policy'
  readonly actor: string
}

/** Ids, counts and kinds. Text with spaces in it is content, and refused. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>

export interface AuditEvent {
  readonly action: AuditAction
  readonly who: AuditActor
  /** Null, or left out, where it concerns no tenant, no scope, no single thing. */
  readonly tenantId?: string | null
  readonly scopeId?: string | null
  /** The id of the key, contradiction, policy, … Of a document its print, see `documentFingerprint`. */
  readonly subject?: string | null
  readonly details?: AuditDetails
}

/** An entry as it is stored, all of it as text. */
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
  /** JSON, to the letter. */
  readonly details: string
  /** The master key that the key of the MAC comes from. */
  readonly macKey: string
}

export interface AuditEntry extends AuditRecord {
  /** In hexadecimal, as all MACs here. */
  readonly mac: string
}

/** An entry that has its place. */
export interface ChainedEntry extends AuditEntry {
  readonly seq: number
  readonly chainKey: string
  readonly chainMac: string
}

/** A place in the chain, and the MAC over everything up to it. */
export interface ChainPlace {
  readonly seq: number
  readonly chainMac: string
}

/** The last place that was given, with a MAC of its own. */
export interface AuditHead extends ChainPlace {
  /** Both null until the first place is given. */
  readonly macKey: string | null
  readonly mac: string | null
}

/** Undefined when that master key is not configured. */
export type MacOf = (keyId: string, text: string) => string | undefined

export const CHAIN_START: ChainPlace = { seq: 0, chainMac: '0'.repeat(64) }

const ID = /^\S{1,256}$/
/** Ids of many things, or of none: what is done must not fail because so many had a part in it. */
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

/** Text that a MAC is over. Each kind begins differently, so that none is ever taken for another. */
export function entryText(entry: AuditRecord): string {
  return inOne('entry', [
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

export function linkText(before: ChainPlace, mac: string): string {
  // @point audit.link
  return inOne('link', [before.chainMac, String(before.seq + 1), mac])
}

export function headText({ seq, chainMac }: ChainPlace): string {
  return inOne('head', [String(seq), chainMac])
}

export function documentText(tenantId: string, scopeId: string, documentId: string): string {
  return inOne('document', [tenantId, scopeId, documentId])
}

/** Recorded by someone who has the key, and not a letter of it is other than it was. */
export function isGenuine(entry: AuditEntry, macOf: MacOf): boolean {
  return macOf(entry.macKey, entryText(entry)) === entry.mac
}

export function isGenuineHead(head: AuditHead, macOf: MacOf): boolean {
  if (head.macKey === null) return head.seq === 0 && head.chainMac === CHAIN_START.chainMac
  return macOf(head.macKey, headText(head)) === head.mac
}

/** The places that come after this one, in the order of the entries. */
export function chainEntries(
  head: ChainPlace,
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

/** Each part carries its length, and null differs from the empty text. */
function inOne(kind: string, parts: readonly (string | null)[]): string {
  const told = parts.map((part) => (part === null ? '-' : `${part.length}:${part}`))
  return `concord audit ${kind}|${told.join('|')}`
}
