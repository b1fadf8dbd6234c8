/** Selects one stored document of a scope, to check that it can still be decrypted and recognized. */
import type { TenantTransaction } from '../transaction.ts'

export interface ContentSample {
  readonly documentId: string
  readonly type: string
  readonly fingerprint: Buffer
  readonly sealedCard: Buffer
  readonly sealedText: Buffer
}

export async function selectContentSample(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<ContentSample | undefined> {
  const { rows } = await connection.query<{
    document_id: string
    type: string
    fingerprint: Buffer
    sealed_card: Buffer
    sealed_text: Buffer
  }>(
    `select d.document_id, d.type, d.fingerprint, d.sealed_card, v.sealed_text
       from documents d
       join document_versions v on v.tenant_id = $1 and v.scope_id = d.scope_id and v.document_id = d.document_id
                               and v.version = d.version
      where d.tenant_id = $1 and d.scope_id = $2 and d.fingerprint is not null and d.sealed_card is not null
        and v.sealed_text is not null
      limit 1`,
    [tenantId, scopeId],
  )
  const [row] = rows
  return (
    row && {
      documentId: row.document_id,
      type: row.type,
      fingerprint: row.fingerprint,
      sealedCard: row.sealed_card,
      sealedText: row.sealed_text,
    }
  )
}
