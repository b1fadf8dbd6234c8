/** A list as one sequence, page after page. */
import type { Input } from './operation-row.ts'

interface Page {
  readonly items: readonly unknown[]
  readonly next_cursor: string | null
}

/** The largest page, where the caller does not say: fewer requests. */
const LARGEST_PAGE = 100

export async function* eachItem(
  askPage: (input: Input) => Promise<unknown>,
  input: Input,
): AsyncGenerator<unknown, void> {
  let cursor: string | null = null
  do {
    // oxlint-disable-next-line no-await-in-loop, typescript/no-unsafe-type-assertion -- each page names the next; a list answers pages
    const page = (await askPage({
      limit: LARGEST_PAGE,
      ...input,
      ...(cursor !== null && { cursor }),
    })) as Page
    yield* page.items
    cursor = page.next_cursor
  } while (cursor !== null)
}
