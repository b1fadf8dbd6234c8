/** Statements that read the contradictions of a scope. */
import type { ClaimKind } from '../domain/claim.ts'
import type { Finding, Severity } from '../domain/finding.ts'
import type { TenantTransaction } from './transaction.ts'

export type ContradictionStatus = 'open' | 'resolved' | 'dismissed'

export interface ContradictionRow {
  readonly contradictionId: string
  readonly epoch: number
  readonly relation: Finding['relation']
  readonly kind: ClaimKind
  readonly severity: Severity
  readonly confidence: number | null
  readonly status: ContradictionStatus
  readonly documentA: string | null
  readonly documentB: string | null
  /** A finding as JSON; its purpose is `contradiction`, its place the id. */
  readonly sealed: Buffer
  /** Position of `contradiction.opened`: of two, the newer one has the higher. */
  readonly openedSeq: number
  readonly openedAt: Date
  readonly updatedAt: Date
}

export interface ContradictionFilter {
  readonly status?: ContradictionStatus | undefined
  readonly severity?: Severity | undefined
  readonly relation?: Finding['relation'] | undefined
  readonly kind?: string | undefined
  readonly documentId?: string | undefined
  /** Those opened before this position. */
  readonly after?: number | undefined
}

type Columns = Omit<ContradictionRow, 'openedSeq'> & { readonly openedSeq: string }

const COLUMNS = `contradiction_id as "contradictionId", epoch, relation, kind, severity, confidence, status,
  document_a as "documentA", document_b as "documentB", sealed, opened_seq as "openedSeq", opened_at as "openedAt",
  updated_at as "updatedAt"`

/** Newest first. */
export async function selectContradictions(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  filter: ContradictionFilter,
  limit: number,
): Promise<ContradictionRow[]> {
  const { status, severity, relation, kind, documentId, after } = filter
  const { rows } = await connection.query<Columns>(
    `select ${COLUMNS} from contradictions
      where tenant_id = $1 and scope_id = $2 and ($3::text is null or status = $3)
        and ($4::text is null or severity = $4) and ($5::text is null or relation = $5)
        and ($6::text is null or kind = $6) and ($7::text is null or document_a = $7 or document_b = $7)
        and opened_seq > 0 and ($8::bigint is null or opened_seq < $8)
      order by opened_seq desc limit $9`,
    [tenantId, scopeId, status, severity, relation, kind, documentId, after, limit],
  )
  return rows.map(toRow)
}

export async function selectContradiction(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  contradictionId: string,
): Promise<ContradictionRow | undefined> {
  const { rows } = await connection.query<Columns>(
    `select ${COLUMNS} from contradictions where tenant_id = $1 and scope_id = $2 and contradiction_id = $3`,
    [tenantId, scopeId, contradictionId],
  )
  return rows[0] && toRow(rows[0])
}

export interface FindingCounts {
  readonly claims: number
  /** One row for each combination that there is. */
  readonly contradictions: readonly {
    readonly status: ContradictionStatus
    readonly severity: Severity
    readonly relation: Finding['relation']
    readonly kind: string
    readonly count: number
  }[]
}

/** Claims are counted as they are written; contradictions are few enough to be counted when somebody asks. */
export async function countFindings(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<FindingCounts> {
  const { rows } = await connection.query<FindingCounts>(
    `select coalesce((select claims from claim_counts where tenant_id = $1 and scope_id = $2), 0)::float as claims,
            (select coalesce(json_agg(each), '[]')
               from (select status, severity, relation, kind, count(*)::integer as count from contradictions
                      where tenant_id = $1 and scope_id = $2 and opened_seq > 0 group by status, severity, relation, kind
                      order by status, severity, relation, kind) each) as contradictions`,
    [tenantId, scopeId],
  )
  return rows[0] ?? { claims: 0, contradictions: [] }
}

function toRow({ openedSeq, ...row }: Columns): ContradictionRow {
  return { ...row, openedSeq: Number(openedSeq) }
}
