/**
 * An export of the audit log, line by line: where it starts, the entries, where the log ended; each a JSON object. All is
 * to the letter, so that what was changed in the database shows in the export as well.
 */
import type { AuditHead, ChainedEntry, ChainPlace } from '../../domain/audit.ts'

export type AuditLine =
  | { readonly kind: 'start'; readonly start: ChainPlace }
  | { readonly kind: 'entry'; readonly entry: ChainedEntry }
  | { readonly kind: 'head'; readonly head: AuditHead }
  | { readonly kind: 'unknown' }

export function toStartLine({ seq, chainMac }: ChainPlace): string {
  return JSON.stringify({ kind: 'start', after: seq, chain_mac: chainMac })
}

export function toHeadLine({ seq, chainMac, macKey, mac }: AuditHead): string {
  return JSON.stringify({ kind: 'head', seq, chain_mac: chainMac, mac_key: macKey, mac })
}

export function toEntryLine(entry: ChainedEntry): string {
  return JSON.stringify({
    kind: 'entry',
    seq: entry.seq,
    entry_id: entry.entryId,
    at: entry.at,
    action: entry.action,
    tier: entry.tier,
    actor: entry.actor,
    tenant_id: entry.tenantId,
    scope_id: entry.scopeId,
    subject: entry.subject,
    // Kept as text: an object would lose the letter of it.
    details: entry.details,
    mac_key: entry.macKey,
    mac: entry.mac,
    chain_key: entry.chainKey,
    chain_mac: entry.chainMac,
  })
}

export function readAuditLine(line: string): AuditLine {
  const read = parse(line)
  const text = (name: string) => textOf(read[name])
  const orNull = (name: string) => (read[name] === null ? null : textOf(read[name]))
  const place = (name: string) => ({ seq: numberOf(read[name]), chainMac: text('chain_mac') })
  try {
    switch (read['kind']) {
      case 'start':
        return { kind: 'start', start: place('after') }
      case 'head':
        return { kind: 'head', head: { ...place('seq'), macKey: orNull('mac_key'), mac: orNull('mac') } }
      case 'entry':
        return {
          kind: 'entry',
          entry: {
            ...place('seq'),
            entryId: text('entry_id'),
            at: text('at'),
            action: text('action'),
            tier: text('tier'),
            actor: text('actor'),
            tenantId: orNull('tenant_id'),
            scopeId: orNull('scope_id'),
            subject: orNull('subject'),
            details: text('details'),
            macKey: text('mac_key'),
            mac: text('mac'),
            chainKey: text('chain_key'),
          },
        }
      default:
        return { kind: 'unknown' }
    }
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'unknown' }
    throw error
  }
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError('no text')
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  throw new TypeError('no number')
}
