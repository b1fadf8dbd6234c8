/** Turns errors into problem documents (RFC 9457), including Fastify's own errors. */
import { problems } from '@concord/contract'
import type { FieldFault, ProblemCode } from '@concord/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../domain/fault.ts'
import { isUnavailable } from '../app/failures.ts'
import { MalformedJson } from './json-body.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: ProblemCode
  readonly request_id: string
  readonly errors?: readonly FieldFault[]
}

export interface ProblemPlace {
  /** The prefix of the `type` URLs. Empty for URLs relative to this service. */
  readonly publicUrl: string
  readonly requestId: string
}

/** The instance names this occurrence; the path would repeat what the caller sent, unescaped and unbounded. */
export function problemDocument(
  code: ProblemCode,
  { publicUrl, requestId }: ProblemPlace,
  errors?: readonly FieldFault[],
  reason?: string,
): ProblemDocument {
  const { title, status, detail } = problems[code]
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    detail: reason === undefined ? detail : `${detail} The reason here: ${reason}.`,
    instance: `urn:concord:request:${requestId}`,
    code,
    request_id: requestId,
    ...(errors && { errors }),
  }
}

/** Maps an unknown error to a problem code. The response contains nothing else of it; the log has the rest. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  if (error instanceof MalformedJson) return new Fault('malformed_json', { reason: error.message })
  if (isUnavailable(error)) return new Fault('unavailable', { cause: error })
  const code = FRAMEWORK_CODES[frameworkCode(error)]
  if (code) return new Fault(code, { cause: error })
  return new Fault('internal_error', { cause: error })
}

/** Returns the problem of one entry of a batch, as a part of the response. */
export function toProblemRecord(error: unknown, place: ProblemPlace) {
  const { code, fields } = toFault(error)
  const problem = problemDocument(code, place, fields)
  return { ...problem, errors: fields && [...fields] }
}

export function sendProblem(reply: FastifyReply, fault: Fault, place: ProblemPlace): FastifyReply {
  const document = problemDocument(fault.code, place, fault.fields, fault.reason)
  // @point http.send.problem
  return reply
    .code(document.status)
    .headers({ ...standardHeaders(document.status), ...fault.headers })
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(document))
}

/** Logs one line per error: at level info for errors of the caller, at level error for ours. */
export function logFault(request: FastifyRequest, fault: Fault): void {
  const entry = { code: fault.code, reason: fault.message }
  if (problems[fault.code].status < 500) request.log.info(entry, 'request refused')
  else request.log.error({ ...entry, err: fault.cause ?? fault }, 'request failed')
}

function standardHeaders(status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer realm="concord"' }
  if (status === 503) return { 'retry-after': '2' }
  return {}
}

const FRAMEWORK_CODES: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_NOT_FOUND: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_HTTP2_INVALID_VERSION: 'malformed_request',
}

function frameworkCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
