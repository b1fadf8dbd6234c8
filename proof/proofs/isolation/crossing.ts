/**
 * Asks for the same thing twice: once by an id that belongs to the other twin, once by an id that names nothing. The
 * two responses must not differ, or ids could be tried out.
 */
import { isDeepStrictEqual } from 'node:util'
import { unknownKey, withWrongSecret } from '../../harness/forged-keys.ts'
import type { HttpResponse } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { admitted, documentPairs, pairOf, switchPairs } from './crossed-documents.ts'
import type { CrossedPair } from './crossed-documents.ts'
import { castOf, fill } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { IsolationStage } from './stage.ts'
import { freshCanary } from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import { existingValues } from './valid-values.ts'

const AT_ONCE = 4
const SIDES: readonly Side[] = ['left', 'right']

/** `when` says which lock is off. */
export async function proveCrossing(
  { figures }: ProofRun,
  stage: IsolationStage,
  when: string,
): Promise<void> {
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
    const request = `${foreign.method ?? 'request'} ${foreign.path}`
    unlike.push(`${request}: a foreign id got ${beginning(one)}, an unknown one got ${beginning(two)}`)
  })
  figures.note(`${when}foreign ids tried`, pairs.length)
  figures.none(`${when}foreign ids that answered unlike unknown ones`, unlike)
}

function pairsOfRoute(stage: IsolationStage, route: ServedRoute, own: Side): CrossedPair[] {
  if (route.class === 'open') return []
  const identity = [...tenantIdPairs(stage, route, own), ...keyPairs(stage, route, own)]
  return [...identity, ...route.parameters.flatMap((name) => parameterPairs(stage, route, own, name))]
}

/** The other twin's id in a path parameter, everything else being the caller's own. */
function parameterPairs(stage: IsolationStage, route: ServedRoute, own: Side, name: string): CrossedPair[] {
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
  const keys = admitted(stage, route, own)
  const ask = (id: string) => {
    return { ...fill(route, { ...values, params: { ...values.params, [name]: id } }), ...keys }
  }
  return tried.foreign.map((id) => pairOf(ask, id, tried.unknown))
}

/** X-Tenant-ID of the other twin, and of nobody, beside the caller's own key. */
function tenantIdPairs(stage: IsolationStage, route: ServedRoute, own: Side): CrossedPair[] {
  if (!route.class.startsWith('api')) return []
  const { own: asker, other } = castOf(stage, own)
  const request = { ...fill(route, existingValues(route, asker)), ...admitted(stage, route, own) }
  const ask = (tenantId: string) => ({ ...request, tenantId })
  return [pairOf(ask, other.tenantId, stage.twins.nobody.tenantId)]
}

/** A guessed secret tells nothing about whether the key exists, whether it lives, or whose it is. */
function keyPairs(stage: IsolationStage, route: ServedRoute, own: Side): CrossedPair[] {
  const { own: asker, other, admin } = castOf(stage, own)
  const known = route.class === 'api' ? [other.key, other.expiredKey, other.revokedKey] : [other.key, admin]
  const request = fill(route, existingValues(route, asker))
  return known.map((key) => ({
    foreign: { ...request, bearer: withWrongSecret(key) },
    unknown: { ...request, bearer: unknownKey(key === admin ? 'a' : 't') },
    ids: ['', ''],
  }))
}

/** A name that the other twin has taken is as free as any: a conflict would tell that it is taken. */
async function scopeNamePair(stage: IsolationStage, own: Side): Promise<CrossedPair> {
  const { own: asker, other, admin } = castOf(stage, own)
  const taken = `bait-${freshCanary()}`
  const create = (tenantKey: string, scope_id: string) => {
    return { path: '/admin/scopes', bearer: admin, tenantKey, body: { scope_id } }
  }
  await stage.seed(create(other.key, taken))
  return pairOf((id) => create(asker.key, id), taken, `bait-${freshCanary()}`)
}

function beginning({ status, text }: HttpResponse): string {
  return `${status} ${text.slice(0, 120)}`
}

/** Headers that differ from one response to the next for reasons of its own. */
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

function comparable({ status, headers, text }: HttpResponse, id: string): unknown {
  const [, made = ''] = /"document_id":"([^"]+)"/.exec(text) ?? []
  // The id that was asked for, and one that the service made up, stand for themselves.
  const anonymous = (value: string) =>
    [id, encodeURIComponent(id), made].reduce(
      (sum, each, at) => (each === '' ? sum : sum.replaceAll(each, `{${at}}`)),
      value,
    )
  const isJson = /json/.test(headers.get('content-type') ?? '')
  return {
    status,
    headers: [...headers].flatMap(([name, value]) =>
      INDIVIDUAL.has(name) ? [] : [[name, anonymous(value)]],
    ),
    body: isJson ? withoutIndividual(JSON.parse(anonymous(text))) : anonymous(text),
  }
}

function withoutIndividual(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIndividual)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !INDIVIDUAL.has(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutIndividual(each)]))
}
