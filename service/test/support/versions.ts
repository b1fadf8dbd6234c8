/** Many versions of one document, written by one statement as if each had replaced the one before it. */
import type { TestDatabase } from './database.ts'
import { look } from './documents.ts'

/** Fills up to this version, which is the newest then and has the status of the document; all before it are superseded. */
export async function addVersions(
  database: TestDatabase,
  { tenantId, documentId }: { readonly tenantId: string; readonly documentId: string },
  upTo: number,
): Promise<void> {
  const place = [tenantId, documentId, upTo]
  await look(
    database,
    `insert into document_versions (tenant_id, scope_id, document_id, version, epoch, status, characters, sealed_text, ended_at)
     select tenant_id, scope_id, document_id, n, epoch, case n when $3 then status else 'superseded' end, 9, '\\x01',
            case n when $3 then null else now() end
       from documents, generate_series(1, $3::integer) n where tenant_id = $1 and document_id = $2
     on conflict (tenant_id, scope_id, document_id, version) do update set status = excluded.status, ended_at = excluded.ended_at`,
    place,
  )
  await look(database, 'update documents set version = $3 where tenant_id = $1 and document_id = $2', place)
  await look(database, 'update work set version = $3 where tenant_id = $1 and document_id = $2', place)
}
