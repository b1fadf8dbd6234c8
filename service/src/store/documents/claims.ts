/** The statements that read claims. Only the current version of a document has claims. */
import type { ClaimKind } from '../../domain/claim.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface ClaimRow {
  readonly documentId: string
  readonly version: number
  readonly no: number
  readonly epoch: number
  readonly kind: ClaimKind
  /** The claim as JSON, sealed with the purpose `claim` and the document as the place. */
  readonly sealed: Buffer
  readonly extractedAt: Date
}

export interface ClaimFilter {
  readonly documentId?: string | undefined
  readonly kind?: ClaimKind | undefined
  readonly after?: ClaimRef | undefined
}

export interface ClaimRef {
  readonly documentId: string
  readonly no: number
}

/** Selects claims by document, within a document in the order of the text. */
export async function selectClaims(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { documentId, kind, after }: ClaimFilter,
  limit: number,
): Promise<ClaimRow[]> {
  const { rows } = await connection.query<ClaimRow>(
    `select document_id as "documentId", version, no, epoch, kind, sealed, extracted_at as "extractedAt" from claims
      where tenant_id = $1 and scope_id = $2 and ($3::text is null or document_id = $3)
        and ($4::text is null or (document_id, no) > ($4, $5::integer))
        and ($7::text is null or kind = $7)
      order by document_id, no limit $6`,
    [
      tenantId,
      scopeId,
      documentId ?? null,
      after?.documentId ?? null,
      after?.no ?? null,
      limit,
      kind ?? null,
    ],
  )
  return rows
}

/** Returns whether a document has more claims. They are numbered without gaps, starting at 0. */
export async function hasMoreClaims(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentId: string,
  count: number,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from claims where tenant_id = $1 and scope_id = $2 and document_id = $3 and no = $4',
    [tenantId, scopeId, documentId, count],
  )
  return rowCount === 1
}
