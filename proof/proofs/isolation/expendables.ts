/** Documents for requests that use one up: removed once, tried again only after it failed, let pass only while held. */
import type { Services } from '@concord/tools/services'
import { failDocuments, holdDocuments } from '../../harness/ended-documents.ts'
import type { Seed } from './seed.ts'
import { DOCUMENT_SCOPE_ID } from './twin-documents.ts'
import type { Twin, Twins } from './twins.ts'

const EXPENDABLES = ['failed', 'held', 'removable'] as const

export type Expendable = (typeof EXPENDABLES)[number]

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
    for (const kind of EXPENDABLES) {
      const documents = Array.from({ length: EACH }, (_, at) => toDocument(`${kind}-${at}`))
      await seed({ method: 'POST', path: '/api/ingest/batch', bearer: twin.key, body: { documents } })
    }
  }
  await failDocuments(services, database, 'failed-')
  await holdDocuments(services, database, 'held-')
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
