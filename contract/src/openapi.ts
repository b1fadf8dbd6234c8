/** The OpenAPI 3.1 document, built from nothing but the operations: the same rows give the same document. */
import { keysOf } from './keys.ts'
import type { DeprecatedAlias, Operation, Tier } from './operation.ts'
import { responsesOf } from './openapi/answers.ts'
import { Components, type Json } from './openapi/components.ts'
import { headerComponents } from './openapi/headers.ts'
import { parametersOf, requestBodyOf, securityOf, securitySchemes } from './openapi/request.ts'

/** The version of the wire, not of a release: it moves only when what is sent or answered changes. */
export const contractVersion = '0.1.0'

const tiers: Readonly<Record<Tier, { readonly name: string; readonly description: string }>> = {
  open: { name: 'Open', description: 'No credential is needed.' },
  public: { name: 'Public', description: 'For the applications of a tenant, with its key.' },
  admin: {
    name: 'Admin',
    description: "For administrators; a tenant's data needs the tenant's key as well.",
  },
  internals: { name: 'Internals', description: 'For operators of the service.' },
}

const tierOrder = keysOf(tiers)

const description = `Concord reads the documents of a case, lists what each one claims and where, and which claims contradict each other.

- Every problem is \`application/problem+json\` (RFC 9457) with a \`code\`; \`/problems/{code}\` explains what to do.
- A character is a Unicode code point. U+0000, unpaired surrogates and fields that are not in the schema are refused.
- \`HEAD\` works wherever \`GET\` does: the same status and headers, no body.
- Responses of 2 KiB and more are compressed (\`br\` or \`gzip\`) if \`Accept-Encoding\` allows it, except those with a secret and event streams.
- Values are not coerced: \`"1"\` is not a number.
- Lists are paginated: send \`next_cursor\` of a page as \`cursor\` of the next request, until it is null.
- \`X-Request-Id\` is used if you send one, generated otherwise, and returned with every response.
- Send each credential in its header, once; never in an address.
- \`x-concord-extension\` marks routes beyond the specification, \`x-internal\` marks routes of the operator.`

export interface OpenApiOptions {
  readonly version: string
}

export function openApiDocument(operations: readonly Operation[], { version }: OpenApiOptions): Json {
  const components = new Components()
  const paths = pathsOf(operations, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Concord',
      version,
      summary: 'What each document of a case claims, and which claims contradict each other.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tierOrder
      .filter((tier) => operations.some((each) => each.tier === tier))
      .map((tier) => tiers[tier]),
    paths,
    components: { ...components.toJson(), headers: headerComponents, securitySchemes },
  }
}

interface Entry {
  readonly operation: Operation
  readonly path: string
  readonly alias?: DeprecatedAlias
}

function pathsOf(operations: readonly Operation[], components: Components): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const entry of operations.flatMap(entriesOf).toSorted(compareEntries)) {
    const item = (paths[entry.path] ??= {})
    item[entry.operation.method.toLowerCase()] = describe(entry, components)
  }
  return paths
}

/** An alias is a path of its own in the document, though one route object in the service. */
function entriesOf(operation: Operation): readonly Entry[] {
  const aliases = operation.aliases ?? []
  return [
    { operation, path: operation.path },
    ...aliases.map((alias) => ({ operation, path: alias.path, alias })),
  ]
}

function compareEntries(a: Entry, b: Entry): number {
  const byTier = tierOrder.indexOf(a.operation.tier) - tierOrder.indexOf(b.operation.tier)
  return byTier || compareText(a.path, b.path) || compareText(a.operation.method, b.operation.method)
}

/** By code unit, so that no locale of any machine changes the order. */
function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function describe({ operation, alias }: Entry, components: Components): Json {
  return {
    operationId: alias ? `${operation.name}Deprecated` : operation.name,
    summary: operation.summary,
    description: alias
      ? `Deprecated: use ${operation.path}. ${operation.description}`
      : operation.description,
    tags: [tiers[operation.tier].name],
    ...(alias && { deprecated: true }),
    ...(operation.tier === 'internals' && { 'x-internal': true }),
    ...(operation.extension && { 'x-concord-extension': true }),
    security: securityOf(operation),
    parameters: parametersOf(operation, components),
    ...requestBodyOf(operation, components),
    responses: responsesOf(operation, components, alias),
  }
}
