/** Fills a scope by SQL with documents that were processed: to send as many takes longer than the proof. */
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { Place } from '../../harness/places.ts'

export async function fillScope(
  services: Services,
  database: string,
  { tenantId, scopeId }: Place,
  documents: number,
): Promise<void> {
  await asSuperuser(
    services,
    async (client) => {
      // Triggers would count each; a reset removes the counts with the rest.
      await client.query('set session_replication_role = replica')
      const values = [tenantId, scopeId, documents]
      await client.query(
        `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status, fingerprint, characters)
         select $1, $2, 'filled-' || n, 0, 1, 'txt', 'processed', decode(md5(n::text), 'hex'), 100
           from generate_series(1, $3::int) n`,
        values,
      )
      await client.query(
        `insert into document_versions (tenant_id, scope_id, document_id, version, epoch, status, characters, sealed_text)
         select $1, $2, 'filled-' || n, 1, 0, 'processed', 100, decode(repeat(md5(n::text), 8), 'hex')
           from generate_series(1, $3::int) n`,
        values,
      )
      await client.query('set session_replication_role = origin')
    },
    database,
  )
}
