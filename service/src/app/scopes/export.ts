/** Exports all records of a scope by kind and page, so that only one page is in memory. */
import type { TenantCaller } from '../../domain/caller.ts'
import { listClaims } from '../documents/claims.ts'
import type { FoundClaim } from '../documents/claims.ts'
import { listContradictions } from '../contradictions/contradictions.ts'
import type { FoundContradiction } from '../contradictions/contradictions.ts'
import { listDecisions } from '../contradictions/decisions.ts'
import type { Decision } from '../contradictions/decisions.ts'
import { listDocuments } from '../documents/document-lists.ts'
import type { DocumentsDeps, DecryptedDocument } from '../documents/documents.ts'
import type { Page, PageRequest } from '../pages.ts'

export type ExportPage =
  | { readonly kind: 'document'; readonly items: readonly DecryptedDocument[] }
  | { readonly kind: 'claim'; readonly items: readonly FoundClaim[] }
  | { readonly kind: 'contradiction'; readonly items: readonly FoundContradiction[] }
  | { readonly kind: 'decision'; readonly items: readonly Decision[] }

/** Each page is read in its own transaction, so the export is not a snapshot of one moment. */
export async function* exportScope(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
): AsyncGenerator<ExportPage> {
  const documents = pagesOf((page) => listDocuments(deps, who, scopeId, { ...page, order: 'id' }))
  for await (const items of documents) yield { kind: 'document', items }
  const any = { documentId: undefined, kind: undefined }
  for await (const items of pagesOf((page) => listClaims(deps, who, scopeId, { ...page, ...any })))
    yield { kind: 'claim', items }
  for await (const items of pagesOf((page) => listContradictions(deps, who, scopeId, page)))
    yield { kind: 'contradiction', items }
  for await (const items of pagesOf((page) => listDecisions(deps, who, scopeId, page)))
    yield { kind: 'decision', items }
}

const PAGE = 100

async function* pagesOf<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[]> {
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const { items, nextCursor } = await list({ limit: PAGE, cursor })
    yield items
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
