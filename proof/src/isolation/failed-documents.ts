/** Documents that failed, without a worker: no text fails for sure, and not every stage has a worker. */
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'

/** What a worker leaves of a document that it could not read, for every document whose id begins like this. */
export async function failDocuments(services: Services, database: string, prefix: string): Promise<void> {
  const which = `where starts_with(document_id, '${prefix}')`
  await asSuperuser(
    services,
    (client) =>
      client.query(
        `update documents set status = 'failed', error_code = 'threw', error_stage = 'read', attempt = 3 ${which};
         update document_versions set status = 'failed', ended_at = now() ${which};
         delete from work ${which}`,
      ),
    database,
  )
}
