/** What the service says of a scope: every page of its claims and of its contradictions, as a tenant reads them. */
import type { Place } from '../places.ts'

export interface ListedClaim {
  readonly claim_id: string
  readonly document_id: string
  readonly quote: string
  readonly start: number
  readonly end: number
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

export function listClaims(url: string, place: Place): Promise<ListedClaim[]> {
  return listAll<ListedClaim>(url, place, 'claims')
}

export function listContradictions(url: string, place: Place): Promise<Readonly<Record<string, unknown>>[]> {
  return listAll(url, place, 'contradictions')
}

async function listAll<Item>(
  url: string,
  { scopeId, tenantKey }: Place,
  kind: 'claims' | 'contradictions',
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const query: string = `limit=100${cursor === null ? '' : `&cursor=${cursor}`}`
    const answer = await fetch(`${url}/api/scopes/${scopeId}/${kind}?${query}`, {
      headers: { authorization: `Bearer ${tenantKey}` },
    })
    if (!answer.ok)
      throw new Error(`The ${kind} of ${scopeId} answered ${answer.status}: ${await answer.text()}`)
    const page = (await answer.json()) as Page<Item>
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}
