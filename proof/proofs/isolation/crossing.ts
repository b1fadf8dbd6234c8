/**
 * Asks for the same thing twice: once by an id that belongs to the other twin, once by an id that names nothing. The
 * two answers must not differ, or ids could be tried out.
 */
import { isDeepStrictEqual } from 'node:util'
import { neverIssued, withWrongSecret } from './forged-keys.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { castOf, fill } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import { admitted, documentPairs } from './crossed-documents.ts'
import type { Pair } from './crossed-documents.ts'
import { switchPairs } from './crossed-switches.ts'
import type { Stage } from './stage.ts'
import type { Side } from './twin-documents.ts'
import { freshCanary } from './canary.ts'
import { existingValues } from './valid-values.ts'
import type { Answer, WireRequest } from './wire.ts'

export interface CrossingFindings {
  readonly pairs: number
  /** Each a sentence with the request in it. */
  readonly unlike: readonly string[]
}

const AT_ONCE = 4
const SIDES: readonly Side[] = ['left', 'right']

export async function runCrossing(stage: Stage): Promise<CrossingFindings> {
  const pairs = [
    ...SIDES.flatMap((own) => stage.routes.flatMap((route) => pairsOfRoute(stage, route, own))),
    ...SIDES.flatMap((own) => switchPairs(stage, own)),
    ...(await Promise.all(SIDES.map((own) => scopeNamePair(stage, own)))),
    ...(await Promise.all(SIDES.map((own) => documentPairs(stage, own)))).flat(),
  ]
  const unlike: string[] = []
  await inParallel(pairs, AT_ONCE, async ({ foreign, unknown, ids }, replica) => {
    const [one, two] = [
      await stage.send('key', replica, foreign),
      await stage.send('key', replica + 1, unknown),
    ]
    if (isDeepStrictEqual(comparable(one, ids[0]), comparable(two, ids[1]))) return
    unlike.push(
      `${foreign.method} ${foreign.path}: a foreign id got ${told(one)}, an unknown one got ${told(two)}`,
    )
  })
  return { pairs: pairs.length, unlike }
}

function pairsOfRoute(stage: Stage, route: ServedRoute, own: Side): Pair[] {
  if (route.class === 'open') return []
  const identity = [...tenantIdPairs(stage, route, own), ...keyPairs(stage, route, own)]
  return [...identity, ...route.parameters.flatMap((name) => parameterPairs(stage, route, own, name))]
}

/** The other twin's id in a path parameter, everything else being the caller's own. */
function parameterPairs(stage: Stage, route: ServedRoute, own: Side, name: string): Pair[] {
  const cast = castOf(stage, own)
  const { nobody } = stage.twins
  const ids: Readonly<Record<string, { readonly foreign: readonly string[]; readonly unknown: string }>> = {
    scopeId: { foreign: cast.other.ownScopeIds, unknown: nobody.scopeId },
    documentId: { foreign: cast.other.ownDocumentIds, unknown: nobody.documentId },
    keyId: { foreign: cast.other.targetKeyIds, unknown: nobody.keyId },
    contradictionId: { foreign: cast.other.contradictionIds, unknown: nobody.contradictionId },
    // An administrator may name any tenant, so no tenant is foreign to one; the key within it can be.
    tenantId: { foreign: [], unknown: nobody.tenantId },
  }
  const tried = ids[name]
  if (!tried) throw new Error(`What a foreign {${name}} is, nobody wrote down; add it to crossing.ts.`)
  const values = existingValues(route, cast.own)
  const headers = admitted(stage, route, own)
  const ask = (id: string) => ({
    ...fill(route, { ...values, params: { ...values.params, [name]: id } }),
    headers,
  })
  return tried.foreign.map((id) => ({
    foreign: ask(id),
    unknown: ask(tried.unknown),
    ids: [id, tried.unknown],
  }))
}

/** X-Tenant-ID of the other twin, and of nobody, beside the caller's own key. */
function tenantIdPairs(stage: Stage, route: ServedRoute, own: Side): Pair[] {
  if (!route.class.startsWith('api')) return []
  const { own: asker, other } = castOf(stage, own)
  const unknown = stage.twins.nobody.tenantId
  const credentials = admitted(stage, route, own).filter(([name]) => name !== 'X-Tenant-ID')
  const ask = (id: string): WireRequest => ({
    ...fill(route, existingValues(route, asker)),
    headers: [...credentials, ['X-Tenant-ID', id]],
  })
  return [{ foreign: ask(other.tenantId), unknown: ask(unknown), ids: [other.tenantId, unknown] }]
}

/** A guessed secret tells nothing about whether the key exists, whether it lives, or whose it is. */
function keyPairs(stage: Stage, route: ServedRoute, own: Side): Pair[] {
  const { own: asker, other, admin } = castOf(stage, own)
  const known = route.class === 'api' ? [other.key, other.expiredKey, other.revokedKey] : [other.key, admin]
  const ask = (key: string): WireRequest => ({
    ...fill(route, existingValues(route, asker)),
    headers: [['Authorization', `Bearer ${key}`]],
  })
  return known.map((key) => ({
    foreign: ask(withWrongSecret(key)),
    unknown: ask(neverIssued(key === admin ? 'a' : 't')),
    ids: ['', ''],
  }))
}

/** A name that the other twin has taken is as free as any: a conflict would tell that it is taken. */
async function scopeNamePair(stage: Stage, own: Side): Promise<Pair> {
  const { own: asker, other, admin } = castOf(stage, own)
  const [taken, unknown] = [`bait-${freshCanary()}`, `bait-${freshCanary()}`]
  const create = { method: 'POST', path: '/admin/scopes' }
  await stage.seed({ ...create, headers: [['X-Tenant-API-Key', other.key]], body: { scope_id: taken } })
  const ask = (scopeId: string): WireRequest => ({
    ...create,
    headers: [
      ['Authorization', `Bearer ${admin}`],
      ['X-Tenant-API-Key', asker.key],
    ],
    body: JSON.stringify({ scope_id: scopeId }),
  })
  return { foreign: ask(taken), unknown: ask(unknown), ids: [taken, unknown] }
}

function told({ status, body }: Answer): string {
  return `${status} ${body.slice(0, 120)}`
}

/** What differs from one answer to the next for reasons of its own. */
const INDIVIDUAL = new Set([
  'x-request-id',
  'date',
  'content-length',
  'request_id',
  'instance',
  'created_at',
  'updated_at',
  'seq',
  'first_seq',
  'last_seq',
  'ratelimit',
])

function comparable({ status, headers, body }: Answer, id: string): unknown {
  const [, made = ''] = /"document_id":"([^"]+)"/.exec(body) ?? []
  // The id that was asked for, and one that the service made up, stand for themselves.
  const anonymous = (text: string) =>
    [id, encodeURIComponent(id), made].reduce(
      (sum, each, at) => (each === '' ? sum : sum.replaceAll(each, `{${at}}`)),
      text,
    )
  return {
    status,
    headers: headers
      .map(([name, value]) => [name.toLowerCase(), anonymous(value)])
      .filter(([name = '']) => !INDIVIDUAL.has(name)),
    body: isJson(headers) ? withoutIndividual(JSON.parse(anonymous(body))) : anonymous(body),
  }
}

function isJson(headers: Answer['headers']): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'content-type' && /json/.test(value))
}

function withoutIndividual(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIndividual)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !INDIVIDUAL.has(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutIndividual(each)]))
}
