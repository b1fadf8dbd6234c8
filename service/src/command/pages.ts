/** Reads a whole list page by page, so that each statement is bounded. */
import type { Page, PageRequest } from '../app/pages.ts'

export async function everyPage<Item>(read: (request: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const page = await read({ limit: 100, cursor })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}
