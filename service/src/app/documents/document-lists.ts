/**
 * Lists documents, filtered and ordered. Postgres filters by status and time. Name, type and source are compared here, because names
 * and sources are encrypted. A request examines a bounded number of documents, so a rare match holds no connection for long.
 */
import type { TenantCaller } from '../../domain/caller.ts'
import { selectCandidates, selectDocumentsById } from '../../store/documents/document-lists.ts'
import type { DocumentCandidate, DocumentOrder, DocumentQuery } from '../../store/documents/document-lists.ts'
import type { StoredDocumentRow } from '../../store/documents/documents.ts'
import { inTenantSnapshot } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { openCard } from './document-card.ts'
import { hashLabels } from './labels.ts'
import { decryptDocument, sealFor } from './documents.ts'
import type { DocumentsDeps, DecryptedDocument } from './documents.ts'
import { decodeCursor, encodeCursor } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { DOCUMENT_ID, MICROSECONDS } from '../patterns.ts'
import { requireScope } from '../scopes/required-scope.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface DocumentsRequest extends PageRequest, Omit<DocumentQuery, 'after' | 'labels'> {
  /** A prefix of the name, case-insensitive. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  /** A prefix of the source, case-insensitive. */
  readonly source?: string | undefined
  readonly tag?: string | undefined
  /** A metadata key with its value. */
  readonly metadata?: readonly [key: string, value: string] | undefined
}

/** The maximum number of documents that a request examines if it filters by encrypted fields. */
const MAX_EXAMINED = 2_000

export async function listDocuments(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  { limit, cursor, ...filter }: DocumentsRequest,
): Promise<Page<DecryptedDocument>> {
  const isExamined = filter.name !== undefined || filter.type !== undefined || filter.source !== undefined
  const wanted = isExamined ? MAX_EXAMINED : limit + 1
  // The seal is fetched first, because rows are decrypted between two statements of one snapshot.
  const seal = await deps.seals.get(who.tenantId, scopeId)
  const query = {
    ...filter,
    after: positionIn(cursor, filter.order),
    labels: hashLabels(seal, scopeId, {
      tags: filter.tag === undefined ? [] : [filter.tag],
      metadata: filter.metadata ? [filter.metadata] : [],
    }),
  }
  const found = await inTenantSnapshot(deps.pools.tenant, who.tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const candidates = await selectCandidates(transaction, scopeId, query, wanted)
    const matching = candidates.filter((each) => matches(each, filter, seal)).slice(0, limit + 1)
    const shown = matching.slice(0, limit)
    const rows = await rowsOf(transaction, scopeId, shown)
    const isFull = matching.length > limit
    const last = isFull ? shown.at(-1) : candidates.length === wanted ? candidates.at(-1) : undefined
    return { rows, last }
  })
  const current = await sealFor(deps, who, scopeId, found.rows)
  return {
    items: found.rows.map((row) => decryptDocument(scopeId, row, current)),
    nextCursor: found.last ? encodeCursor(positionOf(found.last, filter.order)) : null,
  }
}

/** The cursor of an order by id is the id alone. Cursors of other orders include the direction, so a cursor fits only its own order. */
function positionOf({ documentId, updatedAt }: DocumentCandidate, order: DocumentOrder): string[] {
  return order === 'id' ? [documentId] : [order, updatedAt, documentId]
}

function positionIn(cursor: string | undefined, order: DocumentOrder): DocumentQuery['after'] {
  if (order === 'id') {
    const [documentId] = decodeCursor(cursor, [DOCUMENT_ID]) ?? []
    return documentId === undefined ? undefined : { documentId, updatedAt: '0' }
  }
  const [, updatedAt, documentId] =
    decodeCursor(cursor, [ORDER_PATTERNS[order], MICROSECONDS, DOCUMENT_ID]) ?? []
  return updatedAt === undefined || documentId === undefined ? undefined : { documentId, updatedAt }
}

const ORDER_PATTERNS = { updated: /^updated$/, updated_desc: /^updated_desc$/ } as const

async function rowsOf(
  transaction: TenantTransaction,
  scopeId: string,
  shown: readonly DocumentCandidate[],
): Promise<StoredDocumentRow[]> {
  if (shown.length === 0) return []
  const ids = shown.map(({ documentId }) => documentId)
  const rows = await selectDocumentsById(transaction, scopeId, ids)
  const byId = new Map(rows.map((row) => [row.documentId, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

type Examined = Pick<DocumentsRequest, 'name' | 'type' | 'source'>

/** A card of another generation cannot be decrypted, and a removed document has none. Neither matches a name. */
function matches(
  { documentId, epoch, type, sealedCard }: DocumentCandidate,
  { name, type: wantedType, source }: Examined,
  seal: ScopeSeal,
): boolean {
  if (wantedType !== undefined && type !== wantedType) return false
  if (name === undefined && source === undefined) return true
  if (sealedCard === null || epoch !== seal.epoch) return false
  const card = openCard(seal, documentId, sealedCard)
  return begins(card.name, name) && begins(card.source, source)
}

function begins(text: string | null, beginning: string | undefined): boolean {
  if (beginning === undefined) return true
  return text !== null && text.toLowerCase().startsWith(beginning.toLowerCase())
}
