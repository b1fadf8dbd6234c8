/** The routes to attack: exactly those that the running service documents, sorted by what they ask of a caller. */
/** What a route asks for; each is a column, or three, of the table of expectations. */
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
  /** Of a route that makes what is not there yet. */
  readonly otherSuccesses: readonly number[]
  /** Which query parameters it knows. */
  readonly query: readonly string[]
  /** Which headers it reads beyond credentials. */
  readonly headers: readonly string[]
  readonly hasBody: boolean
  /** Its success is an event stream. */
  readonly isStream: boolean
}

interface DocumentedOperation {
  readonly operationId: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean }[]
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

/** Deprecated aliases stand in the document as paths of their own, so they come along by themselves. */
export function servedRoutes({ paths }: OpenApi): ServedRoute[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => describe(path, method.toUpperCase(), operation)),
  )
}

function describe(path: string, method: string, operation: DocumentedOperation): ServedRoute {
  const { operationId, parameters = [], requestBody, responses } = operation
  const [success = '', ...others] = Object.keys(responses).filter((status) => status.startsWith('2'))
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name)
  return {
    operation: operationId,
    method,
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    class: classify(path, operation),
    success: TELLS_OF_THE_KERNEL.has(operationId) ? 503 : Number(success),
    otherSuccesses: others.map(Number),
    query: namesIn('query'),
    headers: namesIn('header').filter((name) => name !== TENANT_ID),
    hasBody: requestBody !== undefined,
    isStream: 'text/event-stream' in (responses[success]?.content ?? {}),
  }
}

const TENANT_ID = 'X-Tenant-ID'

/** No dispatcher and no worker run while the attacks last, and these say so. */
const TELLS_OF_THE_KERNEL: ReadonlySet<string> = new Set([
  'getKernelHealth',
  'getControlPlaneHealth',
  'getControlPlaneHealthDeprecated',
  'getAdminControlPlaneHealth',
])

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
function classify(
  path: string,
  { operationId, security = [], parameters = [] }: DocumentedOperation,
): RouteClass {
  if (security.length === 0) return 'open'
  const keys = security.map((alternative) => Object.keys(alternative).join(' + ')).join(' | ')
  const needsTenantId = parameters.some((each) => each.name === TENANT_ID && each.required === true)
  const needs = needsTenantId ? `${keys}, ${TENANT_ID}` : keys
  const found = CLASSES[`/${path.split('/')[1]}: ${needs}`]
  if (found) return found
  throw new Error(
    `${operationId} (${path}) asks for ${needs}, for which the table of expectations has no column; ` +
      `add one to expectations.ts and a class to routes.ts.`,
  )
}
