/** Every position in the lists of a twin, read off page by page. */
import type { Seed } from './seed.ts'
import { DOCUMENT_SCOPE_ID } from './twin-documents.ts'

/** A page of one, again and again, yields every position there is. */
export async function collectCursors(seed: Seed, tenantId: string, key: string): Promise<string[]> {
  const lists = [
    { path: '/admin/scopes', headers: [['X-Tenant-API-Key', key] as const] },
    { path: `/admin/tenants/${tenantId}/keys` },
    { path: `/api/scopes/${DOCUMENT_SCOPE_ID}/documents`, bearer: key },
  ]
  const cursors: string[] = []
  for (const { path, ...as } of lists) {
    let query = '?limit=1'
    while (query !== '') {
      const page = await seed<{ next_cursor: string | null }>({ method: 'GET', path: path + query, ...as })
      if (page.next_cursor) cursors.push(page.next_cursor)
      query = page.next_cursor ? `?limit=1&cursor=${page.next_cursor}` : ''
    }
  }
  return cursors
}
