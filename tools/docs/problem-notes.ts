// When a caller meets a problem, in the words of the pages: what the contract's title and detail have no room for.

import type { ProblemCode } from '@concord/contract'

interface Note {
  /** When it is answered. */
  readonly when: string
  /** The page that says more: its name, and its address from the folder of the problems. */
  readonly see?: readonly [name: string, address: string]
}

const auth = ['auth', '../auth.md#what-is-answered'] as const
const limits = ['limits', '../limits.md#of-a-tenant'] as const
const ingest = ['ingest', '../../how-to/ingest.md#repeating-safely'] as const
const documents = ['ingest', '../../how-to/ingest.md#limits'] as const
const certificates = ['certificates', '../certificates.md#declaring'] as const
const overload = ['limits', '../limits.md#overload'] as const

export const problemNotes: Readonly<Record<ProblemCode, Note>> = {
  malformed_request: { when: 'What arrived is no HTTP/1.1 request: a broken path, header or length.' },
  malformed_json: {
    when: 'The body is no JSON in UTF-8, is empty where one is needed, names a key twice, or is nested too deeply.',
  },
  duplicate_header: {
    when: 'A header that says who asks was sent twice, so that it could be read in two ways.',
    see: auth,
  },
  credentials_conflict: {
    when: 'On /api, Authorization and X-Tenant-API-Key hold different keys.',
    see: auth,
  },
  credential_missing: { when: 'The route needs a key, and none was sent.', see: auth },
  credential_invalid: {
    when: 'What was sent is no key, its checksum is wrong, nobody has it, its secret is wrong, or it is not sent as `Bearer`.',
    see: auth,
  },
  credential_expired: { when: 'The key is right and its time is over.', see: auth },
  credential_revoked: { when: 'The key is right and somebody has revoked it.', see: auth },
  gateway_signature_invalid: {
    when: 'The service trusts a gateway (`AUTH_MODE=trusted-gateway`), and its signature is missing, wrong, too old or was used before.',
    see: ['auth', '../auth.md#trusted-gateway'],
  },
  wrong_tier: { when: 'The key is good and belongs to another tier than the route.', see: auth },
  tenant_mismatch: {
    when: 'X-Tenant-ID names another tenant than the key, whether or not there is such a tenant.',
    see: auth,
  },
  not_found: { when: 'No operation has this path.', see: ['the operations', '../api.md'] },
  tenant_not_found: { when: 'There is no tenant with this id.' },
  key_not_found: { when: 'The tenant has no key with this id, dead ones included.' },
  scope_not_found: {
    when: 'Your tenant has no scope with this id. A scope of another tenant is answered in the same way. Sending a document does not make its scope.',
  },
  document_not_found: {
    when: 'The scope has no document with this id, or it was removed. One of another tenant is answered in the same way.',
  },
  contradiction_not_found: {
    when: 'The scope has no contradiction with this id. It may have been withdrawn because a document was replaced or removed.',
    see: ['contradictions', '../contradictions.md#when-it-goes-away'],
  },
  certificate_not_found: { when: 'Nobody has declared the scope settled yet.', see: certificates },
  problem_not_found: { when: 'There is no problem with this code.' },
  method_not_allowed: {
    when: 'The path is there, and does not take this method.',
    see: ['the operations', '../api.md'],
  },
  not_acceptable: { when: 'The Accept header leaves no media type that the route can answer with.' },
  request_timeout: {
    when: 'The request began to arrive and did not end in time: headers have 10 s, a JSON body 15 s, a file 60 s. Nothing was done.',
  },
  scope_exists: { when: 'The tenant has a scope with this id already.' },
  key_not_live: {
    when: 'The key to rotate is revoked or has expired.',
    see: ['state machines', '../../explanation/state-machines.md#key'],
  },
  too_many_keys: { when: 'The tenant has 20 live keys.' },
  illegal_transition: {
    when: 'What is asked for is no move from where it stands: a retry of a document that has not failed, a decision that was made already, a resume of what is stopped.',
    see: ['state machines', '../../explanation/state-machines.md'],
  },
  not_settled: {
    when: 'A scope was to be declared settled while something is open, on its way, held, failed, or was not read or compared completely. `errors` names up to 20 of them.',
    see: certificates,
  },
  refused_by_policy: {
    when: 'Policy does not allow that the scope is declared settled: one forbids it, or none permits it, as for documents that only the rule reader has read. `errors` names the policies or says why.',
    see: certificates,
  },
  text_not_found: {
    when: 'The text of a version is asked for that the document does not have, or whose text is no longer kept, or of a document without text.',
    see: documents,
  },
  certificate_outdated: {
    when: 'The evidence of the newest certificate is asked for, and the scope has changed since.',
    see: certificates,
  },
  payload_too_large: { when: 'The body is larger than the route takes.', see: documents },
  unsupported_media_type: {
    when: 'The body is sent as something else than JSON in UTF-8, or compressed; or a file is of a type that is not read, or of one that neither `type`, Content-Type nor the extension of `name` says.',
  },
  file_unreadable: {
    when: 'The file is damaged, encrypted, of another type than it is said to be, without text, or beyond a limit: `errors` has the reason as a code. Nothing of it is stored.',
    see: ['send files', '../../how-to/files.md'],
  },
  validation_failed: {
    when: 'The body, the path, the query or a header breaks its schema. Unknown fields count, and nothing is coerced. `errors` names each place.',
  },
  policy_invalid: {
    when: 'The text is no Cedar, does not fit the schema, or breaks a bound. `errors` has line, column and help.',
    see: ['policies', '../policies.md#writing-one'],
  },
  idempotency_key_reused: {
    when: 'The key was used in the last 30 days for another request: another body, another address or another operation.',
    see: ingest,
  },
  headers_too_large: { when: 'The header block is larger than 16 KiB.' },
  rate_limited: {
    when: 'The tenant sends more requests a second than it may, or too many refused credentials came from this address or under this key id.',
    see: limits,
  },
  byte_rate_exceeded: { when: 'The tenant sends more bytes a second than it may.', see: limits },
  too_many_requests_at_once: {
    when: 'As many requests of the tenant as may be are being answered.',
    see: limits,
  },
  too_many_streams: { when: 'As many event streams of the tenant as may be are open.', see: limits },
  queue_quota_exceeded: { when: 'As many documents of the tenant as may be are waiting.', see: limits },
  internal_error: {
    when: 'Something broke that nobody foresaw. The log of the service has it under the `request_id`.',
  },
  no_root_key: {
    when: 'The service is new, or every admin and internals key has expired or was revoked.',
    see: ['operations', '../../how-to/operations.md#keys'],
  },
  queue_full: { when: 'As many documents of all tenants together as may be are waiting.', see: limits },
  overloaded: {
    when: 'The process cannot keep up, or as many bytes of request bodies as may be are in flight, of the tenant or of all. It refuses new work before it reads it. A document is refused so, too, when its scope has more waiting than can be written in time.',
    see: overload,
  },
  unavailable: {
    when: 'Postgres does not answer, or the process is stopping.',
    see: ['operations', '../../how-to/operations.md#health'],
  },
}
