// When each problem is returned, for its page: more detail than the title and detail of the contract have room for.

import type { ProblemCode } from '@concord/contract'

interface Note {
  /** When the problem is returned. */
  readonly when: string
  /** A page with more detail: its name, and its address relative to the folder of the problems. */
  readonly see?: readonly [name: string, address: string]
}

const auth = ['auth', '../auth.md#what-is-answered'] as const
const limits = ['limits', '../limits.md#rate-limits-and-quotas-of-a-tenant'] as const
const ingest = ['ingest', '../../how-to/ingest.md#repeating-safely-idempotency-keys'] as const
const documents = ['ingest', '../../how-to/ingest.md#limits'] as const
const certificates = ['certificates', '../certificates.md#declaring'] as const
const overload = ['limits', '../limits.md#overload'] as const

export const problemNotes: Readonly<Record<ProblemCode, Note>> = {
  malformed_request: {
    when: 'The request is not valid HTTP/1.1: the path, a header or a length is malformed.',
  },
  malformed_json: {
    when: 'The body is not JSON in UTF-8, is empty although the route needs one, has a duplicate key or more than 10,000 keys, or is nested too deeply.',
  },
  duplicate_header: {
    when: 'A header that identifies the caller was sent twice, so the request is ambiguous.',
    see: auth,
  },
  credentials_conflict: {
    when: 'On /api, Authorization and X-Tenant-API-Key have different keys.',
    see: auth,
  },
  credential_missing: { when: 'The route needs a key, and none was sent.', see: auth },
  credential_invalid: {
    when: 'The credential is not a key, its checksum or secret is wrong, the key does not exist, or it was not sent as `Bearer`.',
    see: auth,
  },
  credential_expired: { when: 'The key is correct and has expired.', see: auth },
  credential_revoked: { when: 'The key is correct and was revoked.', see: auth },
  gateway_signature_invalid: {
    when: 'The service trusts a gateway (`AUTH_MODE=trusted-gateway`), and the signature is missing, wrong, too old or was used before.',
    see: ['auth', '../auth.md#trusted-gateway'],
  },
  wrong_tier: { when: 'The key is valid and belongs to another tier than the route.', see: auth },
  tenant_mismatch: {
    when: 'X-Tenant-ID names another tenant than the key, whether or not that tenant exists.',
    see: auth,
  },
  not_found: { when: 'No operation has this path.', see: ['the operations', '../api.md'] },
  tenant_not_found: { when: 'There is no tenant with this id.' },
  key_not_found: { when: 'The tenant has no key with this id, dead ones included.' },
  scope_not_found: {
    when: 'Your tenant has no scope with this id. A scope of another tenant gets the same response. Sending a document does not create its scope.',
  },
  document_not_found: {
    when: 'The scope has no document with this id, or it was removed. A document of another tenant gets the same response.',
  },
  contradiction_not_found: {
    when: 'The scope has no contradiction with this id. It may have been withdrawn because a document was replaced or removed.',
    see: ['contradictions', '../contradictions.md#when-it-goes-away'],
  },
  certificate_not_found: { when: 'The scope has not been declared settled yet.', see: certificates },
  problem_not_found: { when: 'There is no problem with this code.' },
  method_not_allowed: {
    when: 'The path exists, but does not support this method.',
    see: ['the operations', '../api.md'],
  },
  not_acceptable: { when: 'The Accept header allows no media type that the route can return.' },
  request_timeout: {
    when: 'The request did not arrive completely in time. The limits are 10 s for headers, 15 s for a JSON body and 60 s for a file. Nothing was done.',
  },
  scope_exists: { when: 'The tenant already has a scope with this id.' },
  key_not_live: {
    when: 'The key to rotate is revoked or has expired.',
    see: ['state machines', '../../explanation/state-machines.md#key'],
  },
  too_many_keys: { when: 'The tenant has 20 live keys.' },
  illegal_transition: {
    when: 'The current status does not allow the operation: for example, a retry of a document that has not failed, a second decision on the same contradiction, or a resume of a stopped runtime.',
    see: ['state machines', '../../explanation/state-machines.md'],
  },
  not_settled: {
    when: 'You declared a scope settled that has an open contradiction, an unfinished, held or failed document, or something that was not read or compared completely. `errors` names up to 20 of them.',
    see: certificates,
  },
  refused_by_policy: {
    when: 'Policy does not allow declaring the scope settled: a policy forbids it, or none permits it, for example if only the rule reader has read the documents. `errors` names the policies or the reason.',
    see: certificates,
  },
  text_not_found: {
    when: 'The document does not have the requested version, the text of that version is no longer stored, or the document has no text.',
    see: documents,
  },
  certificate_outdated: {
    when: 'You requested the evidence of the newest certificate, and the scope has changed since.',
    see: certificates,
  },
  payload_too_large: { when: 'The body is larger than the limit of the route.', see: documents },
  unsupported_media_type: {
    when: 'The body is not JSON in UTF-8, or it is compressed. Or a file has a type that is not supported, or its type follows neither from `type` nor from Content-Type nor from the extension of `name`.',
  },
  file_unreadable: {
    when: 'The file is damaged, encrypted, of another type than stated, without text, or beyond a limit: `errors` has the reason as a code. Nothing of it is stored.',
    see: ['send files', '../../how-to/files.md'],
  },
  validation_failed: {
    when: 'The body, the path, the query or a header breaks its schema. Unknown fields are refused, and values are not coerced. `errors` names each position.',
  },
  policy_invalid: {
    when: 'The text is not valid Cedar, does not match the schema, or exceeds a limit. `errors` has line, column and a suggestion.',
    see: ['policies', '../policies.md#writing-one'],
  },
  idempotency_key_reused: {
    when: 'The key was used in the last 30 days for another request: another body, another address or another operation.',
    see: ingest,
  },
  headers_too_large: { when: 'The header block is larger than 16 KiB.' },
  rate_limited: {
    when: 'The tenant exceeds its limit of requests per second, or too many refused credentials came from this address or for this key id.',
    see: limits,
  },
  byte_rate_exceeded: { when: 'The tenant exceeds its limit of bytes per second.', see: limits },
  too_many_requests_at_once: {
    when: 'The tenant has reached its limit of concurrent requests.',
    see: limits,
  },
  too_many_streams: { when: 'The tenant has reached its limit of open event streams.', see: limits },
  queue_quota_exceeded: { when: 'The tenant has reached its limit of documents in the queue.', see: limits },
  internal_error: {
    when: 'An unexpected error occurred. The log of the service has it under the `request_id`.',
  },
  no_root_key: {
    when: 'The service is new, or it was started after every admin and internals key had expired or was revoked. A process that has seen a live key answers 401 instead.',
    see: ['operations', '../../how-to/operations.md#keys'],
  },
  queue_full: {
    when: 'The queue is full: the service-wide limit on waiting documents is reached.',
    see: limits,
  },
  overloaded: {
    when: 'The process is too slow for its load, or the limit on bytes of request bodies in flight, of the tenant or of all tenants, is reached. The API refuses new requests before it reads them. A document is also refused if its scope has more waiting writes than can be completed in time.',
    see: overload,
  },
  unavailable: {
    when: 'Postgres does not answer, or the process is stopping.',
    see: ['operations', '../../how-to/operations.md#health'],
  },
}
