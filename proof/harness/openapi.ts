/** Reads the served OpenAPI document into what an attack needs: operations, what they take, what they may answer. */
import { escapePart, lookUp, resolverOf } from './openapi/schema.ts'
import type { Resolve, Schema } from './openapi/schema.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  /** Where the schema stands in the document. */
  readonly pointer: string
}

export interface RequestBody {
  readonly required: boolean
  readonly schema: Schema
  readonly pointer: string
  readonly maxBytes: number
}

export interface DocumentedAnswer {
  /** Media type to the place of its schema. Empty when the answer has no body. */
  readonly contents: ReadonlyMap<string, string>
  readonly problemCodes: ReadonlySet<string>
  readonly requiredHeaders: readonly string[]
}

export interface OpenapiOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  /** Alternatives; the schemes within one are needed together. */
  readonly security: readonly (readonly string[])[]
  readonly answers: ReadonlyMap<number, DocumentedAnswer>
}

export interface ServedDocument {
  readonly json: unknown
  readonly operations: readonly OpenapiOperation[]
  readonly resolve: Resolve
}

interface RawParameter extends Omit<Parameter, 'pointer' | 'schema'> {
  readonly schema?: Schema
  /** Instead of the schema, where the value is written as JSON. */
  readonly content?: { readonly 'application/json': { readonly schema: Schema } }
}

interface RawOperation {
  readonly operationId: string
  readonly parameters?: readonly RawParameter[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
    readonly 'x-max-bytes'?: number
  }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly responses: Readonly<Record<string, RawAnswer>>
}

interface RawAnswer {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly required?: boolean }>>
  readonly 'x-problem-codes'?: readonly string[]
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'])
/** Where an operation does not say: what a server takes at the least. */
const USUAL_MAX_BYTES = 16_384

export function readDocument(json: unknown): ServedDocument {
  const { paths } = json as { paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>> }
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, raw]) => readOperation(json, path, method, raw)),
  )
  return { json, operations, resolve: resolverOf(json) }
}

function readOperation(json: unknown, path: string, method: string, raw: RawOperation): OpenapiOperation {
  const place = `#/paths/${escapePart(path)}/${method}`
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    parameters: (raw.parameters ?? []).map((each, index) =>
      readParameter(each, `${place}/parameters/${index}`),
    ),
    body: readBody(raw, place),
    security: (raw.security ?? []).map((alternative) => Object.keys(alternative)),
    answers: new Map(
      Object.entries(raw.responses).map(([status, answer]) => [
        Number(status),
        readAnswer(json, answer, `${place}/responses/${status}`),
      ]),
    ),
  }
}

function readParameter({ schema, content, ...rest }: RawParameter, place: string): Parameter {
  if (schema) return { ...rest, schema, pointer: `${place}/schema` }
  const json = content?.['application/json']
  if (!json) throw new Error(`The parameter at ${place} has no schema.`)
  return { ...rest, schema: json.schema, pointer: `${place}/content/application~1json/schema` }
}

function readBody({ requestBody }: RawOperation, place: string): RequestBody | undefined {
  const schema = requestBody?.content['application/json']?.schema
  if (!requestBody || !schema) return undefined
  return {
    required: requestBody.required ?? false,
    schema,
    pointer: `${place}/requestBody/content/application~1json/schema`,
    maxBytes: requestBody['x-max-bytes'] ?? USUAL_MAX_BYTES,
  }
}

/** No dispatcher and no worker run during an attack, so these reports on them answer 503, and that is right. */
const KERNEL_REPORTS: ReadonlySet<string> = new Set([
  'getKernelHealth',
  'getControlPlaneHealth',
  'getControlPlaneHealthDeprecated',
  'getAdminControlPlaneHealth',
])

export function reportsOnKernel({ id }: Pick<OpenapiOperation, 'id'>): boolean {
  return KERNEL_REPORTS.has(id)
}

function readAnswer(json: unknown, raw: RawAnswer, place: string): DocumentedAnswer {
  if (raw.$ref !== undefined) return readAnswer(json, lookUp(json, raw.$ref) as RawAnswer, raw.$ref)
  return {
    contents: new Map(
      Object.keys(raw.content ?? {}).map((type) => [type, `${place}/content/${escapePart(type)}/schema`]),
    ),
    problemCodes: new Set(raw['x-problem-codes']),
    requiredHeaders: Object.entries(raw.headers ?? {})
      .filter(([, header]) => isRequired(json, header))
      .map(([name]) => name.toLowerCase()),
  }
}

function isRequired(json: unknown, header: { readonly $ref?: string; readonly required?: boolean }): boolean {
  if (header.$ref === undefined) return header.required === true
  return (lookUp(json, header.$ref) as { readonly required?: boolean }).required === true
}
