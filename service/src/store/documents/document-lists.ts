/** The statements of the list of documents: the first selects the next documents of an order, the second the rows to show. */
import { DOCUMENT_COLUMNS } from './documents.ts'
import type { StoredDocumentRow, DocumentStatus } from './documents.ts'
import type { TenantTransaction } from '../transaction.ts'

export type DocumentOrder = 'id' | 'updated' | 'updated_desc'

/** The position of a document in each order. */
export interface DocumentPosition {
  readonly documentId: string
  /** In microseconds, because a Date would truncate them and skip rows. */
  readonly updatedAt: string
}

export interface DocumentQuery {
  readonly order: DocumentOrder
  readonly after?: DocumentPosition | undefined
  readonly statuses?: readonly DocumentStatus[] | undefined
  /** An instant as the contract writes it. */
  readonly updatedSince?: string | undefined
  /** Keyed hashes of tags and metadata. A document must have all of them. */
  readonly labels?: readonly Buffer[] | undefined
}

/** The columns by which documents are filtered and ordered. */
export interface DocumentCandidate extends DocumentPosition {
  readonly epoch: number
  readonly type: string
  readonly sealedCard: Buffer | null
}

const INSTANT = `timestamptz 'epoch' + $4::bigint * interval '1 microsecond'`

const ORDERS: Readonly<Record<DocumentOrder, { readonly after: string; readonly by: string }>> = {
  id: { after: `document_id > $3`, by: 'document_id' },
  updated: {
    after: `(updated_at, document_id) > (${INSTANT}, $3)`,
    by: 'updated_at, document_id',
  },
  updated_desc: {
    after: `(updated_at, document_id) < (${INSTANT}, $3)`,
    by: 'updated_at desc, document_id desc',
  },
}

/** The condition of the partial index, which is always true. A list by time repeats it so that Postgres uses the index. */
const BY_TIME = `updated_at > '-infinity'`

/** The number of parameters before the labels. */
const FIXED_PARAMETERS = 7

const HAVING =
  'select l.document_id from document_labels l where l.tenant_id = $1 and l.scope_id = $2 and l.label ='

export async function selectCandidates(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { order, after, statuses, updatedSince, labels = [] }: DocumentQuery,
  limit: number,
): Promise<DocumentCandidate[]> {
  const { after: isAfter, by } = ORDERS[order]
  const { rows } = await connection.query<DocumentCandidate>(
    `select document_id as "documentId", epoch, type, sealed_card as "sealedCard",
            (extract(epoch from updated_at) * 1000000)::bigint::text as "updatedAt"
       from documents
      where tenant_id = $1 and scope_id = $2 and ($3::text is null or $4::bigint is null or ${isAfter})
        and ($5::text[] is null or status = any($5)) and ($6::timestamptz is null or updated_at >= $6)
        ${labels.map((_, at) => `and document_id in (${HAVING} $${FIXED_PARAMETERS + at + 1})`).join(' ')}
        and ${order === 'id' ? 'true' : BY_TIME}
      order by ${by} limit $${FIXED_PARAMETERS}`,
    [
      tenantId,
      scopeId,
      after?.documentId ?? null,
      after?.updatedAt ?? null,
      statuses ?? null,
      updatedSince ?? null,
      limit,
      ...labels,
    ],
  )
  return rows
}

/** Selects documents by id, in no particular order. */
export async function selectDocumentsById(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentIds: readonly string[],
): Promise<StoredDocumentRow[]> {
  const { rows } = await connection.query<StoredDocumentRow>(
    `select ${DOCUMENT_COLUMNS} from documents where tenant_id = $1 and scope_id = $2 and document_id = any($3)`,
    [tenantId, scopeId, documentIds],
  )
  return rows
}
