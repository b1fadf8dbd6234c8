/** Sends documents in batches, a few at a time, in order; a refusal is an error, for nothing here is to be refused. */
import { requestJson } from './http.ts'
import { inParallel } from './in-parallel.ts'
import type { Place } from './places.ts'

/** A document as it is sent; its id is its name too. */
export interface OutgoingDocument {
  readonly id: string
  readonly text: string
}

const BATCH = 50
const SENDERS = 4

export async function post(
  url: string,
  places: readonly Place[],
  documents: readonly OutgoingDocument[],
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(documents.length / BATCH) }, (_, turn) =>
    documents.slice(turn * BATCH, (turn + 1) * BATCH),
  )
  await inParallel(batches, SENDERS, async (batch, turn) => {
    const place = places[turn % places.length]
    if (place) await postBatch(url, place, batch)
  })
}

async function postBatch(url: string, place: Place, batch: readonly OutgoingDocument[]): Promise<void> {
  const body = await requestJson<{ accepted: number }>(url, {
    path: '/api/ingest/batch',
    bearer: place.tenantKey,
    body: {
      documents: batch.map(({ id, text }) => ({ scope_id: place.scopeId, name: id, document_id: id, text })),
    },
    timeoutMs: 60_000,
  })
  if (body.accepted !== batch.length)
    throw new Error(
      `Of ${batch.length} documents ${body.accepted} were accepted: ${JSON.stringify(body).slice(0, 500)}`,
    )
}
