/** Sends documents in batches, a few at a time, in order; a refusal is an error, for nothing here is to be refused. */
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
  let next = 0
  async function send(): Promise<void> {
    while (next < documents.length) {
      const turn = next / BATCH
      const batch = documents.slice(next, next + BATCH)
      next += BATCH
      const place = places[turn % places.length]
      if (place) await postBatch(url, place, batch)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, send))
}

async function postBatch(url: string, place: Place, batch: readonly OutgoingDocument[]): Promise<void> {
  const answer = await fetch(`${url}/api/ingest/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.tenantKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      documents: batch.map(({ id, text }) => ({
        scope_id: place.scopeId,
        name: id,
        document_id: id,
        text,
      })),
    }),
  })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`A batch was answered with ${answer.status}: ${body.slice(0, 500)}`)
  const { accepted } = JSON.parse(body) as { accepted: number }
  if (accepted !== batch.length)
    throw new Error(`Of ${batch.length} documents ${accepted} were accepted: ${body.slice(0, 500)}`)
}
