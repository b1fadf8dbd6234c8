/** The routes to attack: exactly those that the running service documents, sorted by what they ask of a caller. */
import { readDocument, reportsOnKernel } from '../../harness/openapi.ts'
import type { OpenapiOperation } from '../../harness/openapi.ts'

/** The class of a route; each is a column, or three, of the table of expectations. */
export type RouteClass =
  | 'open'
  | 'api'
  | 'api + tenant id'
  | 'admin'
  | 'admin + tenant key'
  | 'admin + optional tenant key'
  | 'internals'
  | 'internals + tenant key'

export interface ServedRoute {
  readonly operation: string
  readonly method: string
  /** With `{parameters}`. */
  readonly path: string
  readonly parameters: readonly string[]
  readonly class: RouteClass
  /** The one status of an answer to whoever is admitted, while the attacks last. */
  readonly success: number
  /** The successes of a route that makes what is not there yet. */
  readonly otherSuccesses: readonly number[]
  /** Which query parameters it knows. */
  readonly query: readonly string[]
  /** Which headers it reads beyond credentials. */
  readonly headers: readonly string[]
  readonly hasBody: boolean
  /** Its success is an event stream. */
  readonly isStream: boolean
}

const TENANT_ID = 'X-Tenant-ID'

/** Deprecated aliases stand in the document as paths of their own, so they come along by themselves. */
export function servedRoutes(openApi: unknown): ServedRoute[] {
  return readDocument(openApi).operations.map((operation) => {
    const { id, method, path, parameters, body, answers } = operation
    const [success = 0, ...others] = [...answers.keys()].filter((status) => status < 300)
    const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name)
    return {
      operation: id,
      method,
      path,
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
      class: classify(operation),
      success: reportsOnKernel(operation) ? 503 : success,
      otherSuccesses: others,
      query: namesIn('query'),
      headers: namesIn('header').filter((name) => name !== TENANT_ID),
      hasBody: body !== undefined,
      isStream: answers.get(success)?.contents.has('text/event-stream') ?? false,
    }
  })
}

const CLASSES: Readonly<Record<string, RouteClass>> = {
  '/api: BearerAuth | TenantApiKey': 'api',
  '/api: BearerAuth | TenantApiKey, X-Tenant-ID': 'api + tenant id',
  '/admin: BearerAuth': 'admin',
  '/admin: BearerAuth + TenantApiKey': 'admin + tenant key',
  '/admin: BearerAuth | BearerAuth + TenantApiKey': 'admin + optional tenant key',
  '/internals: BearerAuth': 'internals',
  '/internals: BearerAuth + TenantApiKey': 'internals + tenant key',
}

/** A route that asks for something else needs a column of its own, written down by hand. */
function classify({ id, path, security, parameters }: OpenapiOperation): RouteClass {
  if (security.length === 0) return 'open'
  const keys = security.map((schemes) => schemes.join(' + ')).join(' | ')
  const needsTenantId = parameters.some((each) => each.name === TENANT_ID && each.required)
  const needs = needsTenantId ? `${keys}, ${TENANT_ID}` : keys
  const found = CLASSES[`/${path.split('/')[1]}: ${needs}`]
  if (found) return found
  throw new Error(
    `${id} (${path}) asks for ${needs}, for which the table of expectations has no column; ` +
      `add one to expectations.ts and a class to routes.ts.`,
  )
}
