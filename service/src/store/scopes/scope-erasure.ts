/**
 * The statements that erase the rows of a scope, in pieces. The head of the scope is locked and marked, so no other transaction writes in
 * the scope meanwhile, and work that was in progress matches no row once the lock is released.
 */
import type { TenantTransaction } from '../transaction.ts'

export interface ErasureCounts {
  readonly documents: number
  readonly claims: number
  readonly contradictions: number
  readonly idempotencyRecords: number
  readonly logEntries: number
}

export const NOTHING_ERASED: ErasureCounts = {
  documents: 0,
  claims: 0,
  contradictions: 0,
  idempotencyRecords: 0,
  logEntries: 0,
}

export function addErased(a: ErasureCounts, b: ErasureCounts): ErasureCounts {
  return {
    documents: a.documents + b.documents,
    claims: a.claims + b.claims,
    contradictions: a.contradictions + b.contradictions,
    idempotencyRecords: a.idempotencyRecords + b.idempotencyRecords,
    logEntries: a.logEntries + b.logEntries,
  }
}

/** Where the next piece begins: a table of `CONTENT_TABLES`, and the value of its column at which the last piece ended. */
export interface ErasurePosition {
  readonly table: number
  readonly after: string | null
}

export const ERASURE_START: ErasurePosition = { table: 0, after: null }

interface ContentTable {
  readonly name: string
  /** An index has tenant, scope and this column, so each piece begins where the last one ended. */
  readonly column: string
  readonly type: 'text' | 'bigint' | 'integer' | 'bytea' | 'timestamptz'
  readonly counts?: keyof ErasureCounts
}

const CONTENT_TABLES: readonly ContentTable[] = [
  { name: 'work', column: 'document_id', type: 'text' },
  { name: 'contested', column: 'document_id', type: 'text' },
  { name: 'convergence_series', column: 'seq', type: 'bigint' },
  { name: 'readings', column: 'document_id', type: 'text' },
  // @point reset.delete.texts
  { name: 'document_versions', column: 'document_id', type: 'text' },
  { name: 'certificates', column: 'number', type: 'integer' },
  { name: 'work_traces', column: 'document_id', type: 'text' },
  { name: 'claim_keys', column: 'key', type: 'bigint' },
  { name: 'comparison_cuts', column: 'group_key', type: 'bigint' },
  { name: 'decisions', column: 'seq', type: 'bigint' },
  { name: 'contradiction_periods', column: 'seconds', type: 'integer' },
  { name: 'judge_requests', column: 'pair', type: 'bytea' },
  { name: 'judge_verdicts', column: 'pair', type: 'bytea' },
  { name: 'facts', column: 'fact_key', type: 'bigint' },
  { name: 'fact_witnesses', column: 'fact_key', type: 'bigint' },
  { name: 'fact_postings', column: 'word', type: 'bigint' },
  { name: 'fact_words', column: 'word', type: 'bigint' },
  { name: 'comparison_steps', column: 'step', type: 'bigint' },
  { name: 'model_answers', column: 'request', type: 'bytea' },
  { name: 'model_answer_documents', column: 'document_id', type: 'text' },
  { name: 'scope_periods', column: 'seconds', type: 'integer' },
  { name: 'document_labels', column: 'label', type: 'bytea' },
  { name: 'documents', column: 'document_id', type: 'text', counts: 'documents' },
  { name: 'claims', column: 'document_id', type: 'text', counts: 'claims' },
  { name: 'contradictions', column: 'opened_seq', type: 'bigint', counts: 'contradictions' },
  { name: 'idempotency_keys', column: 'key_hash', type: 'bytea', counts: 'idempotencyRecords' },
  { name: 'scope_log', column: 'seq', type: 'bigint', counts: 'logEntries' },
]

/** Tables with few rows per scope: its counts, and the running reread. Their rows are deleted in the first transaction. */
const SMALL_TABLES = ['claim_counts', 'fact_counts', 'scope_counts', 'scope_moves', 'rereads'] as const

/**
 * The conditions of partial indexes, which are true for every row of the scope. A statement repeats them so that Postgres
 * uses the index.
 */
const CONDITIONS: Readonly<Record<string, string>> = {
  // @point reset.delete.conditions
  contradictions: 'and opened_seq > 0',
  decisions: 'and seq > 0',
}

export async function eraseCounts(transaction: TenantTransaction, scopeId: string): Promise<void> {
  for (const table of SMALL_TABLES)
    // oxlint-disable-next-line no-await-in-loop -- one connection, one statement at a time
    await eraseAllOf(transaction, table, scopeId)
}

export interface ErasedPiece {
  readonly erased: ErasureCounts
  /** True if another transaction changed a row after it was found and before it was deleted, so that it may still exist. */
  readonly missed: boolean
  /** Undefined after the last row. */
  readonly next: ErasurePosition | undefined
}

/** Deletes a bounded number of rows, table by table. The caller must hold the lock of the scope's head. */
export async function erasePiece(
  transaction: TenantTransaction,
  scopeId: string,
  { table: first, after }: ErasurePosition,
  rows: number,
): Promise<ErasedPiece> {
  const erased = { ...NOTHING_ERASED }
  let left = rows
  let missed = false
  for (const [at, table] of CONTENT_TABLES.entries()) {
    if (at < first) continue
    const from = at === first ? after : null
    // oxlint-disable-next-line no-await-in-loop -- one connection, one statement at a time
    const { found, count, last } = await eraseFrom(transaction, table, scopeId, from, left)
    if (table.counts) erased[table.counts] += count
    missed ||= count < found
    left -= found
    if (left === 0) return { erased, missed, next: { table: at, after: last } }
  }
  return { erased, missed, next: undefined }
}

interface ErasedRows {
  readonly found: number
  /**
   * Less than `found` if a row was changed meanwhile, which moves it. The dispatcher changes rows of `work` without the
   * lock of the head.
   */
  readonly count: number
  readonly last: string | null
}

async function eraseFrom(
  { connection, tenantId }: TenantTransaction,
  { name, column, type }: ContentTable,
  scopeId: string,
  after: string | null,
  rows: number,
): Promise<ErasedRows> {
  const beyond = after === null ? '' : `and ${column} >= $4::text::${type}`
  const { rows: pieces } = await connection.query<ErasedRows>(
    `with piece as materialized (
       select ctid as place, ${column} as ordinal from ${name}
        where tenant_id = $1 and scope_id = $2 ${CONDITIONS[name] ?? ''} ${beyond} order by ${column} limit $3
     ), gone as (
       delete from ${name} where tenant_id = $1 and ctid = any(array(select place from piece)) returning 1
     )
     select (select count(*)::integer from piece) as found, (select count(*)::integer from gone) as count,
            (select ordinal::text from piece order by ordinal desc limit 1) as last`,
    [tenantId, scopeId, rows, ...(after === null ? [] : [after])],
  )
  return pieces[0] ?? { found: 0, count: 0, last: null }
}

/** The last statement is short after the pieces. The timeout only makes sure that it ends. */
const TIMEOUT_MS = 15 * 60_000

/** Deletes the remaining rows in this transaction. The caller must hold the lock of the scope's head. */
export async function eraseRest(transaction: TenantTransaction, scopeId: string): Promise<ErasureCounts> {
  await transaction.connection.query(`set local statement_timeout = ${TIMEOUT_MS}`)
  await eraseCounts(transaction, scopeId)
  const erased = { ...NOTHING_ERASED }
  for (const { name, counts } of CONTENT_TABLES) {
    // oxlint-disable-next-line no-await-in-loop -- one connection, one statement at a time
    const count = await eraseAllOf(transaction, name, scopeId)
    if (counts) erased[counts] += count
  }
  return erased
}

async function eraseAllOf(
  { connection, tenantId }: TenantTransaction,
  table: string,
  scopeId: string,
): Promise<number> {
  // The timer of the pool would expire first.
  const statement = {
    text: `delete from ${table} where tenant_id = $1 and scope_id = $2 ${CONDITIONS[table] ?? ''}`,
    values: [tenantId, scopeId],
    query_timeout: TIMEOUT_MS,
  }
  const { rowCount } = await connection.query(statement)
  return rowCount ?? 0
}

/**
 * Begins an erasure. From now on nothing of the scope can be read or written: its head is marked and the keys of older generations are
 * deleted, so nothing in the database decrypts what they sealed.
 */
export async function beginErasing(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  epoch: number,
): Promise<void> {
  const place = [tenantId, scopeId, epoch]
  await connection.query('update scopes set epoch = $3 where tenant_id = $1 and scope_id = $2', place)
  await connection.query(
    'update scope_heads set epoch = $3, erasing = true where tenant_id = $1 and scope_id = $2',
    place,
  )
  // @point reset.delete.keys
  await connection.query(
    'delete from scope_keys where tenant_id = $1 and scope_id = $2 and epoch < $3',
    place,
  )
}

/** Ends an erasure. The new generation is writable once it has its key. */
export async function endErasing(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  epoch: number,
): Promise<void> {
  await connection.query(
    'update scope_heads set epoch = $3, erasing = false where tenant_id = $1 and scope_id = $2',
    [tenantId, scopeId, epoch],
  )
}

/** Deletes the scope with its head and its keys. The number of its last generation is kept. */
export async function endScope(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  epoch: number,
): Promise<void> {
  await connection.query(
    `insert into ended_scopes (tenant_id, scope_id, epoch) values ($1, $2, $3)
     on conflict (tenant_id, scope_id) do update set epoch = excluded.epoch`,
    [tenantId, scopeId, epoch],
  )
  await connection.query('delete from scope_heads where tenant_id = $1 and scope_id = $2', [
    tenantId,
    scopeId,
  ])
  await connection.query('delete from scope_convergence where tenant_id = $1 and scope_id = $2', [
    tenantId,
    scopeId,
  ])
  await connection.query('delete from scopes where tenant_id = $1 and scope_id = $2', [tenantId, scopeId])
  await endPolicies({ connection, tenantId }, scopeId)
}

/** Deletes the policies of the scope, so that a later scope with the same id does not inherit them. */
async function endPolicies({ connection, tenantId }: TenantTransaction, scopeId: string): Promise<void> {
  await connection.query('update policy_heads set changes = changes + 1 where tenant_id = $1', [tenantId])
  await connection.query('delete from policies where tenant_id = $1 and scope_id = $2', [tenantId, scopeId])
}

/**
 * Deletes a tenant with its keys, unless it still has scopes. It locks the row of the tenant first, so a scope that is being created is
 * either visible here or finds no tenant.
 */
export async function endTenant({
  connection,
  tenantId,
}: TenantTransaction): Promise<'ended' | 'not_found' | 'scopes_left'> {
  await connection.query('select from tenants where tenant_id = $1 for update', [tenantId])
  const { rowCount: scopes } = await connection.query('select from scopes where tenant_id = $1 limit 1', [
    tenantId,
  ])
  if (scopes) return 'scopes_left'
  await connection.query('delete from ended_scopes where tenant_id = $1', [tenantId])
  await connection.query('delete from tenant_switches where tenant_id = $1', [tenantId])
  await connection.query('delete from policies where tenant_id = $1', [tenantId])
  await connection.query('delete from policy_heads where tenant_id = $1', [tenantId])
  await connection.query('delete from judge_permits where tenant_id = $1', [tenantId])
  await connection.query('delete from judge_spending where tenant_id = $1', [tenantId])
  await connection.query('delete from model_spending where tenant_id = $1', [tenantId])
  await connection.query('delete from model_usage where tenant_id = $1', [tenantId])
  const { rowCount } = await connection.query('delete from tenants where tenant_id = $1', [tenantId])
  return rowCount === 1 ? 'ended' : 'not_found'
}
