/** The credentials that an operation asks for, and the slips that must not open it. */
import { unknownKey, withBadChecksum, withWrongSecret } from '../../harness/forged-keys.ts'
import type { OpenapiOperation } from '../../harness/openapi.ts'
import { isMove } from './expendable-scopes.ts'
import type { Header } from '../../harness/http.ts'
import type { Wire } from './wire.ts'
import type { Facts } from './world.ts'

/** One of the alternatives of the document; the draw says which. A move is of a scope, which asks for the tenant's key. */
export function rightKeys(operation: OpenapiOperation, facts: Facts, draw: number): Header[] {
  const alternatives = isMove(operation)
    ? operation.security.filter((schemes) => schemes.includes('TenantApiKey'))
    : operation.security
  const schemes = alternatives[draw % Math.max(1, alternatives.length)] ?? []
  return schemes.map((scheme) =>
    scheme === 'TenantApiKey'
      ? ['X-Tenant-API-Key', facts.tenantKey]
      : ['Authorization', `Bearer ${bearerFor(operation, facts, draw)}`],
  )
}

/** The document says in words which tier a bearer key must have: that of the first part of the path. */
function bearerFor({ path }: OpenapiOperation, { tenantKey, root }: Facts, draw: number): string {
  if (path.startsWith('/internals')) return root.internals
  if (path.startsWith('/admin')) return draw % 2 === 0 ? root.admin : root.internals
  return tenantKey
}

/** Each slip spoils every credential of the request, so the request must be refused. */
const SLIPS: readonly ((key: string) => string | undefined)[] = [
  () => undefined,
  () => '',
  withBadChecksum,
  withWrongSecret,
  () => unknownKey('t'),
  () => unknownKey('a'),
  () => unknownKey('i'),
  (key) => key.toUpperCase(),
  (key) => key.slice(0, -1),
  (key) => `${key}0`,
  (key) => `${key} ${key}`,
  (key) => `"${key}"`,
  (key) => key.replace(/^ck_./, 'ck_x'),
]

const CREDENTIALS = new Set(['Authorization', 'X-Tenant-API-Key'])

export function withWrongKeys(wire: Wire, draw: number): Wire {
  const slip = SLIPS[draw % SLIPS.length]
  const headers = wire.headers.flatMap(([name, value]): Header[] => {
    if (!CREDENTIALS.has(name)) return [[name, value]]
    const [, scheme = '', key = ''] = /^(Bearer )?(.*)$/.exec(value) ?? []
    const spoilt = slip?.(key)
    return spoilt === undefined ? [] : [[name, scheme + spoilt]]
  })
  return { ...wire, headers }
}
