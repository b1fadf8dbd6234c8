/** Documents on the wire: one as POST /api/ingest, several as POST /api/ingest/batch, and what the answers mean. */
import { requestBytes } from './http.ts'
import type { Answer } from './http.ts'
import { textOf } from './history.ts'
import type { RecordedCall, CallOutcome } from './history.ts'
import type { Place } from './places.ts'

export interface DocumentOutcome {
  readonly outcome: CallOutcome
  readonly what: string
  /** The answer of the service when it accepted the document, as it came. */
  readonly accepted?: string
}

export function requestOf(url: string, calls: readonly RecordedCall[]): Buffer {
  const [first] = calls
  if (!first) throw new Error('A request needs a document.')
  return ingestRequest(url, first.place, calls.map(bodyOf))
}

export function ingestRequest(url: string, place: Place, documents: readonly object[]): Buffer {
  const { tenantKey: bearer, tenantId } = place
  const isAlone = documents.length === 1
  const path = isAlone ? '/api/ingest' : '/api/ingest/batch'
  return requestBytes(url, { path, bearer, tenantId, body: isAlone ? documents[0] : { documents } })
}

function bodyOf(call: RecordedCall): object {
  return {
    scope_id: call.place.scopeId,
    name: call.name,
    text: textOf(call),
    idempotency_key: call.key,
  }
}

/** One for each document, in order. */
export function readOutcomes({ status, body }: Answer, count: number): DocumentOutcome[] {
  const text = body.toString('utf8')
  if (status === 202) return [{ outcome: 'ok', what: '202', accepted: text }]
  if (status === 200) return (JSON.parse(text) as Batch).results.map(readResult)
  return Array.from({ length: count }, () => ({ outcome: outcomeOf(status), what: String(status) }))
}

interface Batch {
  readonly results: readonly {
    readonly accepted: boolean
    readonly document?: object
    readonly problem?: { readonly status: number }
  }[]
}

/** The document of a result is what a single request would have been answered, byte for byte. */
function readResult({ accepted, document, problem }: Batch['results'][number]): DocumentOutcome {
  if (accepted) return { outcome: 'ok', what: '200', accepted: JSON.stringify(document) }
  const status = problem?.status ?? 500
  return { outcome: outcomeOf(status), what: String(status) }
}

/** A fault of the service leaves it open; what is refused for good had no effect. */
function outcomeOf(status: number): CallOutcome {
  return status >= 500 || status === 408 || status === 429 ? 'unknown' : 'fail'
}
