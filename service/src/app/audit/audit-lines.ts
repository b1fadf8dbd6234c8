/**
 * The lines of an audit log export: the start position, the entries, and the head, each a JSON object. Every field is
 * exported unchanged, so that a change in the database shows in the export too.
 */
import type { AuditHead, ChainedEntry, ChainPosition } from '../../domain/audit.ts'

export type AuditLine =
  | { readonly kind: 'start'; readonly start: ChainPosition }
  | { readonly kind: 'entry'; readonly entry: ChainedEntry }
  | { readonly kind: 'head'; readonly head: AuditHead }
  | { readonly kind: 'unknown' }

export function toStartLine({ seq, chainMac }: ChainPosition): string {
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
    // Exported as text, because parsing it would lose its exact form.
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
  const positionIn = (name: string) => ({ seq: numberOf(read[name]), chainMac: text('chain_mac') })
  try {
    switch (read['kind']) {
      case 'start':
        return { kind: 'start', start: positionIn('after') }
      case 'head':
        return { kind: 'head', head: { ...positionIn('seq'), macKey: orNull('mac_key'), mac: orNull('mac') } }
      case 'entry':
        return {
          kind: 'entry',
          entry: {
            ...positionIn('seq'),
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
