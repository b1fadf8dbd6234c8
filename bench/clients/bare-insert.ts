/**
 * The rows that an accepted document leaves behind, inserted in batches by one Node client with nothing else to do. No
 * HTTP, no JSON, no seals, no counters, no row-level security, no repetition to look for. Two batches are under way,
 * each with half of what is in flight, as the service does it; the bytes of every row travel, in one binary value.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import type { Client, ClientOrder } from '../src/client.ts'

const CONNECTIONS = 2
/** The size of a sealed card, and what sealing adds to a text. */
const CARD_BYTES = 64
const SEAL_BYTES = 29

const INSERT = `
  with u as materialized (
    select id, place from unnest($3::text[]) with ordinality u(id, place)
  ), d as (
    insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status, fingerprint, sealed_card, seq)
    select $1, $2, id, 0, 1, 'txt', 'queued', $4, $5, $8::bigint + place from u
  ), v as (
    insert into document_versions (tenant_id, scope_id, document_id, version, epoch, status, characters, sealed_text, queued_at)
    select $1, $2, id, 1, 0, 'queued', $7, substring($6::bytea from ((place - 1) * $7::int)::int + 1 for $7::int), now() from u
  ), w as (
    insert into work (tenant_id, scope_id, document_id, version, epoch, shard, position)
    select $1, $2, id, 1, 0, 0, nextval('work_positions') from u
  )
  insert into scope_log (tenant_id, scope_id, seq, epoch, kind, document_id, version)
  select $1, $2, $8::bigint + place, 0, 'document.queued', id, 1 from u`

export async function open({ target, inFlight, bytes }: ClientOrder): Promise<Client> {
  const pool = new Pool({ connectionString: target['databaseUrl'], max: CONNECTIONS })
  const batchSize = Math.max(1, Math.floor(inFlight / CONNECTIONS))
  const fingerprint = randomBytes(16)
  const card = randomBytes(CARD_BYTES)
  const sealed = randomBytes((bytes + SEAL_BYTES) * batchSize)
  let seq = Date.now() * 1_000
  const insert = async () => {
    const ids = Array.from({ length: batchSize }, () => randomUUID())
    seq += batchSize
    const values = [
      target['tenantId'],
      target['scopeId'],
      ids,
      fingerprint,
      card,
      sealed,
      bytes + SEAL_BYTES,
      seq,
    ]
    await pool.query({ name: 'bare-insert', text: INSERT, values })
    return batchSize
  }
  return { lanes: Array.from({ length: CONNECTIONS }, () => insert), close: () => pool.end() }
}
