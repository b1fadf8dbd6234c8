/** Rows that a year of use leaves behind, written by SQL: to send as many requests takes longer than the proof. */
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { Place } from '../../harness/places.ts'

export interface Filling {
  readonly keys: number
  readonly versions: number
  /** Has these versions; the newest of them is in force. */
  readonly documentId: string
}

/** Fills tables as if all of it had been sent this very moment. */
export async function fillTables(
  services: Services,
  database: string,
  { tenantId, scopeId }: Place,
  { keys, versions, documentId }: Filling,
): Promise<void> {
  await asSuperuser(
    services,
    async (client) => {
      await client.query('set session_replication_role = replica')
      await client.query(
        `insert into idempotency_keys (tenant_id, key_hash, fingerprint, scope_id, document_id, seq)
         select $1, decode(md5('filled ' || n), 'hex'), decode(md5(n::text), 'hex'), $2, 'filled-' || n, n
           from generate_series(1, $3::int) n`,
        [tenantId, scopeId, keys],
      )
      await client.query(
        `insert into document_versions (tenant_id, scope_id, document_id, version, epoch, status, characters, sealed_text, ended_at)
         select $1, $2, $3, n, 0, 'superseded', 100, decode(repeat(md5(n::text), 8), 'hex'), now()
           from generate_series(2, $4::int - 1) n`,
        [tenantId, scopeId, documentId, versions],
      )
      // The version that was processed is the newest of them all, with its reading and its claims.
      for (const table of ['document_versions', 'documents', 'readings', 'claims'])
        await client.query(
          `update ${table} set version = $4 where tenant_id = $1 and scope_id = $2 and document_id = $3 and version = 1`,
          [tenantId, scopeId, documentId, versions],
        )
      await client.query('set session_replication_role = origin')
      await client.query('analyze idempotency_keys, document_versions')
    },
    database,
  )
}
