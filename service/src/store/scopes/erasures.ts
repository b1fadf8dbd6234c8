/** The statements of erasures: the scopes that are being reset or deleted, and their progress. */
import type { AuditActor } from '../../domain/audit.ts'
import type { ErasureCounts } from './scope-erasure.ts'
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

export type ErasureKind = 'reset' | 'delete'

export interface NewErasure {
  readonly scopeId: string
  readonly kind: ErasureKind
  /** The generation that the erasure starts. */
  readonly epoch: number
  readonly who: AuditActor
}

export async function insertErasure(
  { connection, tenantId }: TenantTransaction,
  { scopeId, kind, epoch, who }: NewErasure,
): Promise<void> {
  await connection.query(
    'insert into erasures (tenant_id, scope_id, kind, epoch, tier, actor) values ($1, $2, $3, $4, $5, $6)',
    [tenantId, scopeId, kind, epoch, who.tier, who.actor],
  )
}

/** Turns the reset of a scope into its deletion. */
export async function turnIntoDeletion(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  who: AuditActor,
): Promise<void> {
  await connection.query(
    `update erasures set kind = 'delete', tier = $3, actor = $4 where tenant_id = $1 and scope_id = $2 and kind = 'reset'`,
    [tenantId, scopeId, who.tier, who.actor],
  )
}

/** Adds the number of rows that a batch deleted. */
export async function recordErased(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { documents, claims, contradictions, idempotencyRecords, logEntries }: ErasureCounts,
): Promise<void> {
  await connection.query(
    `update erasures
        set documents = documents + $3, claims = claims + $4, contradictions = contradictions + $5,
            idempotency_records = idempotency_records + $6, log_entries = log_entries + $7, touched_at = clock_timestamp()
      where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId, documents, claims, contradictions, idempotencyRecords, logEntries],
  )
}

export interface EndedErasure {
  readonly kind: ErasureKind
  readonly epoch: number
  readonly who: AuditActor
  readonly erased: ErasureCounts
}

/** Returns undefined if another process has completed it. */
export async function endErasure(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<EndedErasure | undefined> {
  const { rows } = await connection.query<
    { kind: ErasureKind; epoch: number; tier: AuditActor['tier']; actor: string } & Record<Counted, string>
  >(
    `delete from erasures where tenant_id = $1 and scope_id = $2
     returning kind, epoch, tier, actor, documents, claims, contradictions, idempotency_records, log_entries`,
    [tenantId, scopeId],
  )
  const [row] = rows
  return (
    row && {
      kind: row.kind,
      epoch: row.epoch,
      who: { tier: row.tier, actor: row.actor },
      erased: {
        documents: Number(row.documents),
        claims: Number(row.claims),
        contradictions: Number(row.contradictions),
        idempotencyRecords: Number(row.idempotency_records),
        logEntries: Number(row.log_entries),
      },
    }
  )
}

type Counted = 'documents' | 'claims' | 'contradictions' | 'idempotency_records' | 'log_entries'

export interface ErasureRef {
  readonly tenantId: string
  readonly scopeId: string
}

/** Selects erasures without progress for the given time, whose process has probably stopped. Runs as the kernel role. */
export async function selectIdleErasures(
  kernel: Pick<Pool, 'query'>,
  idleMs: number,
  limit: number,
): Promise<ErasureRef[]> {
  const { rows } = await kernel.query<{ tenant_id: string; scope_id: string }>(
    `select tenant_id, scope_id from erasures where touched_at < clock_timestamp() - $1 * interval '1 ms'
      order by touched_at limit $2`,
    [idleMs, limit],
  )
  return rows.map((row) => ({ tenantId: row.tenant_id, scopeId: row.scope_id }))
}

export interface ErasureStats {
  readonly running: number
  /** The longest time without progress of an erasure. Null if there is none. */
  readonly idleMs: number | null
}

/** Runs as the kernel role. */
export async function selectErasureStats(kernel: Pick<Pool, 'query'>): Promise<ErasureStats> {
  const { rows } = await kernel.query<{ running: number; idle: number | null }>(
    `select count(*)::integer as running,
            (extract(epoch from clock_timestamp() - min(touched_at)) * 1000)::float as idle from erasures`,
  )
  const [row] = rows
  return { running: row?.running ?? 0, idleMs: row?.idle ?? null }
}
