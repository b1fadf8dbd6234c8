/** One request of an attack: who asks what, in which way, and what must come of it. */
import type { Header, HttpRequest } from '../../harness/http.ts'
import { credentialHeaders, REPLAYED } from './credentials.ts'
import type { Cast } from './credentials.ts'
import type { ExpectedOutcome } from './expectations.ts'
import { findForeign, NOTHING, showsOwn } from './foreign.ts'
import type { ForeignSight } from './foreign.ts'
import type { ServedRoute } from './routes.ts'
import { untilAvailable } from './service.ts'
import type { ProvedAuthMode } from './service.ts'
import type { IsolationStage } from './stage.ts'
import type { Side } from './twin-documents.ts'
import type { Twin } from './twins.ts'

/** The values of a request, before anybody has shown a credential with it. */
export interface Values {
  readonly params: Readonly<Record<string, string>>
  /** Without the question mark. */
  readonly query?: string
  /** Beyond credentials. */
  readonly headers?: readonly Header[]
  readonly body?: unknown
}

export interface Attempt {
  readonly route: ServedRoute
  readonly mode: ProvedAuthMode
  /** A row of the table of expectations. */
  readonly kind: string
  readonly values: Values
  /** Which of the twins asks; the other one is the victim. */
  readonly own: Side
  /** Which process is asked. */
  readonly replica: number
}

export async function attack(stage: IsolationStage, attempt: Attempt) {
  const { route, mode, kind, replica } = attempt
  const cast = castOf(stage, attempt.own)
  const outcome = stage.expectations.outcome(kind, { class: route.class, mode })
  const bare = fill(route, attempt.values)
  let request = bare
  const response = await untilAvailable(async () => {
    request = { ...bare, headers: [...bare.headers, ...credentialHeaders(kind, cast, bare)] }
    // On the other process: what one has seen, all must know. Where nothing is signed, nothing is replayed.
    if (kind === REPLAYED && mode === 'trusted-gateway') await stage.send(mode, replica + 1, request)
    return stage.send(mode, replica, request)
  })
  const proven = provenTenant(cast, outcome)
  return {
    outcome,
    response,
    foreign: findForeign(stage.twins, sightOf(stage, attempt, outcome, proven), request, response),
    /** The caller was admitted as a tenant and saw content of that tenant. */
    sawOwn: proven !== undefined && showsOwn(proven, response),
  }
}

export function castOf(stage: IsolationStage, own: Side): Cast {
  const { left, right, nobody } = stage.twins
  const [asker, victim] = own === 'left' ? [left, right] : [right, left]
  return {
    ...stage.rootKeys,
    own: asker,
    other: victim,
    noTenantId: nobody.tenantId,
    gatewaySecret: stage.gatewaySecret,
    strangeSecret: stage.strangeSecret,
  }
}

/** The path with its values, percent-encoded, and the body as text. */
export function fill(
  route: ServedRoute,
  { params, query, headers = [], body }: Values,
): HttpRequest & { readonly headers: readonly Header[] } {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return {
    method: route.method,
    path: query ? `${path}?${query}` : path,
    headers,
    ...(body !== undefined && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    ...(route.isStream && { awaitsEvent: beginsAtTheStart(query, headers) }),
  }
}

/** Every log has an event: the first one tells that its scope was made. */
function beginsAtTheStart(query: string | undefined, headers: readonly Header[]): boolean {
  const [, last] = headers.find(([name]) => name === 'Last-Event-ID') ?? []
  return last === undefined
    ? (query ?? '').split('&').some((each) => /^after=0\b/.test(each))
    : /^0\b/.test(last)
}

/** For people: enough to repeat the request, no secrets. */
export function describeAttempt({ route, mode, kind, values, own }: Attempt): string {
  const { path, headers } = fill(route, values)
  const body = values.body === undefined ? '' : ` ${JSON.stringify(values.body).slice(0, 200)}`
  const shown = headers.map((header) => ` ${header.join(': ')}`).join('')
  return `${route.method} ${path}${shown} [${mode}; ${own} shows "${kind}"]${body}`
}

export function provenTenant({ own, other }: Cast, outcome: ExpectedOutcome): Twin | undefined {
  if (outcome === 'own') return own
  return outcome === 'other' ? other : undefined
}

/**
 * An administrator may see names; what a tenant may see is its content; what an operator may see of all scopes
 * is ids. None sees the others' part.
 */
function sightOf(
  { twins }: IsolationStage,
  { route, values }: Attempt,
  outcome: ExpectedOutcome,
  proven: Twin | undefined,
): ForeignSight {
  if (typeof outcome === 'number') return NOTHING
  if (proven) {
    const own = [proven]
    return { ...NOTHING, tenantIds: own, deciders: own, ids: own, content: own }
  }
  const both = [twins.left, twins.right]
  if (route.operation === 'listTenants') return { ...NOTHING, tenantIds: both, names: both }
  // An operator sees where things happen and how settled scopes are, of everybody; never what is in them.
  if (route.class === 'internals' && (route.isStream || route.operation.startsWith('getKernelConvergence')))
    return { ...NOTHING, tenantIds: both, ids: both }
  const named = both.filter(({ tenantId }) => tenantId === values.params['tenantId'])
  return route.class === 'admin'
    ? { ...NOTHING, tenantIds: named, names: named, keys: named, deciders: named }
    : NOTHING
}
