/** The signature of a trusted gateway, as its documentation describes it: an HMAC over what is forwarded. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Header, WireRequest } from './wire.ts'

export interface GatewayClaim {
  readonly method: string
  readonly path: string
  readonly tenantId: string
  readonly body: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly nonce: string
}

/** What an honest gateway claims of a request. */
export function honestClaim({ method, path, body = '' }: WireRequest, tenantId: string): GatewayClaim {
  return { method, path, body, tenantId, timestamp: Math.floor(Date.now() / 1000), nonce: freshNonce() }
}

export function signatureHeaders(secret: Buffer, claim: GatewayClaim): Header[] {
  const bodyHash = createHash('sha256').update(claim.body).digest('hex')
  const signed = [claim.method, claim.path, claim.tenantId, bodyHash, claim.timestamp, claim.nonce].join('\n')
  return [
    ['X-Gateway-Content-SHA256', bodyHash],
    ['X-Gateway-Timestamp', String(claim.timestamp)],
    ['X-Gateway-Nonce', claim.nonce],
    ['X-Gateway-Signature', createHmac('sha256', secret).update(signed).digest('hex')],
  ]
}

function freshNonce(): string {
  return randomBytes(16).toString('base64url')
}
