/** The statements that write tags and metadata of a document. The caller must hold the lock of the scope's head. */
import type { TenantTransaction } from '../transaction.ts'

export async function saveLabels(
  { connection, tenantId }: TenantTransaction,
  { scopeId, documentId }: { readonly scopeId: string; readonly documentId: string },
  sealed: Buffer | null,
  labels: readonly Buffer[],
): Promise<Date> {
  const place = [tenantId, scopeId, documentId]
  await connection.query(
    'delete from document_labels where tenant_id = $1 and scope_id = $2 and document_id = $3',
    place,
  )
  await connection.query(
    `insert into document_labels (tenant_id, scope_id, document_id, label)
     select $1, $2, $3, label from unnest($4::bytea[]) label`,
    [...place, labels],
  )
  // The duration of waiting and reading counts from the last change of status, so meanwhile `updated_at` must not change.
  const { rows } = await connection.query<{ updatedAt: Date }>(
    `update documents set sealed_labels = $4,
            updated_at = case when status in ('queued', 'processing') then updated_at else now() end
      where tenant_id = $1 and scope_id = $2 and document_id = $3 returning updated_at as "updatedAt"`,
    [...place, sealed],
  )
  const [row] = rows
  if (!row) throw new Error(`The document ${documentId} went while the head of its scope was held`)
  return row.updatedAt
}
