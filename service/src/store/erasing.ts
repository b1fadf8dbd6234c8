/**
 * Statements that erase. The head of the scope is held, so nobody writes in it meanwhile, and what was under way when it
 * is let go matches no row any more.
 */
import type { TenantTransaction } from './transaction.ts'

export interface Erased {
  readonly documents: number
  readonly claims: number
  readonly contradictions: number
  readonly idempotencyRecords: number
  readonly logEntries: number
}

/** It grows with the scope, and is bounded only so that it ends some day; the statements of everybody else are short. */
const PATIENCE_MS = 15 * 60_000

const WITHOUT_A_COUNT = [
  'work',
  'readings',
  // @point reset.delete.texts
  'document_versions',
  'certificates',
  'rereads',
] as const
const TRACES = 'work_traces'
const INDEXES = ['claim_keys', 'claim_counts', 'comparison_cuts'] as const
const DECIDED = ['decisions', 'contradiction_periods'] as const
/** First of all: while these are gone, nothing that goes is counted. */
const CONVERGENCE = ['scope_convergence', 'contested', 'convergence_series'] as const
const JUDGING = ['judge_requests', 'judge_verdicts'] as const
const FACTS = [
  'facts',
  'fact_witnesses',
  'fact_postings',
  'fact_words',
  'fact_counts',
  'comparison_steps',
] as const
const MODEL = ['model_answers', 'model_answer_documents'] as const
const FIGURES = ['scope_moves', 'scope_counts', 'scope_periods'] as const

/** Needs the head to be held. */
export async function eraseContent(transaction: TenantTransaction, scopeId: string): Promise<Erased> {
  await transaction.connection.query(`set local statement_timeout = ${PATIENCE_MS}`)
  for (const table of [
    ...CONVERGENCE,
    ...WITHOUT_A_COUNT,
    TRACES,
    ...INDEXES,
    ...DECIDED,
    ...JUDGING,
    ...FACTS,
    ...MODEL,
    ...FIGURES,
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one connection, one statement at a time
    await eraseFrom(transaction, table, scopeId)
  return {
    documents: await eraseFrom(transaction, 'documents', scopeId),
    claims: await eraseFrom(transaction, 'claims', scopeId),
    contradictions: await eraseFrom(transaction, 'contradictions', scopeId),
    idempotencyRecords: await eraseFrom(transaction, 'idempotency_keys', scopeId),
    logEntries: await eraseFrom(transaction, 'scope_log', scopeId),
  }
}

type ContentTable =
  | (typeof CONVERGENCE)[number]
  | (typeof WITHOUT_A_COUNT)[number]
  | typeof TRACES
  | (typeof INDEXES)[number]
  | (typeof DECIDED)[number]
  | (typeof JUDGING)[number]
  | (typeof FACTS)[number]
  | (typeof MODEL)[number]
  | (typeof FIGURES)[number]
  | 'documents'
  | 'claims'
  | 'contradictions'
  | 'idempotency_keys'
  | 'scope_log'

/** True of every row; the index that finds those of a scope asks for it. */
const CONDITIONS: Partial<Record<ContentTable, string>> = {
  // @point reset.delete.conditions
  contradictions: 'and opened_seq > 0',
  decisions: 'and seq > 0',
}

async function eraseFrom(
  { connection, tenantId }: TenantTransaction,
  table: ContentTable,
  scopeId: string,
): Promise<number> {
  // The pool's own timer would give up first.
  const statement = {
    text: `delete from ${table} where tenant_id = $1 and scope_id = $2 ${CONDITIONS[table] ?? ''}`,
    values: [tenantId, scopeId],
    query_timeout: PATIENCE_MS,
  }
  const { rowCount } = await connection.query(statement)
  return rowCount ?? 0
}

/** The keys of generations before this one go: what they sealed opens with nothing that the database has now. */
export async function beginGeneration(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  epoch: number,
): Promise<void> {
  const place = [tenantId, scopeId, epoch]
  await connection.query('update scopes set epoch = $3 where tenant_id = $1 and scope_id = $2', place)
  await connection.query('update scope_heads set epoch = $3 where tenant_id = $1 and scope_id = $2', place)
  // @point reset.delete.keys
  await connection.query(
    'delete from scope_keys where tenant_id = $1 and scope_id = $2 and epoch < $3',
    place,
  )
}

/** The scope with its head and its keys; what stays is the number of its last generation. */
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
  await connection.query('delete from scopes where tenant_id = $1 and scope_id = $2', [tenantId, scopeId])
  await endPolicies({ connection, tenantId }, scopeId)
}

/** Those written for the scope. A scope of the same id that is made later has none of them. */
async function endPolicies({ connection, tenantId }: TenantTransaction, scopeId: string): Promise<void> {
  await connection.query('update policy_heads set changes = changes + 1 where tenant_id = $1', [tenantId])
  await connection.query('delete from policies where tenant_id = $1 and scope_id = $2', [tenantId, scopeId])
}

/** Needs its scopes to be gone; its keys go with it. */
export async function endTenant({ connection, tenantId }: TenantTransaction): Promise<boolean> {
  await connection.query('delete from ended_scopes where tenant_id = $1', [tenantId])
  await connection.query('delete from tenant_switches where tenant_id = $1', [tenantId])
  await connection.query('delete from policies where tenant_id = $1', [tenantId])
  await connection.query('delete from policy_heads where tenant_id = $1', [tenantId])
  await connection.query('delete from judge_permits where tenant_id = $1', [tenantId])
  await connection.query('delete from judge_spending where tenant_id = $1', [tenantId])
  await connection.query('delete from model_spending where tenant_id = $1', [tenantId])
  await connection.query('delete from model_usage where tenant_id = $1', [tenantId])
  const { rowCount } = await connection.query('delete from tenants where tenant_id = $1', [tenantId])
  return rowCount === 1
}
