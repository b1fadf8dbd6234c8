/**
 * Makes a generated body, or header, one with which the request can succeed: scopes and documents that exist, and ids
 * that nobody used before, since equal ones mean something. Everything else stays as it was generated.
 */
import type { OpenapiOperation, Parameter } from '../../harness/openapi.ts'
import { isMove } from './expendable-scopes.ts'
import type { Facts } from './world.ts'

type Members = Readonly<Record<string, unknown>>

/** The longest that ids and idempotency keys may be, in characters. */
const LONGEST_ID = 200

export function fitBody(operation: OpenapiOperation, body: unknown, facts: Facts): unknown {
  const { id, body: described } = operation
  // Left out, it would mean more than a scope.
  if (isMove(operation)) return { scope_id: facts.values['scopeId'] }
  if (body === undefined || !described) return body
  const members = body as Members
  switch (id) {
    case 'ingestDocument':
    case 'registerDocument':
    case 'attachDocument':
    case 'reportContradiction':
      return fitDocument(members, facts, facts.nonce)
    case 'putPolicy':
    case 'putScopePolicy':
      return { text: POLICY }
    case 'ingestBatch':
      return fitBatch(members, facts, described.maxBytes)
    case 'triggerIngest':
      return fitTrigger(members, facts)
    case 'retryDocuments':
      return fitRetries(members)
    case 'rereadScope':
      // While one runs, only the same again is possible.
      return {}
    default:
      return body
  }
}

function fitTrigger(members: Members, { documentIds }: Facts): Members {
  return documentIds.length > 0 && 'document_ids' in members ? { document_ids: documentIds } : {}
}

/** Documents or a status: which no schema of ours says. */
function fitRetries(members: Members): Members {
  return 'document_ids' in members ? { document_ids: members['document_ids'] } : members
}

/** No schema can say what Cedar is. */
const POLICY = `@id("nothing-of-that-type")
forbid (principal, action == Concord::Action::"admit_document", resource)
when { resource.type == "no such type" };`

function fitBatch(members: Members, facts: Facts, maxBytes: number): Members {
  const documents = (members['documents'] as readonly Members[]).map((each, at) =>
    fitDocument(each, facts, `${facts.nonce}-${at}`),
  )
  // A hundred of the largest do not fit, which no schema can say.
  while (documents.length > 1 && Buffer.byteLength(JSON.stringify({ documents })) > maxBytes) documents.pop()
  return { documents }
}

function fitDocument(members: Members, { values }: Facts, nonce: string): Members {
  const fitted = Object.entries(members).map(([name, value]): [string, unknown] => {
    if (name === 'scope_id') return [name, values['scopeId'] ?? value]
    if (name === 'document_id' || name === 'idempotency_key') return [name, unused(String(value), nonce)]
    return [name, value]
  })
  return Object.fromEntries(fitted)
}

/** As long as it was, where the nonce leaves room. */
function unused(text: string, nonce: string): string {
  const characters = Array.from(text)
  return `${characters.slice(0, LONGEST_ID - nonce.length - 1).join('')}~${nonce}`
}

/** The idempotency key may come in both places if it is the same; not every text can stand in a header. */
export function fitHeader(
  { name }: Parameter,
  value: string,
  body: unknown,
  { nonce }: Facts,
): string | undefined {
  if (name !== 'Idempotency-Key') return value
  const inBody = (body as Members | undefined)?.['idempotency_key']
  if (inBody === undefined) return unused(value, nonce)
  return typeof inBody === 'string' && /^[\x21-\x7e]+$/.test(inBody) ? inBody : undefined
}

/** One in so many comes with everything beyond ASCII escaped, which is legal and up to three times as long. */
const ESCAPED_ONCE_IN = 8

export function encodeBody(body: unknown, maxBytes: number, draw: number): Buffer {
  const plain = JSON.stringify(body)
  const escaped = draw % ESCAPED_ONCE_IN === 0 ? Buffer.from(escapeAll(plain)) : undefined
  return escaped && escaped.length <= maxBytes ? escaped : Buffer.from(plain)
}

/** By UTF-16 unit, as JSON wants it. */
function escapeAll(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
