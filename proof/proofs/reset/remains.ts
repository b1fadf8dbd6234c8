/** The rows that are left in the database when everything has settled, read as its superuser: every row of every table. */
import type { Ask } from '../../harness/database.ts'

/** A row that belongs to a document or to the log of a scope. */
export interface Remnant {
  readonly table: string
  readonly tenantId: string
  readonly scopeId: string
  /** Null in an entry of the log that tells of the scope itself. */
  readonly documentId: string | null
  /** Null where the table keeps none. */
  readonly epoch: number | null
  /** Its place in the log, where it has one. */
  readonly seq: number | null
  /** The status of a document, the kind of an entry. */
  readonly label: string | null
}

export interface LeftScope {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
  readonly head: number
  readonly headEpoch: number
  /** The epochs of the data keys that are there. */
  readonly keyEpochs: readonly number[]
}

export interface Remains {
  readonly rows: readonly Remnant[]
  readonly scopes: readonly LeftScope[]
}

/** The columns of each table for the last three columns. */
const TABLES: Readonly<Record<string, string>> = {
  documents: 'epoch, seq::float8 as seq, status as label',
  document_versions: 'epoch, null::float8 as seq, null as label',
  readings: 'epoch, null::float8 as seq, null as label',
  work: 'epoch, null::float8 as seq, null as label',
  idempotency_keys: 'null::int as epoch, seq::float8 as seq, null as label',
  scope_log: 'epoch, seq::float8 as seq, kind as label',
}

export async function readRemains(ask: Ask): Promise<Remains> {
  const rows: Remnant[] = []
  for (const [table, columns] of Object.entries(TABLES)) {
    const found = await ask<Remnant>(
      `select '${table}' as table, tenant_id as "tenantId", scope_id as "scopeId", document_id as "documentId",
              ${columns} from ${table}`,
    )
    for (const row of found) rows.push(row)
  }
  const scopes = await ask<LeftScope>(
    `select s.tenant_id as "tenantId", s.scope_id as "scopeId", s.epoch, h.head::float8 as head,
            h.epoch as "headEpoch",
            array(select k.epoch from scope_keys k where k.tenant_id = s.tenant_id and k.scope_id = s.scope_id
                   order by k.epoch) as "keyEpochs"
       from scopes s join scope_heads h using (tenant_id, scope_id)`,
  )
  return { rows, scopes }
}
