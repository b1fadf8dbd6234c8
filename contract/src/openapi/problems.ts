/** Which problems an operation can answer with, and how the document says so. */
import { limitsOf } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { problemCodes, problems, type ProblemCode } from '../problems.ts'
import { Problem } from '../schemas/problem.ts'
import type { Components, Json } from './components.ts'
import { problemHeaders } from './headers.ts'

const always = [
  'malformed_request',
  'duplicate_header',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies readonly ProblemCode[]

const withCredential = [
  'credential_missing',
  'credential_invalid',
  'credential_expired',
  'credential_revoked',
  'wrong_tier',
] as const satisfies readonly ProblemCode[]

const byTier = {
  open: [],
  public: ['credentials_conflict', 'gateway_signature_invalid', 'tenant_mismatch'],
  admin: ['no_root_key'],
  internals: ['no_root_key'],
} as const satisfies Record<Operation['tier'], readonly ProblemCode[]>

/** The problems of every method that may carry a body, even where the operation wants none. */
const withBody = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[]

/** All codes that the operation can answer with, in the order of the table. */
export function problemsOf(operation: Operation): readonly ProblemCode[] {
  const possible = new Set<string>([
    ...always,
    ...(needsCredential(operation) ? [...withCredential, ...byTier[operation.tier]] : []),
    ...(operation.method === 'GET' ? [] : withBody.filter((code) => isPossible(operation, code))),
    ...(readsInput(operation) ? ['validation_failed'] : []),
    ...beyondLimits(operation),
    ...operation.problems,
  ])
  return problemCodes.filter((code) => possible.has(code))
}

/** A body that is a file is not parsed. */
function isPossible({ bodyMediaTypes }: Operation, code: ProblemCode): boolean {
  return bodyMediaTypes === undefined || code !== 'malformed_json'
}

export function needsCredential(operation: Operation): boolean {
  return operation.tier !== 'open' && operation.anonymous !== true
}

/** That too many requests are refused is true of every route: whoever tries out keys is told so, too. */
function beyondLimits(operation: Operation): readonly ProblemCode[] {
  const { tenant, stream, body, queue, shed } = limitsOf(operation)
  return [
    ...(tenant ? ([stream ? 'too_many_streams' : 'too_many_requests_at_once'] as const) : []),
    ...(tenant && body ? (['byte_rate_exceeded'] as const) : []),
    ...(queue ? (['queue_quota_exceeded', 'queue_full'] as const) : []),
    ...(shed ? (['overloaded'] as const) : []),
  ]
}

/** A body where none is wanted is refused as well. */
function readsInput({ method, params, query, requestHeaders }: Operation): boolean {
  return method !== 'GET' || [params, query, requestHeaders].some((each) => each !== undefined)
}

/** One response a status, each listing its codes. */
export function problemResponses(operation: Operation, components: Components): Map<number, Json> {
  const byStatus = Map.groupBy(problemsOf(operation), (code) => problems[code].status)
  return new Map(
    [...byStatus].map(([status, codes]) => [
      status,
      components.response(responseName(status, codes), () => problemResponse(status, codes, components)),
    ]),
  )
}

/** Short where the response has only what is common to all, otherwise with what sets it apart. */
function responseName(status: number, codes: readonly ProblemCode[]): string {
  const common = new Set<string>([...always, ...withCredential, ...withBody, 'validation_failed'])
  common.delete('malformed_json')
  return [`Problem${status}`, ...codes.filter((code) => !common.has(code))].join('.')
}

function problemResponse(status: number, codes: readonly ProblemCode[], components: Components): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n\n'),
    headers: problemHeaders(status),
    content: { 'application/problem+json': problemContent(codes, components) },
    'x-problem-codes': codes,
  }
}

export function problemContent(codes: readonly ProblemCode[], components: Components): Json {
  return {
    schema: components.schema(Problem, 'output'),
    examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
  }
}

function exampleOf(code: ProblemCode): Json {
  return {
    type: `/problems/${code}`,
    ...problems[code],
    instance: 'urn:concord:request:b7c1f0a2-4d3e-4f6b-9a85-0c2d1e3f4a5b',
    code,
    request_id: 'b7c1f0a2-4d3e-4f6b-9a85-0c2d1e3f4a5b',
    ...(code === 'validation_failed' && {
      errors: [{ pointer: '#/name', code: 'too_short', message: 'Send at least 1 character.' }],
    }),
  }
}
