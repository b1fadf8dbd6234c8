/** Documents that failed, or that policies hold, without a worker: no text fails for sure, and not every stage has a worker. */
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'

/** Writes the result of a document that it could not read, for every document whose id begins like this. */
export async function failDocuments(services: Services, database: string, prefix: string): Promise<void> {
  await endDocuments(
    services,
    database,
    prefix,
    `'failed', error_code = 'threw', error_stage = 'read', attempt = 3`,
  )
}

/** Writes the result of a worker for a document that it may not read. */
export async function holdDocuments(services: Services, database: string, prefix: string): Promise<void> {
  await endDocuments(services, database, prefix, `'held', decision_id = gen_random_uuid(), attempt = 1`)
}

async function endDocuments(
  services: Services,
  database: string,
  prefix: string,
  end: string,
): Promise<void> {
  const which = `where starts_with(document_id, '${prefix}')`
  await asSuperuser(
    services,
    (client) =>
      client.query(
        `update documents set status = ${end} ${which};
         update document_versions v set status = d.status, ended_at = now() from documents d
          where starts_with(v.document_id, '${prefix}')
            and (d.tenant_id, d.scope_id, d.document_id) = (v.tenant_id, v.scope_id, v.document_id);
         delete from work ${which}`,
      ),
    database,
  )
}
