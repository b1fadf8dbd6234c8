/** The statements that page through the evidence of a scope. New rows do not change the order of earlier ones. */
import type { ClaimKind } from '../../domain/claim.ts'
import type { Finding, Severity } from '../../domain/finding.ts'
import type { StoredReport } from '../../domain/reading-report.ts'
import type { Holds } from '../../domain/resolution.ts'
import type { ClaimRef, ClaimRow } from '../documents/claims.ts'
import type { ContradictionStatus } from '../contradictions/contradictions.ts'
import type { DocumentStatus } from '../documents/documents.ts'
import type { DecidedBy, DecisionPoint, DecisionResult } from '../contradictions/decisions.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface DocumentEvidence {
  readonly documentId: string
  readonly version: number
  readonly status: DocumentStatus
  /** Null if this version was not read. */
  readonly report: StoredReport | null
}

export async function selectDocumentEvidence(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: string,
  limit: number,
): Promise<DocumentEvidence[]> {
  const { rows } = await connection.query<DocumentEvidence>(
    `select d.document_id as "documentId", d.version, d.status, v.report
       from documents d left join document_versions v using (tenant_id, scope_id, document_id, version)
      where d.tenant_id = $1 and d.scope_id = $2 and d.document_id > $3 order by d.document_id limit $4`,
    [tenantId, scopeId, after, limit],
  )
  return rows
}

/** Selects the next claims after a position, by index, so the cost does not depend on the position. */
export async function selectClaimEvidence(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: ClaimRef,
  limit: number,
): Promise<ClaimRow[]> {
  const { rows } = await connection.query<ClaimRow>(
    `select document_id as "documentId", version, no, epoch, kind, sealed, extracted_at as "extractedAt" from claims
      where tenant_id = $1 and scope_id = $2 and (document_id, no) > ($3, $4::integer)
      order by document_id, no limit $5`,
    [tenantId, scopeId, after.documentId, after.no, limit],
  )
  return rows
}

export interface ContradictionEvidence {
  readonly contradictionId: string
  readonly epoch: number
  readonly relation: Finding['relation']
  readonly kind: ClaimKind | 'reported'
  readonly severity: Severity
  readonly status: ContradictionStatus
  readonly documentA: string | null
  readonly documentB: string | null
  /** Sealed with the purpose `contradiction` and the id as the place. */
  readonly sealed: Buffer
  readonly openedSeq: number
}

/** Selects contradictions in the order in which they were opened. */
export async function selectContradictionEvidence(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: number,
  limit: number,
): Promise<ContradictionEvidence[]> {
  const { rows } = await connection.query<
    Omit<ContradictionEvidence, 'openedSeq'> & { readonly openedSeq: string }
  >(
    `select contradiction_id as "contradictionId", epoch, relation, kind, severity, status, document_a as "documentA",
            document_b as "documentB", sealed, opened_seq as "openedSeq"
       from contradictions
      where tenant_id = $1 and scope_id = $2 and opened_seq > 0 and opened_seq > $3
      order by opened_seq limit $4`,
    [tenantId, scopeId, after, limit],
  )
  return rows.map(({ openedSeq, ...row }) => ({ ...row, openedSeq: Number(openedSeq) }))
}

export interface DecisionEvidence {
  readonly decisionId: string
  readonly point: DecisionPoint
  readonly result: DecisionResult
  readonly decidedBy: DecidedBy
  readonly contradictionId: string | null
  readonly documentIds: readonly string[]
  readonly holds: Holds | null
  readonly policyHash: Buffer | null
  readonly policies: readonly string[]
  readonly seq: number
}

/** Selects decisions in the order in which they were made, except decisions about the scope itself: its certificates name these. */
export async function selectDecisionEvidence(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: { readonly seq: number; readonly decisionId: string },
  limit: number,
): Promise<DecisionEvidence[]> {
  const { rows } = await connection.query<Omit<DecisionEvidence, 'seq'> & { readonly seq: string }>(
    `select decision_id as "decisionId", point, result, decided_by as "decidedBy", contradiction_id as "contradictionId",
            document_ids as "documentIds", holds, policy_hash as "policyHash", policies, seq
       from decisions
      where tenant_id = $1 and scope_id = $2 and seq > 0 and (seq, decision_id) > ($3, $4::uuid)
        and point <> 'settle_scope'
      order by seq, decision_id limit $5`,
    [tenantId, scopeId, after.seq, after.decisionId, limit],
  )
  return rows.map(({ seq, ...row }) => ({ ...row, seq: Number(seq) }))
}

/** Selects the readers of the current documents, each as name and version; null for a document without a reading report. */
export async function selectReaders(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<(string | null)[]> {
  const { rows } = await connection.query<{ reader: string | null }>(
    `select distinct reader from documents where status = 'processed' and tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows.map(({ reader }) => reader)
}
