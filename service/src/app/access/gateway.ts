/**
 * The two authentication modes without tenant keys, which the operator must choose explicitly: a trusted gateway that signs
 * the requests that it forwards, and, on a loopback address only, the bare tenant id.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import { deleteOldNonces, spendNonce } from '../../store/access/gateway-nonces.ts'
import type { Pool } from '../../store/pools.ts'
import { tenantExists } from '../../store/identity/tenants.ts'
import { UUID } from '../patterns.ts'

/** The request that the gateway vouches for. */
export interface SignedRequest {
  readonly method: string
  /** The path with the query string, as it was sent. */
  readonly path: string
  readonly tenantId: string
  /** The SHA-256 of the body in lower-case hex; of the empty string if there is no body. */
  readonly bodyHash: string
  /** Unix seconds. */
  readonly timestamp: string
  readonly nonce: string
}

export interface GatewayDeps {
  readonly registry: Pool
  /** A signature with any of these secrets is accepted, so that gateway and processes can rotate at different times. */
  readonly secrets: readonly Buffer[]
  readonly nowMs: () => number
}

const MAX_AGE_MS = 60_000
const SHA256_HEX = /^[0-9a-f]{64}$/
const NONCE = /^[A-Za-z0-9_-]{16,64}$/

/** Parts are joined by line feeds, which none of them can contain. */
export function signRequest(secret: Buffer, request: SignedRequest): string {
  const parts = [
    request.method,
    request.path,
    request.tenantId,
    request.bodyHash,
    request.timestamp,
    request.nonce,
  ]
  return createHmac('sha256', secret).update(parts.join('\n')).digest('hex')
}

export async function authenticateGateway(
  { registry, secrets, nowMs }: GatewayDeps,
  request: SignedRequest,
  signature: string,
): Promise<TenantCaller> {
  if (!SHA256_HEX.test(signature) || !SHA256_HEX.test(request.bodyHash) || !NONCE.test(request.nonce))
    throw new Fault('gateway_signature_invalid', { internal: 'a header is not of its form' })
  const given = Buffer.from(signature, 'hex')
  const signers = secrets.filter((secret) =>
    timingSafeEqual(Buffer.from(signRequest(secret, request), 'hex'), given),
  )
  if (signers.length === 0) throw new Fault('gateway_signature_invalid')
  if (!isFresh(request.timestamp, nowMs()))
    throw new Fault('gateway_signature_invalid', { internal: 'stale' })
  // The nonce is stored last, so that only the gateway can fill the table.
  if (!(await spendNonce(registry, request.nonce)))
    throw new Fault('gateway_signature_invalid', { internal: 'the nonce was used before' })
  return trustTenantId(registry, request.tenantId, 'gateway')
}

/** Used with AUTH_MODE=insecure-tenant-id, and after a gateway signature was verified. */
export async function trustTenantId(registry: Pool, tenantId: string, actor: string): Promise<TenantCaller> {
  if (!UUID.test(tenantId) || !(await tenantExists(registry, tenantId)))
    throw new Fault('credential_invalid', { internal: 'no such tenant' })
  return { tier: 'tenant', actor, tenantId }
}

export function createNonceSweep(registry: Pool, log: Log): Part {
  let timer: NodeJS.Timeout | undefined
  const sweep = () =>
    deleteOldNonces(registry).catch((error: unknown) =>
      log.warn({ err: error }, 'old nonces were not removed'),
    )
  return {
    name: 'nonce sweep',
    async start() {
      timer = setInterval(() => void sweep(), 60_000)
    },
    async stop() {
      clearInterval(timer)
    },
  }
}

function isFresh(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp) * 1000) <= MAX_AGE_MS
}
