/**
 * Every credential that a caller could show, right or wrong. A credential is read from its name in the table of
 * expectations: `bearer admin + key own` is the admin key as bearer token and the caller's own key in X-Tenant-API-Key.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { relabelled, unknownKey, withBadChecksum, withWrongSecret } from '../../harness/forged-keys.ts'
import { payloadOf } from '../../harness/http.ts'
import type { Header, HttpRequest } from '../../harness/http.ts'
import type { IsolationKeys } from './service.ts'
import type { Twin } from './twins.ts'

/** The identities in one request. */
export interface Cast extends IsolationKeys {
  readonly own: Twin
  readonly other: Twin
  /** The id of no tenant. */
  readonly noTenantId: string
  readonly gatewaySecret: Buffer
  /** Not the secret of the gateway. */
  readonly strangeSecret: Buffer
}

type Maker = (what: string, cast: Cast, request: HttpRequest) => readonly Header[]

const MAKERS: Readonly<Record<string, Maker>> = {
  nothing: () => [],
  bearer: (what, cast) => [['Authorization', `Bearer ${find(KEYS, what)(cast)}`.trim()]],
  'lower-case-bearer': (what, cast) => [['Authorization', `bearer ${find(KEYS, what)(cast)}`]],
  basic: (what, cast) => [['Authorization', `Basic ${find(KEYS, what)(cast)}`]],
  key: (what, cast) => [['X-Tenant-API-Key', find(KEYS, what)(cast)]],
  id: (what, cast) => [['X-Tenant-ID', find(TENANT_IDS, what)(cast)]],
  gateway: signatureOf,
}

const KEYS: Readonly<Record<string, (cast: Cast) => string>> = {
  none: () => '',
  malformed: () => 'not-a-key',
  'bad checksum': ({ own }) => withBadChecksum(own.key),
  unknown: () => unknownKey('t'),
  'wrong secret': ({ own }) => withWrongSecret(own.key),
  expired: ({ own }) => own.expiredKey,
  revoked: ({ own }) => own.revokedKey,
  own: ({ own }) => own.key,
  other: ({ other }) => other.key,
  'own relabelled admin': ({ own }) => relabelled(own.key, 'a'),
  'own and admin': ({ own, admin }) => `${own.key} ${admin}`,
  admin: ({ admin }) => admin,
  'admin, wrong secret': ({ admin }) => withWrongSecret(admin),
  'admin, unknown': () => unknownKey('a'),
  'admin, expired': ({ expiredAdmin }) => expiredAdmin,
  'admin, revoked': ({ revokedAdmin }) => revokedAdmin,
  internals: ({ internals }) => internals,
}

const TENANT_IDS: Readonly<Record<string, (cast: Cast) => string>> = {
  own: ({ own }) => own.tenantId,
  other: ({ other }) => other.tenantId,
  nobody: ({ noTenantId }) => noTenantId,
  'no uuid': () => 'default',
}

export function credentialHeaders(kind: string, cast: Cast, request: HttpRequest): Header[] {
  return kind.split(' + ').flatMap((part) => {
    const [how = ''] = part.split(' ')
    return find(MAKERS, how)(part.slice(how.length + 1), cast, request)
  })
}

function find<Value>(known: Readonly<Record<string, Value>>, name: string): Value {
  const found = known[name]
  if (found === undefined) throw new Error(`No credential is called "${name}"; add it to credentials.ts.`)
  return found
}

/** The part that a gateway signs of the request that it forwards. */
interface GatewayClaim {
  readonly method: string
  readonly path: string
  readonly tenantId: string
  readonly body: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly nonce: string
}

/** Sent twice, where requests are signed: the second response counts. */
export const REPLAYED = 'gateway replayed nonce'

/** The values signed instead of the sent ones. */
const SIGNED: Readonly<Record<string, (claim: GatewayClaim, cast: Cast) => Partial<GatewayClaim>>> = {
  own: () => ({}),
  other: () => ({}),
  nobody: () => ({}),
  'wrong secret': () => ({}),
  'replayed nonce': () => ({}),
  'signature twice': () => ({}),
  stale: ({ timestamp }) => ({ timestamp: timestamp - 120 }),
  'from the future': ({ timestamp }) => ({ timestamp: timestamp + 120 }),
  'short nonce': () => ({ nonce: 'short' }),
  'changed method': ({ method }) => ({ method: method === 'PATCH' ? 'PUT' : 'PATCH' }),
  'changed path': () => ({ path: '/api/scopes/another' }),
  'changed tenant': (_, { own }) => ({ tenantId: own.tenantId }),
  'changed body': () => ({ body: '{"signed":"another body"}' }),
}

/** The signature of a trusted gateway, as its documentation describes it: an HMAC over what is forwarded. */
function signatureOf(what: string, cast: Cast, request: HttpRequest): Header[] {
  const [, missing] = /^without (.*)/.exec(what) ?? []
  const tenantId = find(
    TENANT_IDS,
    what === 'changed tenant' ? 'other' : what in TENANT_IDS ? what : 'own',
  )(cast)
  const honest = {
    method: request.method ?? 'GET',
    path: request.path,
    body: payloadOf(request.body).toString(),
    tenantId,
    timestamp: Math.floor(Date.now() / 1000),
    nonce: randomBytes(16).toString('base64url'),
  }
  const claim = { ...honest, ...find(SIGNED, missing ? 'own' : what)(honest, cast) }
  const secret = what === 'wrong secret' ? cast.strangeSecret : cast.gatewaySecret
  const bodyHash = createHash('sha256').update(claim.body).digest('hex')
  const signed = [claim.method, claim.path, claim.tenantId, bodyHash, claim.timestamp, claim.nonce].join('\n')
  const signature: Header = ['X-Gateway-Signature', createHmac('sha256', secret).update(signed).digest('hex')]
  const headers: Header[] = [
    ['X-Tenant-ID', tenantId],
    ['X-Gateway-Content-SHA256', bodyHash],
    ['X-Gateway-Timestamp', String(claim.timestamp)],
    ['X-Gateway-Nonce', claim.nonce],
    signature,
    ...(what === 'signature twice' ? [signature] : []),
  ]
  return headers.filter(([name]) => name !== missing)
}
