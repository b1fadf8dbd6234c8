/** Documents for requests that use one up: a document can be removed once, and tried again only after it failed. */
import type { Services } from '@concord/tools/services'
import { failDocuments } from './failed-documents.ts'
import type { Seed } from './seed.ts'
import { DOCUMENT_SCOPE_ID } from './twin-documents.ts'
import type { Twin, Twins } from './twins.ts'

export type Expendable = 'failed' | 'removable'

export interface Expendables {
  /** The id of a document of this twin, in the scope of its documents, handed out once. */
  take(twin: Twin, kind: Expendable): string
}

/** More than a table of credentials admits on one route. */
const EACH = 50

export async function createExpendables(
  seed: Seed,
  { left, right }: Twins,
  services: Services,
  database: string,
): Promise<Expendables> {
  for (const twin of [left, right]) {
    const documents = (['failed', 'removable'] as const).flatMap((kind) =>
      Array.from({ length: EACH }, (_, at) => toDocument(`${kind}-${at}`)),
    )
    await seed({ method: 'POST', path: '/api/ingest/batch', bearer: twin.key, body: { documents } })
  }
  await failDocuments(services, database, 'failed-')
  const taken = new Map<string, number>()
  return {
    take({ tenantId }, kind) {
      const place = `${tenantId} ${kind}`
      const at = taken.get(place) ?? 0
      taken.set(place, at + 1)
      if (at >= EACH)
        throw new Error(`More than ${EACH} ${kind} documents are needed; raise it in expendables.ts.`)
      return `${kind}-${at}`
    },
  }
}

function toDocument(documentId: string): object {
  return { scope_id: DOCUMENT_SCOPE_ID, document_id: documentId, name: documentId, text: 'To be used up.' }
}
