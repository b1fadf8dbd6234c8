/** Every kind of credential that a caller could show, right or wrong, as the headers it consists of. */
import { neverIssued, relabelled, withBadChecksum, withWrongSecret } from './forged-keys.ts'
import { honestClaim, signatureHeaders } from './gateway.ts'
import type { GatewayClaim } from './gateway.ts'
import type { Twin } from './twins.ts'
import type { Header, WireRequest } from './wire.ts'

/** Keys of the admin and internals tiers. */
export interface RootKeys {
  readonly admin: string
  readonly internals: string
  readonly expiredAdmin: string
  readonly revokedAdmin: string
}

/** Who is who in one request. */
export interface Cast extends RootKeys {
  readonly own: Twin
  readonly other: Twin
  /** The id of no tenant. */
  readonly noTenantId: string
  readonly gatewaySecret: Buffer
  /** Not the secret of the gateway. */
  readonly strangeSecret: Buffer
}

type Maker = (cast: Cast, request: WireRequest) => readonly Header[]

const bearer = (key: string): Header => ['Authorization', `Bearer ${key}`]
const keyHeader = (key: string): Header => ['X-Tenant-API-Key', key]
const tenantId = (id: string): Header => ['X-Tenant-ID', id]

/** The ways in which a single tenant key can be good or bad; each is shown in every place a key can be put. */
const tenantKeys = {
  malformed: () => 'not-a-key',
  'bad checksum': ({ own }: Cast) => withBadChecksum(own.key),
  'unknown key id': () => neverIssued('t'),
  'wrong secret': ({ own }: Cast) => withWrongSecret(own.key),
  expired: ({ own }: Cast) => own.expiredKey,
  revoked: ({ own }: Cast) => own.revokedKey,
  'own tenant': ({ own }: Cast) => own.key,
  'other tenant': ({ other }: Cast) => other.key,
  admin: ({ admin }: Cast) => admin,
  internals: ({ internals }: Cast) => internals,
} as const

const single = {
  nothing: () => [],
  'bearer: own tenant relabelled admin': ({ own }) => [bearer(relabelled(own.key, 'a'))],
  'bearer: admin, wrong secret': ({ admin }) => [bearer(withWrongSecret(admin))],
  'bearer: admin, unknown key id': () => [bearer(neverIssued('a'))],
  'bearer: admin, expired': ({ expiredAdmin }) => [bearer(expiredAdmin)],
  'bearer: admin, revoked': ({ revokedAdmin }) => [bearer(revokedAdmin)],
  'bearer: no token': () => [['Authorization', 'Bearer']],
  'bearer: two tokens': ({ own, admin }) => [bearer(`${own.key} ${admin}`)],
  'bearer: scheme in lower case': ({ own }) => [['Authorization', `bearer ${own.key}`]],
  'basic: own tenant': ({ own }) => [['Authorization', `Basic ${own.key}`]],
  'basic: admin': ({ admin }) => [['Authorization', `Basic ${admin}`]],
} as const satisfies Record<string, Maker>

const several = {
  'both headers: equal': ({ own }) => [bearer(own.key), keyHeader(own.key)],
  'both headers: in conflict': ({ own, other }) => [bearer(own.key), keyHeader(other.key)],
  'both headers: one malformed': ({ own }) => [bearer(own.key), keyHeader('not-a-key')],
  'twice: Authorization, equal': ({ own }) => [bearer(own.key), bearer(own.key)],
  'twice: Authorization, own and other': ({ own, other }) => [bearer(own.key), bearer(other.key)],
  'twice: Authorization, admin': ({ admin }) => [bearer(admin), bearer(admin)],
  'twice: key header, equal': ({ own }) => [keyHeader(own.key), keyHeader(own.key)],
  'twice: key header, beside admin': ({ admin, own, other }) => [
    bearer(admin),
    keyHeader(own.key),
    keyHeader(other.key),
  ],
  'twice: tenant id, equal': ({ own }) => [bearer(own.key), tenantId(own.tenantId), tenantId(own.tenantId)],
  'twice: tenant id, own and other': ({ own, other }) => [
    bearer(own.key),
    tenantId(own.tenantId),
    tenantId(other.tenantId),
  ],
} as const satisfies Record<string, Maker>

const tenantIds = {
  'tenant id: own, no key': ({ own }) => [tenantId(own.tenantId)],
  'tenant id: other, no key': ({ other }) => [tenantId(other.tenantId)],
  'tenant id: of nobody, no key': ({ noTenantId }) => [tenantId(noTenantId)],
  'tenant id: no uuid, no key': () => [tenantId('default')],
  'tenant id: own, bearer own': ({ own }) => [tenantId(own.tenantId), bearer(own.key)],
  'tenant id: other, bearer other': ({ other }) => [tenantId(other.tenantId), bearer(other.key)],
  'tenant id: own, key header own': ({ own }) => [tenantId(own.tenantId), keyHeader(own.key)],
  'tenant id: other, bearer own': ({ own, other }) => [tenantId(other.tenantId), bearer(own.key)],
  'tenant id: of nobody, bearer own': ({ own, noTenantId }) => [tenantId(noTenantId), bearer(own.key)],
  'tenant id: no uuid, bearer own': ({ own }) => [tenantId('default'), bearer(own.key)],
  'tenant id: other, key header own': ({ own, other }) => [tenantId(other.tenantId), keyHeader(own.key)],
  'tenant id: own, bearer admin': ({ own, admin }) => [tenantId(own.tenantId), bearer(admin)],
  'tenant id: other, admin and own': ({ own, other, admin }) => [
    tenantId(other.tenantId),
    bearer(admin),
    keyHeader(own.key),
  ],
} as const satisfies Record<string, Maker>

const rootWithTenant = {
  'internals + own tenant': ({ internals, own }) => [bearer(internals), keyHeader(own.key)],
  'internals + other tenant': ({ internals, other }) => [bearer(internals), keyHeader(other.key)],
  'internals + malformed': ({ internals }) => [bearer(internals), keyHeader('not-a-key')],
  'admin expired + own tenant': ({ expiredAdmin, own }) => [bearer(expiredAdmin), keyHeader(own.key)],
  'admin revoked + own tenant': ({ revokedAdmin, own }) => [bearer(revokedAdmin), keyHeader(own.key)],
  'admin wrong secret + own tenant': ({ admin, own }) => [bearer(withWrongSecret(admin)), keyHeader(own.key)],
  'admin by basic + own tenant': ({ admin, own }) => [
    ['Authorization', `Basic ${admin}`],
    keyHeader(own.key),
  ],
} as const satisfies Record<string, Maker>

const MINUTES = 60

const gateway = {
  'gateway: own tenant': signed({}),
  'gateway: other tenant': ({ other, gatewaySecret }, request) => [
    tenantId(other.tenantId),
    ...signatureHeaders(gatewaySecret, honestClaim(request, other.tenantId)),
  ],
  'gateway: tenant of nobody': ({ noTenantId, gatewaySecret }, request) => [
    tenantId(noTenantId),
    ...signatureHeaders(gatewaySecret, honestClaim(request, noTenantId)),
  ],
  'gateway: own tenant, bearer other': (cast, request) => [
    ...signed({})(cast, request),
    bearer(cast.other.key),
  ],
  'gateway: wrong secret': (cast, request) =>
    signed({})({ ...cast, gatewaySecret: cast.strangeSecret }, request),
  'gateway: stale': signed({ secondsLate: -2 * MINUTES }),
  'gateway: from the future': signed({ secondsLate: 2 * MINUTES }),
  // The maker is asked once and its headers are sent twice; the second answer counts.
  'gateway: replayed nonce': signed({}),
  'gateway: short nonce': signed({ claim: { nonce: 'short' } }),
  'gateway: changed method': signed({ claim: { method: 'PATCH' } }),
  'gateway: changed path': signed({ claim: { path: '/api/scopes/another' } }),
  'gateway: changed tenant': ({ own, other, gatewaySecret }, request) => [
    tenantId(other.tenantId),
    ...signatureHeaders(gatewaySecret, honestClaim(request, own.tenantId)),
  ],
  'gateway: changed body': signed({ claim: { body: '{"signed":"another body"}' } }),
  'gateway: no tenant': without('X-Tenant-ID'),
  'gateway: no signature': without('X-Gateway-Signature'),
  'gateway: no timestamp': without('X-Gateway-Timestamp'),
  'gateway: no nonce': without('X-Gateway-Nonce'),
  'gateway: no body hash': without('X-Gateway-Content-SHA256'),
  'gateway: signature twice': (cast, request) => {
    const headers = signed({})(cast, request)
    return [...headers, ...headers.filter(([name]) => name === 'X-Gateway-Signature')]
  },
} as const satisfies Record<string, Maker>

export const REPLAYED = 'gateway: replayed nonce'

type TenantKey = keyof typeof tenantKeys

export type CredentialKind =
  | `bearer: ${TenantKey}`
  | `key header: ${TenantKey}`
  | `admin + ${TenantKey}`
  | keyof typeof single
  | keyof typeof several
  | keyof typeof tenantIds
  | keyof typeof rootWithTenant
  | keyof typeof gateway

const makers: Readonly<Record<string, Maker>> = {
  ...single,
  ...everyTenantKey('bearer: ', (key) => [bearer(key)]),
  ...everyTenantKey('key header: ', (key) => [keyHeader(key)]),
  ...several,
  ...tenantIds,
  ...everyTenantKey('admin + ', (key, { admin }) => [bearer(admin), keyHeader(key)]),
  ...rootWithTenant,
  ...gateway,
}

export const credentialKinds = Object.keys(makers) as readonly CredentialKind[]

export function credentialHeaders(kind: CredentialKind, cast: Cast, request: WireRequest): readonly Header[] {
  return makers[kind]?.(cast, request) ?? []
}

function everyTenantKey(
  prefix: string,
  place: (key: string, cast: Cast) => readonly Header[],
): Record<string, Maker> {
  return Object.fromEntries(
    Object.entries(tenantKeys).map(([name, keyOf]): [string, Maker] => [
      prefix + name,
      (cast) => place(keyOf(cast), cast),
    ]),
  )
}

/** Signed for the own tenant; `claim` is what the gateway signs instead of what is sent. */
function signed({
  claim = {},
  secondsLate = 0,
}: {
  claim?: Partial<GatewayClaim>
  secondsLate?: number
}): Maker {
  return ({ own, gatewaySecret }, request) => {
    const honest = honestClaim(request, own.tenantId)
    const claimed = { ...honest, timestamp: honest.timestamp + secondsLate, ...claim }
    return [tenantId(own.tenantId), ...signatureHeaders(gatewaySecret, claimed)]
  }
}

function without(missing: string): Maker {
  return (cast, request) => signed({})(cast, request).filter(([name]) => name !== missing)
}
