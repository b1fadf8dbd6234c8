/**
 * Decides which calls may be sent again after a failure that leaves open whether they had an effect. Reading and removing are
 * idempotent by nature. Some others become so by a name or a key, which is made once for all attempts of a call.
 */
import type { OperationName } from './generated/operations.ts'
import type { Input, OperationRow } from './operation-row.ts'

type Prepare = (input: Input) => Input

const asItIs: Prepare = (input) => input

/** A second request with the same one is answered like the first. */
const named =
  (field: string): Prepare =>
  (input) =>
    input[field] === undefined ? { ...input, [field]: randomId() } : input

const eachDocumentNamed: Prepare = ({ documents, ...rest }) => ({
  ...rest,
  documents: Array.isArray(documents)
    ? documents.map((each: Input) => named('idempotency_key')(each))
    : documents,
})

/**
 * Operations that neither read nor remove and may be sent again without an Idempotency-Key. Of the others, those that take such a key
 * get one; the rest is sent again only where the service refused it unread.
 */
const repeatable: Partial<Record<OperationName, Prepare>> = {
  // @point client.ingest.idempotency-key
  ingestDocument: named('idempotency_key'),
  ingestBatch: eachDocumentNamed,
  ingestFile: named('document_id'),
  registerDocument: named('document_id'),
  updateDocument: asItIs,
  attachDocument: named('document_id'),
  triggerIngest: asItIs,
  rereadScope: asItIs,
  reportContradiction: asItIs,
  declareSettled: asItIs,
  revokeTenantKey: asItIs,
  startRuntime: asItIs,
  pauseRuntime: asItIs,
  resumeRuntime: asItIs,
  stopRuntime: asItIs,
  startTenantRuntime: asItIs,
  pauseTenantRuntime: asItIs,
  resumeTenantRuntime: asItIs,
  stopTenantRuntime: asItIs,
}

export interface PreparedRequest {
  readonly input: Input
  readonly headers: Readonly<Record<string, string>>
  readonly repeatable: boolean
}

/** Runs once for each call, so that all its attempts are the same request. A key in the headers is the caller's own. */
export function prepare(
  name: OperationName,
  { method, idempotencyKey }: OperationRow,
  input: Input,
  headers: Readonly<Record<string, string>> = {},
): PreparedRequest {
  if (Object.keys(headers).some((each) => each.toLowerCase() === 'idempotency-key'))
    return { input, headers, repeatable: true }
  const make = repeatable[name]
  if (make) return { input: make(input), headers, repeatable: true }
  if (idempotencyKey)
    return { input, headers: { ...headers, 'idempotency-key': randomId() }, repeatable: true }
  return { input, headers, repeatable: method === 'GET' || method === 'PUT' || method === 'DELETE' }
}

/** A version 4 UUID. `crypto.randomUUID` is missing in pages that came over plain HTTP. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
