/**
 * What every kind of credential gets on every kind of route, written down by hand from the rules of identity and
 * compared with what the service does; nothing here is computed from the service.
 *
 * `ok` is admitted, `own` and `other` are admitted as that tenant, a number is the status of the refusal. The three
 * columns of /api differ by AUTH_MODE; the other tiers do not depend on it. `ingest` is what requires X-Tenant-ID.
 */
import type { AuthMode } from './auth-modes.ts'
import type { CredentialKind } from './credentials.ts'
import type { RouteClass } from './routes.ts'

export type Outcome = 'ok' | 'own' | 'other' | number

const TABLE = `
credential                           | open | api:key | ingest:key | api:gateway | api:insecure | admin | admin+tenant | internals | internals+tenant
nothing                              | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401

bearer: malformed                    | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: bad checksum                 | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: unknown key id               | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: wrong secret                 | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: expired                      | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: revoked                      | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: own tenant                   | ok   | own     | 422        | 401         | 401          | 403   | 403          | 403       | 403
bearer: other tenant                 | ok   | other   | 422        | 401         | 401          | 403   | 403          | 403       | 403
bearer: admin                        | ok   | 403     | 403        | 401         | 401          | ok    | 401          | 403       | 403
bearer: internals                    | ok   | 403     | 403        | 401         | 401          | ok    | 401          | ok        | 401
bearer: own tenant relabelled admin  | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: admin, wrong secret          | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: admin, unknown key id        | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: admin, expired               | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: admin, revoked               | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: no token                     | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: two tokens                   | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer: scheme in lower case         | ok   | own     | 422        | 401         | 401          | 403   | 403          | 403       | 403
basic: own tenant                    | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
basic: admin                         | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401

key header: malformed                | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key header: bad checksum             | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key header: unknown key id           | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key header: wrong secret             | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key header: expired                  | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key header: revoked                  | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key header: own tenant               | ok   | own     | 422        | 401         | 401          | 401   | 401          | 401       | 401
key header: other tenant             | ok   | other   | 422        | 401         | 401          | 401   | 401          | 401       | 401
key header: admin                    | ok   | 403     | 403        | 401         | 401          | 401   | 401          | 401       | 401
key header: internals                | ok   | 403     | 403        | 401         | 401          | 401   | 401          | 401       | 401

both headers: equal                  | ok   | own     | 422        | 401         | 401          | 403   | 403          | 403       | 403
both headers: in conflict            | ok   | 400     | 400        | 401         | 401          | 403   | 403          | 403       | 403
both headers: one malformed          | ok   | 400     | 400        | 401         | 401          | 403   | 403          | 403       | 403
twice: Authorization, equal          | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
twice: Authorization, own and other  | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
twice: Authorization, admin          | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
twice: key header, equal             | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
twice: key header, beside admin      | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
twice: tenant id, equal              | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
twice: tenant id, own and other      | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400

tenant id: own, no key               | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
tenant id: other, no key             | ok   | 401     | 401        | 401         | other        | 401   | 401          | 401       | 401
tenant id: of nobody, no key         | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
tenant id: no uuid, no key           | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
tenant id: own, bearer own           | ok   | own     | own        | 401         | own          | 403   | 403          | 403       | 403
tenant id: other, bearer other       | ok   | other   | other      | 401         | other        | 403   | 403          | 403       | 403
tenant id: own, key header own       | ok   | own     | own        | 401         | own          | 401   | 401          | 401       | 401
tenant id: other, bearer own         | ok   | 403     | 403        | 401         | other        | 403   | 403          | 403       | 403
tenant id: of nobody, bearer own     | ok   | 403     | 403        | 401         | 401          | 403   | 403          | 403       | 403
tenant id: no uuid, bearer own       | ok   | 403     | 403        | 401         | 401          | 403   | 403          | 403       | 403
tenant id: other, key header own     | ok   | 403     | 403        | 401         | other        | 401   | 401          | 401       | 401
tenant id: own, bearer admin         | ok   | 403     | 403        | 401         | own          | ok    | 401          | 403       | 403
tenant id: other, admin and own      | ok   | 400     | 400        | 401         | other        | ok    | own          | 403       | 403

admin + malformed                    | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
admin + bad checksum                 | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
admin + unknown key id               | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
admin + wrong secret                 | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
admin + expired                      | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
admin + revoked                      | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
admin + own tenant                   | ok   | 400     | 400        | 401         | 401          | ok    | own          | 403       | 403
admin + other tenant                 | ok   | 400     | 400        | 401         | 401          | ok    | other        | 403       | 403
admin + admin                        | ok   | 403     | 403        | 401         | 401          | ok    | 403          | 403       | 403
admin + internals                    | ok   | 400     | 400        | 401         | 401          | ok    | 403          | 403       | 403
internals + own tenant               | ok   | 400     | 400        | 401         | 401          | ok    | own          | ok        | own
internals + other tenant             | ok   | 400     | 400        | 401         | 401          | ok    | other        | ok        | other
internals + malformed                | ok   | 400     | 400        | 401         | 401          | ok    | 401          | ok        | 401
admin expired + own tenant           | ok   | 400     | 400        | 401         | 401          | 401   | 401          | 401       | 401
admin revoked + own tenant           | ok   | 400     | 400        | 401         | 401          | 401   | 401          | 401       | 401
admin wrong secret + own tenant      | ok   | 400     | 400        | 401         | 401          | 401   | 401          | 401       | 401
admin by basic + own tenant          | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401

gateway: own tenant                  | ok   | 401     | 401        | own         | own          | 401   | 401          | 401       | 401
gateway: other tenant                | ok   | 401     | 401        | other       | other        | 401   | 401          | 401       | 401
gateway: tenant of nobody            | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
gateway: own tenant, bearer other    | ok   | 403     | 403        | own         | own          | 403   | 403          | 403       | 403
gateway: wrong secret                | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: stale                       | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: from the future             | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: replayed nonce              | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: short nonce                 | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: changed method              | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: changed path                | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: changed tenant              | ok   | 401     | 401        | 401         | other        | 401   | 401          | 401       | 401
gateway: changed body                | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: no tenant                   | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
gateway: no signature                | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: no timestamp                | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: no nonce                    | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: no body hash                | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway: signature twice             | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
`

const COLUMNS: Readonly<Record<RouteClass, Readonly<Record<AuthMode, string>>>> = {
  open: everyMode('open'),
  api: { key: 'api:key', 'trusted-gateway': 'api:gateway', 'insecure-tenant-id': 'api:insecure' },
  // Where X-Tenant-ID is the way in, it makes no difference that it is required.
  'api + tenant id': {
    key: 'ingest:key',
    'trusted-gateway': 'api:gateway',
    'insecure-tenant-id': 'api:insecure',
  },
  admin: everyMode('admin'),
  'admin + tenant key': everyMode('admin+tenant'),
  // The body names a scope in every request here, and of a scope nobody hears without its tenant's key.
  'admin + optional tenant key': everyMode('admin+tenant'),
  internals: everyMode('internals'),
  'internals + tenant key': everyMode('internals+tenant'),
}

export interface Expectations {
  /** The rows, in the order of the table. */
  readonly kinds: readonly string[]
  outcome(kind: CredentialKind, place: { readonly class: RouteClass; readonly mode: AuthMode }): Outcome
}

export function readExpectations(table: string = TABLE): Expectations {
  const [head = [], ...rows] = table
    .split('\n')
    .filter((line) => line.includes('|'))
    .map(cells)
  const byKind = new Map(rows.map(([kind = '', ...outcomes]) => [kind, outcomes]))
  if (byKind.size < rows.length) throw new Error('The table of expectations names a credential twice.')
  return {
    kinds: [...byKind.keys()],
    outcome(kind, place) {
      const column = COLUMNS[place.class][place.mode]
      const cell = byKind.get(kind)?.[head.indexOf(column) - 1]
      if (cell !== undefined) return toOutcome(cell)
      throw new Error(`The table of expectations has nothing under "${column}" for "${kind}"; write it down.`)
    },
  }
}

function cells(line: string): string[] {
  return line.split('|').map((cell) => cell.trim())
}

function toOutcome(cell: string): Outcome {
  if (cell === 'ok' || cell === 'own' || cell === 'other') return cell
  if (/^4\d\d$/.test(cell)) return Number(cell)
  throw new Error(
    `The table of expectations says "${cell}"; write ok, own, other or a status from 400 to 499.`,
  )
}

function everyMode(column: string): Record<AuthMode, string> {
  return { key: column, 'trusted-gateway': column, 'insecure-tenant-id': column }
}
