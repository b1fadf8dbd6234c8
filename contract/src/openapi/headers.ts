/** The response headers of the document: those every answer has, and those a status or an alias adds. */
import { deprecationHeaders } from '../deprecation.ts'
import { limitsOf } from '../limits.ts'
import type { DeprecatedAlias, Operation } from '../operation.ts'
import type { Json } from './components.ts'

export const headerComponents: Json = {
  RequestId: {
    description:
      'The X-Request-Id that was sent, or one made for this request. Quote it when you report a fault.',
    required: true,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'What is left of a limit of the tenant and in how many seconds it is whole again ' +
      '(draft-ietf-httpapi-ratelimit-headers); of the one that was met, where the answer is 429.',
    schema: { type: 'string', examples: ['"requests";r=19800;t=1'] },
  },
  RateLimitPolicy: {
    description: 'The limits that this request counts against: quota `q` in the window `w` of seconds.',
    schema: { type: 'string', examples: ['"requests";q=20000;w=2'] },
  },
  WwwAuthenticate: {
    description: 'The scheme of the credential that is asked for.',
    schema: { type: 'string', examples: ['Bearer'] },
  },
  Allow: {
    description: 'The methods that this path has.',
    required: true,
    schema: { type: 'string', examples: ['GET, HEAD, POST'] },
  },
}

const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const rateLimit = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
}

const byStatus: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } },
  405: { Allow: { $ref: '#/components/headers/Allow' } },
  429: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' }, ...rateLimit },
  503: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
}

export function problemHeaders(status: number): Json {
  return { ...requestId, ...byStatus[status] }
}

export function answerHeaders(operation: Operation, status: number, alias?: DeprecatedAlias): Json {
  return {
    ...problemHeaders(status),
    ...(status < 300 && describeEach(operation.answerHeaders ?? {}, status)),
    ...(status < 400 && limitsOf(operation).tenant && rateLimit),
    ...(operation.conditional && { ETag: { description: 'Names this state of the answer.', schema: text } }),
    ...(alias && describeDeprecation(operation, alias)),
  }
}

const text = { type: 'string' }

/** A created thing has an address, so 201 and 202 always carry one. */
function describeEach(headers: Readonly<Record<string, string>>, status: number): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, ...(name === 'Location' && status !== 200 && { required: true }), schema: text },
    ]),
  )
}

function describeDeprecation(operation: Operation, alias: DeprecatedAlias): Json {
  const { Deprecation, Sunset, Link } = deprecationHeaders(operation, alias)
  return {
    Deprecation: constant('Since when this path is deprecated (RFC 9745).', Deprecation),
    Sunset: constant('When it stops working (RFC 8594).', Sunset),
    Link: constant('What to use instead.', Link),
  }
}

function constant(description: string, value: string): Json {
  return { description, required: true, schema: { type: 'string', const: value } }
}
