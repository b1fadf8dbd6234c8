/** The request of an operation: parameters, body and credentials. */
import type { z } from 'zod'
import { defaultBodyLimit, type Operation } from '../operation.ts'
import type { Components, Json } from './components.ts'
import { needsCredential } from './problems.ts'

export const securitySchemes: Json = {
  BearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key of the tier: an internals key on /internals, an admin or internals key on /admin, a tenant key on /api.',
  },
  TenantApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Tenant-API-Key',
    description:
      'The key of the tenant whose data is meant. On /api it may be sent here instead of as bearer.',
  },
}

/** Alternatives; the schemes within one are needed together. */
export function securityOf(operation: Operation): readonly Json[] {
  if (!needsCredential(operation)) return []
  const bearer = { BearerAuth: [] }
  const both = { BearerAuth: [], TenantApiKey: [] }
  if (operation.tier === 'public') return [bearer, { TenantApiKey: [] }]
  if (operation.tenantKeyOptional) return [bearer, both]
  return [operation.tenantKey ? both : bearer]
}

export function parametersOf(operation: Operation, components: Components): readonly Json[] {
  return [
    ...parametersIn('path', operation.params, components),
    ...parametersIn('query', operation.query, components),
    ...headerParameters(operation, components),
  ]
}

function parametersIn(place: string, schema: z.ZodType | undefined, components: Components): readonly Json[] {
  if (!schema) return []
  const { properties, required } = components.schema(schema, 'input') as {
    readonly properties?: Readonly<Record<string, Json>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties ?? {}).map(([name, each]) => ({
    name,
    in: place,
    required: required?.includes(name) ?? false,
    description: components.descriptionOf(each),
    ...(takesSeveral(each) && { style: 'form', explode: false }),
    // An object stands in its parameter as JSON.
    ...(each['type'] === 'object' ? { content: { 'application/json': { schema: each } } } : { schema: each }),
  }))
}

/** Several values stand in one parameter with commas between. */
function takesSeveral({ anyOf }: Json): boolean {
  return Array.isArray(anyOf) && anyOf.some((choice: Json) => choice['type'] === 'array')
}

function headerParameters(operation: Operation, components: Components): readonly Json[] {
  const optional = Object.entries(operation.requestHeaders ?? {}).map(([name, header]) => {
    const schema = components.schema(header, 'input')
    return { name, in: 'header', required: false, description: components.descriptionOf(schema), schema }
  })
  return [
    ...(operation.tier === 'public' && needsCredential(operation) ? [tenantIdParameter(operation)] : []),
    ...optional,
    ...(operation.conditional ? [ifNoneMatch] : []),
  ]
}

function tenantIdParameter(operation: Operation): Json {
  return {
    name: 'X-Tenant-ID',
    in: 'header',
    required: operation.tenantIdRequired ?? false,
    description: 'The tenant_id of the tenant whose key is sent.',
    // Any string: one that names no tenant is refused like one that names another.
    schema: { type: 'string', examples: ['6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66'] },
  }
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the answer you have.',
  schema: { type: 'string' },
}

const FILE_SCHEMA: Json = { type: 'string', format: 'binary', description: 'The file as it is.' }

export function requestBodyOf(operation: Operation, components: Components): Json {
  if (!operation.body) return {}
  const limit = operation.bodyLimit ?? defaultBodyLimit
  if (operation.bodyMediaTypes) {
    const content = operation.bodyMediaTypes.map((type) => [type, { schema: FILE_SCHEMA }])
    return {
      requestBody: {
        description: `The bytes of the file, at most ${limit}.`,
        required: true,
        content: Object.fromEntries(content),
        'x-max-bytes': limit,
      },
    }
  }
  return {
    requestBody: {
      description: `At most ${limit} bytes of JSON in UTF-8.`,
      required: operation.bodyOptional !== true,
      content: { 'application/json': { schema: components.schema(operation.body, 'input') } },
      'x-max-bytes': limit,
    },
  }
}
