/**
 * Opens what the service sealed, without the code of the service, as somebody would who has come by the data. The form
 * is that of decision 0005: a byte for the form, a nonce, the encrypted content and a tag, under AES-256-GCM, with the
 * place that the content was sealed for as additional data.
 */
import { createDecipheriv } from 'node:crypto'

export type Purpose = 'text' | 'card' | 'layout' | 'reading' | 'claim' | 'contradiction' | 'decision'

/** A row as `scope_keys` has it. */
export interface SealKeyRow {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
  readonly wrapped: Buffer
}

export interface Sealed {
  readonly purpose: Purpose
  readonly tenantId: string
  readonly scopeId: string
  /** The id; for a contradiction and a decision its own id: it belongs to no single document. */
  readonly documentId: string
  readonly epoch: number
  /** The version for a reading, version and number for a claim: what follows the purpose. */
  readonly numbers: readonly number[]
  readonly sealed: Buffer
}

const FORM = 1
const NONCE = 12
const TAG = 16

/** The value of MASTER_KEY: `id:base64`, several separated by commas. */
export function parseMasterKeys(value: string): Buffer[] {
  return value.split(',').map((entry) => Buffer.from(entry.slice(entry.indexOf(':') + 1), 'base64'))
}

/** The data keys that come out when every master key is tried on every row, whatever the row says it is wrapped by. */
export function unwrapKeys(rows: readonly SealKeyRow[], masters: readonly Buffer[]): Buffer[] {
  return rows.flatMap(({ tenantId, scopeId, epoch, wrapped }) => {
    const context = ['scope-data-key', tenantId, scopeId, String(epoch)]
    return masters.flatMap((master) => tryToOpen(master, context, wrapped) ?? [])
  })
}

/** The content that comes out when every key is tried; undefined when none fits. */
export function openSealed(what: Sealed, keys: readonly Buffer[]): Buffer | undefined {
  const { purpose, numbers, tenantId, scopeId, documentId, epoch, sealed } = what
  const context = [[purpose, ...numbers].join(' '), tenantId, scopeId, documentId, String(epoch)]
  for (const key of keys) {
    const plain = tryToOpen(key, context, sealed)
    if (plain) return plain
  }
  return undefined
}

function tryToOpen(key: Buffer, context: readonly string[], sealed: Buffer): Buffer | undefined {
  if (sealed[0] !== FORM || sealed.length < 1 + NONCE + TAG) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE))
  decipher.setAAD(Buffer.from(context.map((part) => `${Buffer.byteLength(part)}:${part}`).join('|')))
  decipher.setAuthTag(sealed.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE, -TAG)), decipher.final()])
  } catch {
    return undefined
  }
}

export interface OpenedSeal {
  /** How many there are, and how many of them any of the keys opened. */
  readonly of: number
  readonly opened: number
  /** Opened, with the mark in what came out: it really is the content. */
  readonly marked: number
}

export function tryAll(all: readonly Sealed[], keys: readonly Buffer[], mark: string): OpenedSeal {
  const plains = all.flatMap((each) => openSealed(each, keys) ?? [])
  return {
    of: all.length,
    opened: plains.length,
    marked: plains.filter((plain) => plain.includes(mark)).length,
  }
}
