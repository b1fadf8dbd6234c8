/** The statements of decisions. Decisions are inserted once and never updated. */
import type { Holds, Outcome } from '../../domain/resolution.ts'
import type { TenantTransaction } from '../transaction.ts'

export type DecisionPoint = 'admit_document' | 'settle_contradiction' | 'process_document' | 'settle_scope'
export type DecisionResult =
  | 'allowed'
  | 'held'
  | 'refused'
  | 'resolved'
  | 'dismissed'
  | 'reopened'
  | 'released'
export type DecidedBy = 'policy' | 'person' | 'evidence'

export interface NewDecision<Result extends DecisionResult = DecisionResult> {
  readonly decisionId: string
  readonly epoch: number
  readonly point: DecisionPoint
  readonly result: Result
  readonly decidedBy: DecidedBy
  readonly contradictionId: string | null
  readonly documentIds: readonly string[]
  /** The side that is upheld, by the sides at the time of the decision. */
  readonly holds: Holds | null
  /** The rank of the upheld value. */
  readonly upheld: bigint | null
  /** The documents that contradict the upheld value. */
  readonly against: readonly string[]
  readonly policyHash: Buffer | null
  readonly policies: readonly string[]
  /** The caller, as callers appear in records; null if no caller requested the decision. */
  readonly actor: string | null
  /** The person and the reason, sealed with the purpose `decision` and the id as the place. */
  readonly sealed: Buffer | null
  /** The position of its event. */
  readonly seq: number
}

export interface DecisionRow<Result extends DecisionResult = DecisionResult> extends NewDecision<Result> {
  readonly decidedAt: Date
}

export interface DecisionFilter {
  readonly contradictionId?: string | undefined
  readonly documentId?: string | undefined
  readonly point?: DecisionPoint | undefined
  readonly decidedBy?: DecidedBy | undefined
  /** Only decisions before this position. */
  readonly after?: { readonly seq: number; readonly decisionId: string } | undefined
}

type Columns<Result extends DecisionResult> = Omit<DecisionRow<Result>, 'seq' | 'upheld'> & {
  readonly seq: string
  readonly upheld: string | null
}

const COLUMNS = `d.decision_id as "decisionId", d.epoch, d.point, d.result, d.decided_by as "decidedBy",
  d.contradiction_id as "contradictionId", d.document_ids as "documentIds", d.holds, d.upheld, d.against,
  d.policy_hash as "policyHash", d.policies, d.actor, d.sealed, d.seq, d.decided_at as "decidedAt"`

/** The caller must hold the lock of the scope's head. */
export async function insertDecision(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  decision: NewDecision,
): Promise<void> {
  await connection.query(
    `insert into decisions (tenant_id, scope_id, decision_id, epoch, point, result, decided_by, contradiction_id, document_ids,
                            holds, upheld, against, policy_hash, policies, actor, sealed, seq)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      tenantId,
      scopeId,
      decision.decisionId,
      decision.epoch,
      decision.point,
      decision.result,
      decision.decidedBy,
      decision.contradictionId,
      decision.documentIds,
      decision.holds,
      decision.upheld === null ? null : String(decision.upheld),
      decision.against,
      decision.policyHash,
      decision.policies,
      decision.actor,
      decision.sealed,
      decision.seq,
    ],
  )
}

/** Selects decisions, newest first. */
export async function selectDecisions(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { contradictionId, documentId, point, decidedBy, after }: DecisionFilter,
  limit: number,
): Promise<DecisionRow[]> {
  // Each filter has its own index.
  const place = contradictionId === undefined ? 'd.seq > 0 and $3::uuid is null' : 'd.contradiction_id = $3'
  const { rows } = await connection.query<Columns<DecisionResult>>(
    `select ${COLUMNS} from decisions d
      where d.tenant_id = $1 and d.scope_id = $2 and ${place} and ($4::text is null or $4 = any(d.document_ids))
        and ($5::text is null or d.point = $5) and ($6::text is null or d.decided_by = $6)
        and ($7::bigint is null or (d.seq, d.decision_id) < ($7, $8::uuid))
      order by d.seq desc, d.decision_id desc limit $9`,
    [
      tenantId,
      scopeId,
      contradictionId ?? null,
      documentId,
      point,
      decidedBy,
      after?.seq,
      after?.decisionId,
      limit,
    ],
  )
  return rows.map((row) => toRow(row))
}

/** Selects the last decision about each contradiction. Contradictions without a decision are missing in the result. */
export async function selectLatestDecisions(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  contradictionIds: readonly string[],
): Promise<DecisionRow<Outcome>[]> {
  if (contradictionIds.length === 0) return []
  const { rows } = await connection.query<Columns<Outcome>>(
    `select ${COLUMNS} from unnest($3::uuid[]) w(id)
      cross join lateral (select * from decisions d where d.contradiction_id = w.id and d.tenant_id = $1
                             and d.scope_id = $2 and d.result in ('resolved', 'dismissed', 'reopened')
                           order by d.seq desc limit 1) d`,
    [tenantId, scopeId, contradictionIds],
  )
  return rows.map((row) => toRow(row))
}

function toRow<Result extends DecisionResult>(row: Columns<Result>): DecisionRow<Result> {
  return { ...row, seq: Number(row.seq), upheld: row.upheld === null ? null : BigInt(row.upheld) }
}
