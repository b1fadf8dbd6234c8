/** The requests of a loud tenant by their kind, and how it sends them. */
import { companyReport } from '../../harness/heavy-texts.ts'
import { send } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'

export type LoudKind = 'writes' | 'batches' | 'heavy'

/** Requests that are kept in flight at the same time, until there is none left. */
export interface LoudRequests {
  readonly concurrency: number
  readonly next: (number: number) => HttpRequest | undefined
}

export function loudRequestsOf(kind: LoudKind, places: readonly [Place, ...Place[]]): LoudRequests {
  switch (kind) {
    case 'writes':
      return { concurrency: 300, next: (number) => writeOf(places[0], number) }
    case 'batches':
      return { concurrency: 60, next: batchesOf(places[0]) }
    case 'heavy':
      return heavyRequests(places)
  }
}

/** Half of them report a contradiction, half of them attach a document; all of them change one scope. */
function writeOf({ tenantKey, scopeId }: Place, number: number): HttpRequest {
  if (number % 2 === 0)
    return {
      path: '/api/documents',
      bearer: tenantKey,
      body: { scope_id: scopeId, name: 'n', text: 'A text.' },
    }
  const body = {
    scope_id: scopeId,
    claim_a: 'It is open.',
    claim_b: 'It is closed.',
    source_a: `a ${number}`,
    source_b: `b ${number}`,
    severity: 'low',
  }
  return { path: '/api/contradictions', bearer: tenantKey, body }
}

/** 56 documents of 100,000 characters: 5.6 MB. */
const LARGE_TEXT = 'x'.repeat(100_000)
const LARGE_TEXTS = 56

function batchesOf({ tenantId, tenantKey }: Place): () => HttpRequest {
  const documents = Array.from({ length: LARGE_TEXTS }, () => ({
    scope_id: 'scope-0',
    name: 'n',
    text: LARGE_TEXT,
  }))
  const request: HttpRequest = {
    method: 'POST',
    path: '/api/ingest/batch',
    bearer: tenantKey,
    tenantId,
    headers: { 'content-type': 'application/json' },
    timeoutMs: 30_000,
    body: Buffer.from(JSON.stringify({ documents })),
  }
  return () => request
}

const REPORTS_EACH = 40

/** The same 400 lines in each document of a scope, with other figures: each is compared with all before it. */
function heavyRequests(places: readonly Place[]): LoudRequests {
  const reports = Array.from({ length: REPORTS_EACH }, (_, number) => companyReport(number))
  const requests = reports.flatMap(({ id, text }) =>
    places.map(({ scopeId, tenantKey, tenantId }) => ({
      path: '/api/ingest',
      bearer: tenantKey,
      tenantId,
      body: { scope_id: scopeId, name: id, document_id: id, text },
    })),
  )
  return { concurrency: requests.length, next: (number) => requests[number] }
}

/** Each client sends the next request as soon as its last one is answered. Answers without a status count as 0. */
export async function sendAll(
  url: string,
  { concurrency, next }: LoudRequests,
  stopping: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const answers = new Map<number, number>()
  let begun = 0

  async function client(): Promise<void> {
    while (!stopping.aborted) {
      const request = next(begun++)
      if (!request) return
      const status = await send(url, request).then(
        (response) => response.status,
        () => 0,
      )
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }

  await Promise.all(Array.from({ length: concurrency }, client))
  return answers
}
