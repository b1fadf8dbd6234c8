/**
 * The answer for every kind of credential on every kind of route, written down by hand from the rules of identity and
 * compared with what the service does; nothing here is computed from the service.
 *
 * `ok` is admitted, `own` and `other` are admitted as that tenant, a number is the status of the refusal. The three
 * columns of /api differ by AUTH_MODE; the other tiers do not depend on it. `ingest` is what requires X-Tenant-ID. A row
 * names a credential as credentials.ts reads it; behind a slash only its last part is another.
 */
import type { RouteClass } from './routes.ts'
import type { ProvedAuthMode } from './service.ts'

export type ExpectedOutcome = 'ok' | 'own' | 'other' | number

const TABLE = `
credential                                               | open | api:key | ingest:key | api:gateway | api:insecure | admin | admin+tenant | internals | internals+tenant
nothing                                                  | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer malformed / bad checksum / unknown / wrong secret | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer expired / revoked / own relabelled admin / none   | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer own                                               | ok   | own     | 422        | 401         | 401          | 403   | 403          | 403       | 403
bearer other                                             | ok   | other   | 422        | 401         | 401          | 403   | 403          | 403       | 403
bearer admin                                             | ok   | 403     | 403        | 401         | 401          | ok    | 401          | 403       | 403
bearer internals                                         | ok   | 403     | 403        | 401         | 401          | ok    | 401          | ok        | 401
bearer admin, wrong secret / admin, unknown              | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
bearer admin, expired / admin, revoked / own and admin   | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
lower-case-bearer own                                    | ok   | own     | 422        | 401         | 401          | 403   | 403          | 403       | 403
basic own / admin                                        | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key malformed / bad checksum / unknown / wrong secret    | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key expired / revoked                                    | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
key own                                                  | ok   | own     | 422        | 401         | 401          | 401   | 401          | 401       | 401
key other                                                | ok   | other   | 422        | 401         | 401          | 401   | 401          | 401       | 401
key admin / internals                                    | ok   | 403     | 403        | 401         | 401          | 401   | 401          | 401       | 401
bearer own + key own                                     | ok   | own     | 422        | 401         | 401          | 403   | 403          | 403       | 403
bearer own + key other / malformed                       | ok   | 400     | 400        | 401         | 401          | 403   | 403          | 403       | 403
bearer own + bearer own / other                          | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
bearer admin + bearer admin                              | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
key own + key own                                        | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
bearer admin + key own + key other                       | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
bearer own + id own + id own / other                     | 400  | 400     | 400        | 400         | 400          | 400   | 400          | 400       | 400
id own                                                   | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
id other                                                 | ok   | 401     | 401        | 401         | other        | 401   | 401          | 401       | 401
id nobody / no uuid                                      | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
id own + bearer own                                      | ok   | own     | own        | 401         | own          | 403   | 403          | 403       | 403
id other + bearer other                                  | ok   | other   | other      | 401         | other        | 403   | 403          | 403       | 403
id own + key own                                         | ok   | own     | own        | 401         | own          | 401   | 401          | 401       | 401
id other + bearer own                                    | ok   | 403     | 403        | 401         | other        | 403   | 403          | 403       | 403
id nobody + bearer own                                   | ok   | 403     | 403        | 401         | 401          | 403   | 403          | 403       | 403
id no uuid + bearer own                                  | ok   | 403     | 403        | 401         | 401          | 403   | 403          | 403       | 403
id other + key own                                       | ok   | 403     | 403        | 401         | other        | 401   | 401          | 401       | 401
id own + bearer admin                                    | ok   | 403     | 403        | 401         | own          | ok    | 401          | 403       | 403
id other + bearer admin + key own                        | ok   | 400     | 400        | 401         | other        | ok    | own          | 403       | 403
bearer admin + key malformed / bad checksum / unknown    | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
bearer admin + key wrong secret / expired / revoked      | ok   | 400     | 400        | 401         | 401          | ok    | 401          | 403       | 403
bearer admin + key own                                   | ok   | 400     | 400        | 401         | 401          | ok    | own          | 403       | 403
bearer admin + key other                                 | ok   | 400     | 400        | 401         | 401          | ok    | other        | 403       | 403
bearer admin + key admin                                 | ok   | 403     | 403        | 401         | 401          | ok    | 403          | 403       | 403
bearer admin + key internals                             | ok   | 400     | 400        | 401         | 401          | ok    | 403          | 403       | 403
bearer internals + key own                               | ok   | 400     | 400        | 401         | 401          | ok    | own          | ok        | own
bearer internals + key other                             | ok   | 400     | 400        | 401         | 401          | ok    | other        | ok        | other
bearer internals + key malformed                         | ok   | 400     | 400        | 401         | 401          | ok    | 401          | ok        | 401
bearer admin, expired + key own                          | ok   | 400     | 400        | 401         | 401          | 401   | 401          | 401       | 401
bearer admin, revoked + key own                          | ok   | 400     | 400        | 401         | 401          | 401   | 401          | 401       | 401
bearer admin, wrong secret + key own                     | ok   | 400     | 400        | 401         | 401          | 401   | 401          | 401       | 401
basic admin + key own                                    | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
gateway own                                              | ok   | 401     | 401        | own         | own          | 401   | 401          | 401       | 401
gateway other                                            | ok   | 401     | 401        | other       | other        | 401   | 401          | 401       | 401
gateway nobody / without X-Tenant-ID                     | ok   | 401     | 401        | 401         | 401          | 401   | 401          | 401       | 401
gateway own + bearer other                               | ok   | 403     | 403        | own         | own          | 403   | 403          | 403       | 403
gateway wrong secret / stale / from the future           | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway replayed nonce / short nonce / changed method    | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway changed path / changed body / signature twice    | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway changed tenant                                   | ok   | 401     | 401        | 401         | other        | 401   | 401          | 401       | 401
gateway without X-Gateway-Signature                      | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway without X-Gateway-Timestamp                      | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway without X-Gateway-Nonce                          | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
gateway without X-Gateway-Content-SHA256                 | ok   | 401     | 401        | 401         | own          | 401   | 401          | 401       | 401
`

const COLUMNS: Readonly<Record<RouteClass, Readonly<Record<ProvedAuthMode, string>>>> = {
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

export function readExpectations(table: string = TABLE) {
  const [head = [], ...rows] = table
    .split('\n')
    .filter((line) => line.includes('|'))
    .map(cells)
  const byKind = new Map<string, readonly string[]>()
  for (const [names = '', ...outcomes] of rows)
    for (const kind of kindsIn(names)) {
      if (byKind.has(kind)) throw new Error('The table of expectations names a credential twice.')
      byKind.set(kind, outcomes)
    }
  return {
    /** In the order of the table. */
    kinds: [...byKind.keys()],
    outcome(
      kind: string,
      place: { readonly class: RouteClass; readonly mode: ProvedAuthMode },
    ): ExpectedOutcome {
      const column = COLUMNS[place.class][place.mode]
      const cell = byKind.get(kind)?.[head.indexOf(column) - 1]
      if (cell !== undefined) return toOutcome(cell)
      throw new Error(`The table of expectations has nothing under "${column}" for "${kind}"; write it down.`)
    },
  }
}

function kindsIn(names: string): string[] {
  const [first = '', ...others] = names.split(' / ')
  const [before = ''] = /^(?:.* \+ )?[\w-]+ /.exec(first) ?? []
  return [first, ...others.map((last) => before + last)]
}

function cells(line: string): string[] {
  return line.split('|').map((cell) => cell.trim())
}

function toOutcome(cell: string): ExpectedOutcome {
  if (cell === 'ok' || cell === 'own' || cell === 'other') return cell
  if (/^4\d\d$/.test(cell)) return Number(cell)
  throw new Error(
    `The table of expectations says "${cell}"; write ok, own, other or a status from 400 to 499.`,
  )
}

function everyMode(column: string): Record<ProvedAuthMode, string> {
  return { key: column, 'trusted-gateway': column, 'insecure-tenant-id': column }
}
