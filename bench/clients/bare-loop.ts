/**
 * A loop that reads waiting documents from Postgres and commits the rows a processed document leaves behind, 64 at a
 * time. No broker, no fence, no seals, no reading.
 */
import { randomBytes } from 'node:crypto'
import { Client as Connection } from 'pg'
import { BARE_LOOP_BATCH } from '../src/client.ts'
import type { Client, ClientOrder } from '../src/client.ts'

/** The size of the sealed reading of a text of 2 KB. */
const READING_BYTES = 641

/**
 * Every row is looked up by its key, and the backlog is read in its own order. Left alone, Postgres takes the tables that
 * were just filled for empty ones, and joins all that waits with all there is. What is switched off counts as dear, and what is
 * dear is compiled: 0.7 s for each statement of a trigger, unless that is off as well, as it is for the service.
 */
const SETTINGS = `analyze work, documents, document_versions; set jit = off; set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set enable_sort = off`

const TAKE = `select w.document_id, v.sealed_text
  from (select document_id, version from work
         where shard = shard_of($1) and tenant_id = $1 and state = 'queued' and scope_id = $2
         order by position limit ${BARE_LOOP_BATCH}) w
  cross join lateral (select v.sealed_text from document_versions v
                       where v.tenant_id = $1 and v.scope_id = $2 and v.document_id = w.document_id
                         and v.version = w.version limit 1) v`

const COMMIT = `
  with u as (select id, place from unnest($3::text[]) with ordinality u(id, place)), r as (
    insert into readings (tenant_id, scope_id, document_id, version, epoch, passages, sentences, sealed)
    select $1, $2, id, 1, 0, 1, 1, $4 from u
  ), d as (
    update documents d set status = 'processed', attempt = 1, updated_at = now() from u
     where d.tenant_id = $1 and d.scope_id = $2 and d.document_id = u.id
  ), v as (
    update document_versions v set status = 'processed', started_at = now(), ended_at = now() from u
     where v.tenant_id = $1 and v.scope_id = $2 and v.document_id = u.id and v.version = 1
  ), w as (
    delete from work w using u where w.tenant_id = $1 and w.scope_id = $2 and w.document_id = u.id
  )
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, document_id, version)
  select $1, $2, $5 + 2 * place + step, 0, 'document.processed', id, 1 from u, generate_series(0, 1) step`

export async function open({ target }: ClientOrder): Promise<Client> {
  const connection = new Connection({ connectionString: target['databaseUrl'] })
  await connection.connect()
  await connection.query(SETTINGS)
  const place = [target['tenantId'], target['scopeId']]
  const reading = randomBytes(READING_BYTES)
  let seq = Date.now() * 1_000
  const work = async () => {
    const { rows } = await connection.query<{ document_id: string; sealed_text: Buffer }>({
      name: 'take',
      text: TAKE,
      values: place,
    })
    const ids = rows.map((row) => row.document_id)
    await connection.query({ name: 'commit', text: COMMIT, values: [...place, ids, reading, seq] })
    seq += 2 * BARE_LOOP_BATCH + 2
    return rows.length
  }
  return { lanes: [work], close: () => connection.end() }
}
