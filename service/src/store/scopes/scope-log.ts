/** The statements of the head and the log of a scope. A transaction that locks the head is the only writer of the scope until it commits. */
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'
import type { NewEvent } from './events.ts'

export interface ScopeHead {
  readonly scopeId: string
  readonly epoch: number
  readonly head: number
  /** True while the scope is being reset or deleted: rows of older generations still exist, and nothing may be read or written. */
  readonly erasing: boolean
}

export interface LogEntry {
  readonly kind: string
  readonly documentId: string | null
  readonly version: number | null
  /** Ids, counts and kinds, never content. */
  readonly data: Readonly<Record<string, unknown>>
  readonly seq: number
  readonly epoch: number
  readonly at: Date
}

interface HeadColumns {
  readonly epoch: number
  readonly head: string
  readonly erasing: boolean
}

const toHead = (scopeId: string, { epoch, head, erasing }: HeadColumns): ScopeHead => ({
  scopeId,
  epoch,
  head: Number(head),
  erasing,
})

interface LogColumns {
  readonly seq: string
  readonly epoch: number
  readonly kind: string
  readonly document_id: string | null
  readonly version: number | null
  readonly data: Readonly<Record<string, unknown>>
  readonly at: Date
}

const LOG_COLUMNS = 'seq, epoch, kind, document_id, version, data, at'

export async function insertScopeHead(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  epoch: number,
): Promise<void> {
  await connection.query('insert into scope_heads (tenant_id, scope_id, epoch) values ($1, $2, $3)', [
    tenantId,
    scopeId,
    epoch,
  ])
}

/** Locks the head. Waits for the present writer of the scope. */
export async function lockScopeHead(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<ScopeHead | undefined> {
  const { rows } = await connection.query<HeadColumns>(
    'select epoch, head, erasing from scope_heads where tenant_id = $1 and scope_id = $2 for no key update',
    [tenantId, scopeId],
  )
  return rows[0] && toHead(scopeId, rows[0])
}

export async function selectScopeHead(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<ScopeHead | undefined> {
  const { rows } = await connection.query<HeadColumns>(
    'select epoch, head, erasing from scope_heads where tenant_id = $1 and scope_id = $2',
    [tenantId, scopeId],
  )
  return rows[0] && toHead(scopeId, rows[0])
}

/** Appends events and returns the position of the last one. The caller must hold the lock of the head. */
export async function appendEvents(
  { connection, tenantId }: TenantTransaction,
  { scopeId, epoch, head }: Omit<ScopeHead, 'erasing'>,
  events: readonly NewEvent[],
): Promise<number> {
  await connection.query(
    `insert into scope_log (tenant_id, scope_id, epoch, seq, kind, document_id, version, data, kernel_seq)
     select $1, $2, $3, $4::bigint + place, kind, document_id, version, data, (select nextval('kernel_seqs'))
       from rows from (json_to_recordset($5) as (kind text, "documentId" text, version integer, data jsonb))
         with ordinality as e(kind, document_id, version, data, place)`,
    [tenantId, scopeId, epoch, head, JSON.stringify(events)],
  )
  const last = head + events.length
  await connection.query('update scope_heads set head = $3 where tenant_id = $1 and scope_id = $2', [
    tenantId,
    scopeId,
    last,
  ])
  return last
}

export async function selectLog(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: number,
  limit: number,
): Promise<LogEntry[]> {
  const { rows } = await connection.query<LogColumns>(
    `select ${LOG_COLUMNS} from scope_log
      where tenant_id = $1 and scope_id = $2 and seq > $3
        and not exists (select from scope_heads where tenant_id = $1 and scope_id = $2 and erasing)
      order by seq limit $4`,
    [tenantId, scopeId, after, limit],
  )
  return rows.map(toEntry)
}

export interface PlacedHead {
  readonly tenantId: string
  readonly scopeId: string
  readonly head: number
}

/** Reads the heads of all followed scopes in one statement. Runs as the kernel role. */
export async function selectHeads(
  kernel: Pool,
  places: readonly { readonly tenantId: string; readonly scopeId: string }[],
): Promise<PlacedHead[]> {
  const { rows } = await kernel.query<{ tenant_id: string; scope_id: string; head: string }>(
    `select h.tenant_id, h.scope_id, h.head
       from unnest($1::uuid[], $2::text[]) p(tenant_id, scope_id) join scope_heads h using (tenant_id, scope_id)`,
    [places.map(({ tenantId }) => tenantId), places.map(({ scopeId }) => scopeId)],
  )
  return rows.map((row) => ({ tenantId: row.tenant_id, scopeId: row.scope_id, head: Number(row.head) }))
}

/** Position in the log of all scopes: what was written together, and in it by tenant, scope and seq. */
export interface KernelPosition {
  readonly kernelSeq: number
  readonly tenantId: string
  readonly scopeId: string
  readonly seq: number
}

export interface KernelLogEntry extends LogEntry {
  readonly position: KernelPosition
  /** The subject of an entry that belongs to no scope, and so to no log of a scope. */
  readonly subject: string | null
}

/** Sorts before every tenant. */
const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`

/** Selects the entries after the position, up to a kernelSeq below which every transaction has ended. Runs as the kernel role. */
export async function selectKernelLog(
  kernel: Pool,
  { kernelSeq, tenantId, scopeId, seq }: KernelPosition,
  { until, limit }: { readonly until: number; readonly limit: number },
): Promise<KernelLogEntry[]> {
  const { rows } = await kernel.query<
    LogColumns & { tenant_id: string; scope_id: string; kernel_seq: string; subject: string | null }
  >(
    `select ${LOG_COLUMNS}, tenant_id, scope_id, kernel_seq, null as subject from scope_log
      where kernel_seq between $1::bigint and $5::bigint
        and (kernel_seq, tenant_id, scope_id, seq) > ($1::bigint, $2::uuid, $3::text collate "C", $4::bigint)
     union all
     select 0, 0, kind, null, null, data, at, ${NOBODY}, '', kernel_seq, subject from kernel_log
      where kernel_seq between $1::bigint and $5::bigint
        and (kernel_seq, ${NOBODY}, '', 0) > ($1::bigint, $2::uuid, $3::text collate "C", $4::bigint)
      order by kernel_seq, tenant_id, scope_id, seq limit $6`,
    [kernelSeq, tenantId, scopeId, seq, until, limit],
  )
  return rows.map((row) => ({
    ...toEntry(row),
    subject: row.subject,
    position: {
      kernelSeq: Number(row.kernel_seq),
      tenantId: row.tenant_id,
      scopeId: row.scope_id,
      seq: Number(row.seq),
    },
  }))
}

/** Returns the last assigned kernelSeq. Its transaction may still be running. Runs as the kernel role. */
export async function selectKernelSeq(kernel: Pool): Promise<number> {
  const { rows } = await kernel.query<{ last: string }>(
    'select case when is_called then last_value else 0 end as last from kernel_seqs',
  )
  return Number(rows[0]?.last ?? 0)
}

/** Returns the number up to which entries may have been deleted, or 0. Runs as the kernel role. */
export async function selectLogStart(kernel: Pool): Promise<number> {
  const { rows } = await kernel.query<{ start: string }>('select kernel_seq as start from log_start')
  return Number(rows[0]?.start ?? 0)
}

/** Returns the id of a new transaction. Every transaction that has an id already has a smaller one. Runs as the kernel role. */
export async function drawTransactionId(kernel: Pool): Promise<bigint> {
  const { rows } = await kernel.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  return BigInt(rows[0]?.xid ?? 0)
}

/** Returns an id: every transaction with a smaller one has ended. Runs as the kernel role. */
export async function selectOldestRunning(kernel: Pool): Promise<bigint> {
  const { rows } = await kernel.query<{ xid: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xid',
  )
  // @point events.oldest-transaction
  return BigInt(rows[0]?.xid ?? 0)
}

function toEntry(row: LogColumns): LogEntry {
  return {
    seq: Number(row.seq),
    epoch: row.epoch,
    kind: row.kind,
    documentId: row.document_id,
    version: row.version,
    data: row.data,
    at: row.at,
  }
}
