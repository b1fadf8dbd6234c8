/** What the service itself says of its documents in the end: every page of every list, as a tenant reads it. */
import type { Place } from './places.ts'

export interface ListedDocument {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly name: string
  readonly status: string
  readonly reason: string | null
}

interface Page {
  readonly items: readonly {
    readonly document_id: string
    readonly name: string
    readonly status: string
    readonly error: { readonly code: string; readonly message: string } | null
  }[]
  readonly next_cursor: string | null
}

export async function listDocuments(url: string, places: readonly Place[]): Promise<ListedDocument[]> {
  return (await Promise.all(places.map((place) => listPlace(url, place)))).flat()
}

async function listPlace(url: string, place: Place): Promise<ListedDocument[]> {
  const listed: ListedDocument[] = []
  let cursor: string | null = null
  do {
    const page: Page = await getPage(url, place, cursor)
    for (const item of page.items)
      listed.push({
        tenantId: place.tenantId,
        scopeId: place.scopeId,
        documentId: item.document_id,
        name: item.name,
        status: item.status,
        reason: item.error && `${item.error.code}: ${item.error.message}`,
      })
    cursor = page.next_cursor
  } while (cursor !== null)
  return listed
}

async function getPage(url: string, { scopeId, tenantKey }: Place, cursor: string | null): Promise<Page> {
  const query = `limit=100${cursor === null ? '' : `&cursor=${cursor}`}`
  const answer = await fetch(`${url}/api/scopes/${scopeId}/documents?${query}`, {
    headers: { authorization: `Bearer ${tenantKey}` },
  })
  if (!answer.ok) throw new Error(`The list of ${scopeId} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Page
}
