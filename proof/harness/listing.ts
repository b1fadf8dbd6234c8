/** Lists the documents by the service itself: every page of every list, as a tenant reads it. */
import { requestAll } from './http.ts'
import type { Place } from './places.ts'

export interface ListedDocument {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly name: string
  readonly status: string
  readonly reason: string | null
}

interface Item {
  readonly document_id: string
  readonly name: string
  readonly status: string
  readonly error: { readonly code: string; readonly message: string } | null
}

export async function listDocuments(url: string, places: readonly Place[]): Promise<ListedDocument[]> {
  return (await Promise.all(places.map((place) => listPlace(url, place)))).flat()
}

async function listPlace(url: string, { tenantId, scopeId, tenantKey }: Place): Promise<ListedDocument[]> {
  const path = `/api/scopes/${scopeId}/documents`
  const items = await requestAll<Item>(url, { path, bearer: tenantKey })
  return items.map(({ document_id: documentId, name, status, error }) => {
    return { tenantId, scopeId, documentId, name, status, reason: error && `${error.code}: ${error.message}` }
  })
}
