/** The served document as the client sees it: one record an operation, with all that is needed to call it. */
import { referredName } from './type-text.ts'
import type { WrittenSchema } from './type-text.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema?: WrittenSchema
  /** Instead of the schema, where the value is written as JSON. */
  readonly content?: { readonly 'application/json': { readonly schema: WrittenSchema } }
  readonly description?: string
}

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: StreamSchema }>>
  readonly 'x-problem-codes'?: readonly string[]
}

interface StreamSchema extends WrittenSchema {
  readonly contentSchema?: WrittenSchema
}

interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    /** JSON, or the media types of a file. */
    readonly content: Readonly<Record<string, { readonly schema: WrittenSchema }>>
  }
  readonly responses: Readonly<Record<string, Response>>
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, WrittenSchema>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

/** The part that the client reads out of an answer. */
export type OperationReading = 'json' | 'text' | 'events' | 'file'

export interface ServedOperation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly deprecated: boolean
  /** Whose key is the bearer credential; nobody's where none is needed. */
  readonly bearer: 'nobody' | 'tenant' | 'admin' | 'internals'
  /** Whether the key of the tenant goes beside it. */
  readonly tenantKey: 'no' | 'beside' | 'with scope_id'
  readonly tenantId: boolean
  readonly params: WrittenSchema
  readonly query: WrittenSchema
  /** A request with the Idempotency-Key of an earlier one gets the first answer again. */
  readonly takesIdempotencyKey: boolean
  /** Undefined for a body that is a file. */
  readonly body: { readonly schema: WrittenSchema; readonly required: boolean } | undefined
  /** The body is a file. */
  readonly file: boolean
  readonly reads: OperationReading
  /** Statuses that are an answer and no problem. */
  readonly answers: readonly number[]
  readonly answer: WrittenSchema
  /** The items, where the answer is a page of a list. */
  readonly item: WrittenSchema | undefined
  /** May answer that nothing changed. */
  readonly conditional: boolean
  readonly problems: readonly string[]
}

export function servedOperations(document: OpenApi): ServedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => servedOperation(document, path, method, described)),
  )
}

function servedOperation(
  document: OpenApi,
  path: string,
  method: string,
  described: DescribedOperation,
): ServedOperation {
  const { reads, answers, answer } = answersOf(described)
  const body = described.requestBody
  const json = body?.content['application/json']
  return {
    name: described.operationId,
    method: method.toUpperCase(),
    path,
    summary: described.summary,
    description: described.description,
    deprecated: described.deprecated ?? false,
    ...credentialsOf(described),
    params: parametersIn(described, 'path'),
    query: parametersIn(described, 'query'),
    takesIdempotencyKey: 'Idempotency-Key' in (parametersIn(described, 'header').properties ?? {}),
    body: json && { schema: json.schema, required: body?.required ?? false },
    file: body !== undefined && json === undefined,
    reads,
    answers,
    answer,
    item: itemOf(document, answer),
    conditional: described.responses['304'] !== undefined,
    problems: problemsOf(document, described),
  }
}

function credentialsOf({ security, tags, parameters }: DescribedOperation) {
  const [tier = ''] = tags
  const tenantId = parameters.some((each) => each.name === 'X-Tenant-ID' && each.required)
  if (security.length === 0) return { bearer: 'nobody', tenantKey: 'no', tenantId } as const
  if (tier === 'Public') return { bearer: 'tenant', tenantKey: 'no', tenantId } as const
  const withKey = security.filter((each) => 'TenantApiKey' in each).length
  const tenantKey = withKey === 0 ? 'no' : withKey === security.length ? 'beside' : 'with scope_id'
  return { bearer: tier === 'Internals' ? 'internals' : 'admin', tenantKey, tenantId } as const
}

function parametersIn({ parameters }: DescribedOperation, place: 'path' | 'query' | 'header'): WrittenSchema {
  const found = parameters.filter((each) => each.in === place)
  return {
    properties: Object.fromEntries(found.map((each) => [each.name, schemaOf(each)])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  }
}

function schemaOf({ name, schema, content }: Parameter): WrittenSchema {
  const found = schema ?? content?.['application/json'].schema
  if (!found) throw new Error(`The parameter ${name} has no schema.`)
  return found
}

/** Every answer of an operation has the same shape; what differs is its status. */
function answersOf({ operationId, responses }: DescribedOperation) {
  const found = Object.entries(responses).flatMap(([status, { content }]) => {
    const media = Object.keys(content ?? {}).find((each) => each !== 'application/problem+json')
    const schema = media === undefined ? undefined : content?.[media]?.schema
    return schema ? [{ status: Number(status), media, schema }] : []
  })
  const [first] = found
  if (!first) throw new Error(`${operationId} answers nothing.`)
  const answers = found.map(({ status }) => status)
  const different = found.find(({ schema }) => JSON.stringify(schema) !== JSON.stringify(first.schema))
  const choices = { anyOf: found.map(({ schema }) => schema) }
  const media = Object.keys(responses['200']?.content ?? {})
  const forms = media.filter((each) => each !== 'application/problem+json')
  if (forms.length > 1 || first.media === 'application/x-ndjson')
    return { reads: 'file', answers, answer: { type: 'string', format: 'binary' } } as const
  if (first.media === 'text/event-stream')
    return { reads: 'events', answers, answer: first.schema.contentSchema ?? {} } as const
  if (first.media === 'text/html') return { reads: 'text', answers, answer: first.schema } as const
  return { reads: 'json', answers, answer: different ? choices : first.schema } as const
}

function itemOf({ components }: OpenApi, answer: WrittenSchema): WrittenSchema | undefined {
  const { properties = {} } = answer.$ref ? (components.schemas[referredName(answer.$ref)] ?? {}) : answer
  return properties['next_cursor'] && properties['items']?.items
}

/** Those that are about what was asked for: what any request can meet is told once, elsewhere. */
function problemsOf({ components }: OpenApi, { responses }: DescribedOperation): string[] {
  return ['404', '409', '422'].flatMap((status) => {
    const { $ref } = responses[status] ?? {}
    const meant = $ref
      ? components.responses[$ref.slice('#/components/responses/'.length)]
      : responses[status]
    return (meant?.['x-problem-codes'] ?? []).filter((code) => !common.has(code))
  })
}

const common = new Set(['not_found', 'validation_failed'])
