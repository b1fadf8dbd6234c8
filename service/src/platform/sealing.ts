/**
 * Seals content with AES-256-GCM under a data key. A master key, which is never in the database, wraps the data key.
 * The context (tenant, scope, epoch, …) is authenticated, so a sealed value does not open in another row, tenant or
 * epoch. Destroying the wrapped data key destroys everything sealed with it.
 */
import { createCipheriv, createDecipheriv, randomBytes, randomFillSync } from 'node:crypto'
import type { MasterKeyBytes } from './config.ts'
import { secretKeyOf } from './secret-key.ts'

const ALGORITHM = 'aes-256-gcm'
const FORMAT = 1
const NONCE_LENGTH = 12
const TAG_LENGTH = 16

export interface WrappedKey {
  readonly masterKeyId: string
  readonly wrapped: Buffer
}

export class SealError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`Sealed content does not open: ${reason}`, options)
    this.name = 'SealError'
  }
}

export function createDataKey(): Buffer {
  return randomBytes(32)
}

export function seal(key: Buffer, context: readonly string[], plain: Buffer): Buffer {
  const nonce = drawNonce()
  const cipher = createCipheriv(ALGORITHM, secretKeyOf(key), nonce)
  cipher.setAAD(encodeContext(context))
  return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

export function openSealed(key: Buffer, context: readonly string[], sealed: Buffer): Buffer {
  if (sealed[0] !== FORMAT || sealed.length < 1 + NONCE_LENGTH + TAG_LENGTH)
    throw new SealError('unknown form')
  const body = sealed.subarray(1 + NONCE_LENGTH, -TAG_LENGTH)
  const decipher = createDecipheriv(ALGORITHM, secretKeyOf(key), sealed.subarray(1, 1 + NONCE_LENGTH))
  decipher.setAAD(encodeContext(context))
  decipher.setAuthTag(sealed.subarray(-TAG_LENGTH))
  try {
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch (cause) {
    throw new SealError('wrong key, wrong context or changed bytes', { cause })
  }
}

const nonces = Buffer.alloc(NONCE_LENGTH * 256)
let drawn = nonces.length

/** Fetches random bytes for many nonces at a time. Each nonce is a copy and is used once. */
function drawNonce(): Buffer {
  if (drawn === nonces.length) {
    randomFillSync(nonces)
    drawn = 0
  }
  drawn += NONCE_LENGTH
  return Buffer.from(nonces.subarray(drawn - NONCE_LENGTH, drawn))
}

/** The first master key wraps, and all of them unwrap, so that the master key can be changed without downtime. */
export function wrapDataKey(
  masters: readonly MasterKeyBytes[],
  context: readonly string[],
  key: Buffer,
): WrappedKey {
  const [active] = masters
  if (!active) throw new SealError('no master key is configured')
  return { masterKeyId: active.id, wrapped: seal(active.bytes, context, key) }
}

export function unwrapDataKey(
  masters: readonly MasterKeyBytes[],
  context: readonly string[],
  { masterKeyId, wrapped }: WrappedKey,
): Buffer {
  return openSealed(masterKeyOf(masters, masterKeyId), context, wrapped)
}

export function masterKeyOf(masters: readonly MasterKeyBytes[], id: string): Buffer {
  const master = masters.find((each) => each.id === id)
  if (!master) throw new SealError(`master key ${id} is not configured; add it to MASTER_KEY`)
  return master.bytes
}

/** Each part has a length prefix, so that different contexts never have the same encoding. */
function encodeContext(context: readonly string[]): Buffer {
  return Buffer.from(context.map((part) => `${Buffer.byteLength(part)}:${part}`).join('|'))
}
