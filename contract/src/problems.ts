/**
 * The closed table of all problems that a caller can receive (RFC 9457). The detail of each row says what to do next;
 * private detail is never in a response, it is only logged.
 */
import { keysOf } from './keys.ts'

interface ProblemRow {
  readonly status: number
  readonly title: string
  readonly detail: string
}

export const problems = {
  malformed_request: {
    status: 400,
    title: 'The request could not be read',
    detail: 'Send a well-formed HTTP/1.1 request with a valid path and header block.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    detail:
      'Send one JSON value in UTF-8, without duplicate keys, with at most 10,000 keys, nested at most 20 levels deep.',
  },
  duplicate_header: {
    status: 400,
    title: 'A header that must be unique was sent twice',
    detail: 'Send Authorization, X-Tenant-ID, X-Tenant-API-Key and Content-Length at most once each.',
  },
  credentials_conflict: {
    status: 400,
    title: 'Two different tenant keys were sent',
    detail: 'Send the tenant key once: as Authorization: Bearer or as X-Tenant-API-Key.',
  },
  credential_missing: {
    status: 401,
    title: 'A credential is required',
    detail: 'Send the key this route asks for; `errors` names the header that is missing.',
  },
  credential_invalid: {
    status: 401,
    title: 'The credential is not valid',
    detail: 'Check that the whole key was copied, and that it belongs to this deployment.',
  },
  credential_expired: {
    status: 401,
    title: 'The key has expired',
    detail: 'Ask an administrator for a new key; the old one cannot be revived.',
  },
  credential_revoked: {
    status: 401,
    title: 'The key was revoked',
    detail: 'Ask an administrator for a new key; the old one cannot be revived.',
  },
  gateway_signature_invalid: {
    status: 401,
    title: 'The gateway signature is not valid',
    detail:
      'Sign method, path, tenant, body hash, timestamp (within 60 s) and a fresh nonce with the gateway secret.',
  },
  wrong_tier: {
    status: 403,
    title: 'The key belongs to another tier',
    detail: 'Use a tenant key on /api, an admin or internals key on /admin, an internals key on /internals.',
  },
  tenant_mismatch: {
    status: 403,
    title: 'X-Tenant-ID does not name the tenant of the key',
    detail: 'Send the tenant_id that was returned together with this key, or another key.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing here',
    detail: 'Check the path against /openapi.json.',
  },
  tenant_not_found: {
    status: 404,
    title: 'No such tenant',
    detail: 'List the tenants with GET /admin/tenants, or create one with POST /admin/tenants.',
  },
  key_not_found: {
    status: 404,
    title: 'No such key',
    detail: "List the tenant's keys with GET /admin/tenants/{tenantId}/keys.",
  },
  scope_not_found: {
    status: 404,
    title: 'No such scope',
    detail: 'Create the scope with POST /api/scopes, or check the scope_id for a typing mistake.',
  },
  document_not_found: {
    status: 404,
    title: 'No such document',
    detail: "List the scope's documents with GET /api/scopes/{scopeId}/documents, or send it first.",
  },
  contradiction_not_found: {
    status: 404,
    title: 'No such contradiction',
    detail: "List the scope's contradictions with GET /api/scopes/{scopeId}/contradictions.",
  },
  certificate_not_found: {
    status: 404,
    title: 'The scope has no certificate',
    detail: 'Declare the scope settled with POST /api/scopes/{scopeId}/certificate.',
  },
  problem_not_found: {
    status: 404,
    title: 'No such problem code',
    detail: 'Use the code from the `code` field of a problem document.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    detail: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    status: 406,
    title: 'The response is not available in the requested media type',
    detail: 'Accept application/json, or text/event-stream on a stream.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    detail: 'Send the whole request within 15 seconds.',
  },
  scope_exists: {
    status: 409,
    title: 'The scope exists already',
    detail: 'Use the existing scope, or choose another scope_id.',
  },
  key_not_live: {
    status: 409,
    title: 'The key is no longer live',
    detail: 'Only a live key can be rotated; issue a new one instead.',
  },
  too_many_keys: {
    status: 409,
    title: 'The maximum number of live keys is reached',
    detail: 'Revoke a key that is no longer used, then try again.',
  },
  illegal_transition: {
    status: 409,
    title: 'The current state does not allow this operation',
    detail:
      'Check the status of the document or contradiction, or the state of the runtime, and use an operation that it allows; ' +
      'a stopped runtime allows only start and restart.',
  },
  not_settled: {
    status: 409,
    title: 'The scope is not settled',
    detail:
      'Resolve the blockers in `errors`, or wait for unfinished documents; then declare the scope settled again.',
  },
  refused_by_policy: {
    status: 409,
    title: 'Policy does not allow it',
    detail: 'Fulfil what the policies in `errors` require, or have an administrator change them.',
  },
  text_not_found: {
    status: 404,
    title: 'The document has no such text',
    detail:
      'Request a version that the document lists; a document that was registered without text has none.',
  },
  certificate_outdated: {
    status: 409,
    title: 'The scope has newer evidence than the certificate',
    detail: 'Declare the scope settled again, then request the evidence of the new certificate.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    detail: 'Split the content; the description of each route in /openapi.json has its limit.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has an unsupported media type or encoding',
    detail:
      'Send Content-Type: application/json in UTF-8, or that of the file to a route that takes files, and no Content-Encoding.',
  },
  file_unreadable: {
    status: 422,
    title: 'The file cannot be read',
    detail:
      'See `errors` for the reason. Fix the file and send it again, or send its text to POST /api/ingest.',
  },
  validation_failed: {
    status: 422,
    title: 'The request does not follow its schema',
    detail: 'Fix each entry of `errors`; `pointer` says where.',
  },
  policy_invalid: {
    status: 422,
    title: 'The policies cannot be put in force',
    detail: 'Fix each entry of `errors`: it has the position in the text, the error and a suggestion.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key belongs to another request',
    detail: 'Repeat the first request unchanged, or send a new key with this one.',
  },
  headers_too_large: {
    status: 431,
    title: 'The header block is too large',
    detail: 'Send at most 16 KiB of headers.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait as long as Retry-After says, then try again; RateLimit says how much is left.',
  },
  byte_rate_exceeded: {
    status: 429,
    title: 'Too many bytes in too short a time',
    detail: 'Wait as long as Retry-After says, then send the body again.',
  },
  too_many_requests_at_once: {
    status: 429,
    title: 'The tenant has too many concurrent requests',
    detail: 'Wait for some of them to complete, then try again; RateLimit-Policy has the limit.',
  },
  too_many_streams: {
    status: 429,
    title: 'The tenant has too many event streams open',
    detail: 'Close streams that are no longer read, then try again.',
  },
  queue_quota_exceeded: {
    status: 429,
    title: 'The tenant has too many documents in the queue',
    detail: 'Wait for queued documents to be processed, then send this one again.',
  },
  internal_error: {
    status: 500,
    title: 'The service failed unexpectedly',
    detail: 'Try again later; if it persists, report the request_id.',
  },
  no_root_key: {
    status: 503,
    title: 'No admin or internals key exists yet',
    detail: 'Create the first one on the server: concord keys create --tier internals.',
  },
  queue_full: {
    status: 503,
    title: 'The queue of the service is full',
    detail: 'Try again after the time in Retry-After; what was accepted is not affected.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded',
    detail: 'Try again after the time in Retry-After, with fewer concurrent requests.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer just now',
    detail: 'Try again after the time in Retry-After.',
  },
} as const satisfies Record<string, ProblemRow>

export type ProblemCode = keyof typeof problems

export const problemCodes = keysOf(problems)

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}

/** One entry of `errors` in a validation problem: where, which rule, what to do. */
export interface FieldFault {
  readonly pointer: string
  readonly code: string
  readonly message: string
}
