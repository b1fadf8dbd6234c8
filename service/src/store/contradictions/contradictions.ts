/** The statements of the contradictions of a scope, except what a comparison writes, which is in store/comparing. */
import type { ClaimKind } from '../../domain/claim.ts'
import type { Finding, Severity } from '../../domain/finding.ts'
import type { ContradictionStatus } from '../../domain/resolution.ts'
import type { TenantTransaction } from '../transaction.ts'

export type { ContradictionStatus }
export type ContradictionKind = ClaimKind | 'reported'

/** The ranks of both values; null for a report, or for a finding that was not compared since ranks are stored. */
export interface ContradictionValues {
  readonly valueA: bigint | null
  readonly valueB: bigint | null
}

export interface ContradictionRow extends ContradictionValues {
  readonly contradictionId: string
  readonly epoch: number
  readonly relation: Finding['relation']
  readonly kind: ContradictionKind
  readonly severity: Severity
  readonly confidence: number | null
  readonly status: ContradictionStatus
  readonly documentA: string | null
  readonly documentB: string | null
  /** Set for a finding; null for a report. */
  readonly group: bigint | null
  /** The finding or the report as JSON, sealed with the purpose `contradiction` and the id as the place. */
  readonly sealed: Buffer
  /** The position of `contradiction.opened`. Newer contradictions have higher positions. */
  readonly openedSeq: number
  readonly openedAt: Date
  readonly updatedAt: Date
}

export interface ContradictionFilter {
  readonly statuses?: readonly ContradictionStatus[] | undefined
  readonly severities?: readonly Severity[] | undefined
  readonly relation?: Finding['relation'] | undefined
  readonly kind?: ContradictionKind | undefined
  readonly documentId?: string | undefined
}

/** The position after a page of the most severe contradictions. */
export interface SeverityPosition {
  readonly severity: Severity
  readonly confidence: number
  readonly openedSeq: number
}

/** In ascending order of severity. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[]

/** A report by a person has the highest confidence. */
export function confidenceOf({ confidence }: Pick<ContradictionRow, 'confidence'>): number {
  return confidence ?? 1
}

type Columns = Omit<ContradictionRow, 'openedSeq' | 'group' | 'valueA' | 'valueB'> & {
  readonly openedSeq: string
  readonly group: string | null
  readonly valueA: string | null
  readonly valueB: string | null
}

const COLUMNS = `contradiction_id as "contradictionId", epoch, relation, kind, severity, confidence, status,
  document_a as "documentA", document_b as "documentB", group_key as "group", value_a as "valueA", value_b as "valueB",
  sealed, opened_seq as "openedSeq", opened_at as "openedAt",
  updated_at as "updatedAt"`

/** Selects contradictions that were opened before a position, newest first. */
export async function selectContradictions(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  filter: ContradictionFilter & { readonly after?: number | undefined },
  limit: number,
): Promise<ContradictionRow[]> {
  const { statuses, severities, relation, kind, documentId, after } = filter
  const { rows } = await connection.query<Columns>(
    `select ${COLUMNS} from contradictions
      where tenant_id = $1 and scope_id = $2 and ($3::text[] is null or status = any($3))
        and ($4::text[] is null or severity = any($4)) and ($5::text is null or relation = $5)
        and ($6::text is null or kind = $6) and ($7::text is null or document_a = $7 or document_b = $7)
        and opened_seq > 0 and ($8::bigint is null or opened_seq < $8)
      order by opened_seq desc limit $9`,
    [tenantId, scopeId, statuses, severities, relation, kind, documentId, after, limit],
  )
  return rows.map(toRow)
}

/**
 * Selects the most severe contradictions first, within a severity by confidence. Each severity and status has its own range of the index,
 * so a page reads at most `limit` rows of each, however many contradictions exist.
 */
export async function selectMostSevere(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  filter: ContradictionFilter & { readonly after?: SeverityPosition | undefined },
  limit: number,
): Promise<ContradictionRow[]> {
  const { statuses = STATUSES, severities = SEVERITIES, relation, kind, documentId, after } = filter
  const { rows } = await connection.query<Columns>(
    `select ${COLUMNS} from unnest($3::text[]) s(of_status)
      cross join unnest($4::text[], $5::float8[], $6::bigint[]) w(of_severity, below, before)
      cross join lateral (
        select * from contradictions c
         where c.tenant_id = $1 and c.scope_id = $2 and c.status = s.of_status and c.severity = w.of_severity
           and c.opened_seq > 0 and (coalesce(c.confidence, 1), c.opened_seq) < (w.below, w.before)
           and ($7::text is null or c.relation = $7) and ($8::text is null or c.kind = $8)
           and ($9::text is null or c.document_a = $9 or c.document_b = $9)
         order by coalesce(c.confidence, 1) desc, c.opened_seq desc limit $10) c
      order by array_position($11::text[], c.severity) desc, coalesce(c.confidence, 1) desc, c.opened_seq desc limit $10`,
    [
      tenantId,
      scopeId,
      statuses,
      ...startsOf(severities, after),
      relation,
      kind,
      documentId,
      limit,
      SEVERITIES,
    ],
  )
  return rows.map(toRow)
}

const STATUSES: readonly ContradictionStatus[] = ['open', 'resolved', 'dismissed']

/** A position above every confidence. */
const ABOVE_MAX_CONFIDENCE = 2

/** Returns the severities that later pages still have, and the position at which each continues. */
function startsOf(
  severities: readonly Severity[],
  after: SeverityPosition | undefined,
): [severities: readonly Severity[], confidences: readonly number[], seqs: readonly number[]] {
  const last = after ? SEVERITIES.indexOf(after.severity) : SEVERITIES.length
  const left = severities.filter((each) => SEVERITIES.indexOf(each) <= last)
  const isLast = (each: Severity) => each === after?.severity
  return [
    left,
    left.map((each) => (after && isLast(each) ? after.confidence : ABOVE_MAX_CONFIDENCE)),
    left.map((each) => (after && isLast(each) ? after.openedSeq : 0)),
  ]
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

/** Selects the values of the contradictions that exist. */
export async function selectValues(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  contradictionIds: readonly string[],
): Promise<Map<string, ContradictionValues>> {
  if (contradictionIds.length === 0) return new Map()
  const { rows } = await connection.query<{ id: string; value_a: string | null; value_b: string | null }>(
    `select w.id, c.value_a, c.value_b from unnest($3::uuid[]) w(id)
      cross join lateral (select * from contradictions c where c.contradiction_id = w.id and c.tenant_id = $1
                             and c.scope_id = $2 limit 1) c`,
    [tenantId, scopeId, contradictionIds],
  )
  return new Map(rows.map(({ id, value_a: a, value_b: b }) => [id, { valueA: toRank(a), valueB: toRank(b) }]))
}

export interface FindingCounts {
  readonly claims: number
  /** The effect of the limits of comparing: the number of groups that are cut, of claims not compared and of findings not kept. */
  readonly leftOut: { readonly groups: number; readonly claims: number; readonly findings: number }
  /** One row for each combination that exists. */
  readonly contradictions: readonly {
    readonly status: ContradictionStatus
    readonly severity: Severity
    readonly relation: Finding['relation']
    readonly kind: string
    readonly count: number
  }[]
}

/** Claims are counted when they are written. Contradictions are few, so this statement counts them. */
export async function countFindings(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<FindingCounts> {
  const { rows } = await connection.query<FindingCounts>(
    `select coalesce(n.claims, 0)::float as claims,
            json_build_object('groups', coalesce(n.cuts, 0), 'claims', coalesce(n.cut_claims, 0),
                              'findings', coalesce(n.cut_findings, 0)) as "leftOut",
            (select coalesce(json_agg(each), '[]')
               from (select status, severity, relation, kind, count(*)::integer as count from contradictions
                      where tenant_id = $1 and scope_id = $2 and opened_seq > 0 group by status, severity, relation, kind
                      order by status, severity, relation, kind) each) as contradictions
       from (select) nothing
       left join claim_counts n on n.tenant_id = $1 and n.scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows[0] ?? { claims: 0, leftOut: { groups: 0, claims: 0, findings: 0 }, contradictions: [] }
}

export interface NewContradiction {
  readonly contradictionId: string
  readonly epoch: number
  readonly severity: Severity
  readonly documentIds: readonly [string | null, string | null]
  readonly sealed: Buffer
  /** The position of `contradiction.opened`. */
  readonly openedSeq: number
}

/** Inserts a reported contradiction. The caller must hold the lock of the scope's head. */
export async function insertReported(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { contradictionId, epoch, severity, documentIds, sealed, openedSeq }: NewContradiction,
): Promise<void> {
  await connection.query(
    `insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, relation, kind, severity, document_a,
                                 document_b, sealed, opened_seq)
     values ($1, $2, $3, $4, 'conflict', 'reported', $5, $6, $7, $8, $9)`,
    [tenantId, scopeId, contradictionId, epoch, severity, ...documentIds, sealed, openedSeq],
  )
}

/**
 * Updates the status, and the ranks of the values for a finding that has none yet. The caller must hold the lock of the
 * scope's head.
 */
export async function updateStatus(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  contradictionId: string,
  status: ContradictionStatus,
  [valueA, valueB]: readonly [bigint | null, bigint | null],
): Promise<void> {
  await connection.query(
    `update contradictions
        set status = $4, value_a = coalesce(value_a, $5), value_b = coalesce(value_b, $6), updated_at = now()
      where contradiction_id = $3 and tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId, contradictionId, status, valueA?.toString(), valueB?.toString()],
  )
}

/** Selects the documents that state another value in a finding with this one. They are few, because a group has few findings. */
export async function selectOpponents(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  group: bigint,
  upheld: bigint,
): Promise<string[]> {
  const { rows } = await connection.query<{ document_id: string }>(
    `select distinct each.document_id from contradictions c
      cross join lateral unnest(case when c.value_a = $4 then c.documents_b || c.document_b
                                     else c.documents_a || c.document_a end) each(document_id)
      where c.group_key = $3 and c.tenant_id = $1 and c.scope_id = $2 and (c.value_a = $4 or c.value_b = $4)
        and each.document_id is not null
      order by 1`,
    [tenantId, scopeId, String(group), String(upheld)],
  )
  return rows.map((row) => row.document_id)
}

function toRow({ openedSeq, group, valueA, valueB, ...row }: Columns): ContradictionRow {
  return {
    ...row,
    openedSeq: Number(openedSeq),
    group: toRank(group),
    valueA: toRank(valueA),
    valueB: toRank(valueB),
  }
}

function toRank(digits: string | null): bigint | null {
  return digits === null ? null : BigInt(digits)
}
