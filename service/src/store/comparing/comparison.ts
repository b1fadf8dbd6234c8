/**
 * The statements by which a comparison reads: first the affected groups, then the content of their claims. One statement
 * serves several tenants; the database function sets each tenant in turn. The caller must hold the locks of the scopes' heads.
 */
import type { ClaimKind } from '../../domain/claim.ts'
import type { Finding, Severity } from '../../domain/finding.ts'
import type { GroupMember } from '../../domain/representatives.ts'
import type { ContradictionStatus } from '../contradictions/contradictions.ts'
import type { PoolConnection } from '../pools.ts'
import { at, groupByTenant, toBigintArray } from '../scope-batches.ts'
import type { ScopeRef } from '../scope-batches.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface OpenRequest extends ScopeRef {
  /** Documents whose claims are about to be replaced. */
  readonly documents: readonly string[]
  /** The groups of the new claims. */
  readonly groups: readonly RequestedGroup[]
}

export interface RequestedGroup {
  readonly key: bigint
  /** The first of the new claims in this group, by value and rank. */
  readonly low: Pick<GroupMember, 'valueRank' | 'claimRank'>
  /** The highest value of the new claims in this group. */
  readonly highValue: bigint
}

/** A claim that is about to be removed, with all its groups. It has no groups if it is compared by the fact that it states. */
export interface OldClaim {
  readonly comparedBy: 'groups' | 'facts'
  readonly documentId: string
  readonly no: number
  readonly claimRank: bigint
  readonly keys: readonly bigint[]
  readonly valueRanks: readonly bigint[]
}

export interface OpenedComparison {
  /** The newest version of each document. */
  readonly versions: Map<string, number>
  readonly old: OldClaim[]
  /** Groups that no new claim can represent, or in which all claims have the same value as the new ones. */
  readonly unmoved: Set<bigint>
  /** The representatives of each affected group, or more claims. Claims that are about to be removed are excluded. */
  readonly members: Map<bigint, FiledClaim[]>
  /**
   * For groups whose claims are not all among `members`: the document that has all of them, or null if several documents do.
   * Claims that are about to be removed are excluded.
   */
  readonly owners: Map<bigint, string | null>
  /** Groups that are cut before the comparison. */
  readonly cuts: Map<bigint, Cut>
  /**
   * The number of claims of each group that is not cut yet, whose claims differ and are not all among `members`. Claims that
   * are about to be removed are excluded.
   */
  readonly counted: Map<bigint, number>
  readonly judging: { -readonly [Flag in keyof Judging]: Judging[Flag] }
}

/** How much of a group exceeds the limits of comparing. */
export interface Cut {
  /** Claims that are not compared, because they do not represent the group. */
  readonly claims: number
  /** Findings that are not kept. */
  readonly findings: number
  /** All claims of the group. */
  readonly total: number
}

/** Whether a judge is involved in the scope. */
export interface Judging {
  /** True if the scope has stored verdicts. */
  readonly hasVerdicts: boolean
  /** True if undecided pairs have to be recorded for the judge. */
  readonly isWanted: boolean
}

export interface FiledClaim extends GroupMember {
  readonly version: number
}

interface OpenedRow {
  readonly at: number
  readonly row_kind:
    | 'version'
    | 'old_claim'
    | 'old_fact'
    | 'member'
    | 'touched_group'
    | 'unmoved_group'
    | 'empty_group'
    | 'judge_verdicts'
    | 'judge_permit'
  readonly document_id: string
  readonly no: number
  readonly version: number
  readonly key: string
  readonly value_rank: string
  readonly claim_rank: string
  readonly keys: string[]
  readonly value_ranks: string[]
  readonly cut_claims: number | null
  readonly cut_findings: number | null
  readonly counted: number | null
}

/** The maximum number of claims that represent a value, and a group. */
export interface RepresentativeLimits {
  readonly ofValue: number
  readonly ofGroup: number
}

export async function openComparison(
  connection: PoolConnection,
  requests: readonly OpenRequest[],
  limits: RepresentativeLimits,
): Promise<OpenedComparison[]> {
  const batch = groupByTenant(requests, ({ documents, groups }) => ({
    documents,
    keys: toBigintArray(groups.map(({ key }) => key)),
    low_values: toBigintArray(groups.map(({ low }) => low.valueRank)),
    low_claims: toBigintArray(groups.map(({ low }) => low.claimRank)),
    high_values: toBigintArray(groups.map(({ highValue }) => highValue)),
  }))
  const { rows } = await connection.query<OpenedRow>({
    name: 'open-comparison-by-kind',
    text: `select at, row_kind, document_id, no, version, key, value_rank, claim_rank, keys, value_ranks, cut_claims, cut_findings,
                  counted from open_comparison($1, $2, $3)`,
    values: [batch, limits.ofValue, limits.ofGroup],
  })
  const comparisons = requests.map((): OpenedComparison => ({
    versions: new Map(),
    old: [],
    unmoved: new Set(),
    members: new Map(),
    owners: new Map(),
    cuts: new Map(),
    counted: new Map(),
    judging: { hasVerdicts: false, isWanted: false },
  }))
  for (const row of rows) addRow(at(comparisons, row.at), row)
  return comparisons
}

function addRow(comparison: OpenedComparison, row: OpenedRow): void {
  switch (row.row_kind) {
    case 'version':
      comparison.versions.set(row.document_id, row.version)
      break
    case 'old_claim':
    case 'old_fact':
      comparison.old.push({
        comparedBy: row.row_kind === 'old_fact' ? 'facts' : 'groups',
        documentId: row.document_id,
        no: row.no,
        claimRank: BigInt(row.claim_rank),
        keys: row.keys.map(BigInt),
        valueRanks: row.value_ranks.map(BigInt),
      })
      break
    case 'member':
      pushTo(comparison.members, BigInt(row.key), {
        documentId: row.document_id,
        no: row.no,
        version: row.version,
        valueRank: BigInt(row.value_rank),
        claimRank: BigInt(row.claim_rank),
      })
      break
    case 'touched_group':
    case 'unmoved_group':
    case 'empty_group':
      addGroup(comparison, row)
      break
    case 'judge_verdicts':
      comparison.judging.hasVerdicts = true
      break
    case 'judge_permit':
      comparison.judging.isWanted = true
      break
  }
}

function addGroup({ owners, unmoved, cuts, counted }: OpenedComparison, row: OpenedRow): void {
  const group = BigInt(row.key)
  if (row.row_kind !== 'empty_group') owners.set(group, row.document_id)
  if (row.row_kind === 'unmoved_group') unmoved.add(group)
  if (row.cut_claims !== null)
    cuts.set(group, { claims: row.cut_claims, findings: row.cut_findings ?? 0, total: row.counted ?? 0 })
  else if (row.counted !== null) counted.set(group, row.counted)
}

export interface ContentRequest extends ScopeRef {
  readonly claims: readonly { readonly documentId: string; readonly no: number }[]
  /** The groups whose stored findings are needed. */
  readonly groups: readonly bigint[]
}

export interface StoredClaim {
  readonly documentId: string
  readonly no: number
  readonly version: number
  readonly sealed: Buffer
}

export interface KnownFinding {
  readonly id: string
  readonly group: bigint
  readonly fingerprint: bigint
  readonly relation: Finding['relation']
  readonly kind: ClaimKind
  readonly severity: Severity
  readonly documentIds: readonly string[]
  readonly status: ContradictionStatus
}

export interface ComparisonContent {
  readonly claims: StoredClaim[]
  readonly findings: KnownFinding[]
}

interface StoredColumns {
  readonly at: number
  readonly row_kind: 'claim' | 'finding'
  readonly document_id: string
  readonly no: number
  readonly version: number
  readonly sealed: Buffer
}

interface ContentColumns extends StoredColumns {
  readonly group_key: string
  readonly contradiction_id: string
  readonly print: string
  readonly relation: Finding['relation']
  readonly kind: ClaimKind
  readonly severity: Severity
  readonly document_a: string
  readonly document_b: string
  readonly status: ContradictionStatus
}

export async function readComparison(
  connection: PoolConnection,
  requests: readonly ContentRequest[],
): Promise<ComparisonContent[]> {
  const contents = requests.map((): ComparisonContent => ({ claims: [], findings: [] }))
  if (requests.every(({ claims, groups }) => claims.length + groups.length === 0)) return contents
  const batch = groupByTenant(requests, ({ claims, groups }) => ({
    documents: claims.map(({ documentId }) => documentId),
    nos: claims.map(({ no }) => no),
    groups: toBigintArray(groups),
  }))
  const { rows } = await connection.query<ContentColumns>({
    name: 'read-comparison-by-kind',
    text: `select at, row_kind, document_id, no, version, sealed, group_key, contradiction_id, print, relation, kind, severity,
                  document_a, document_b, status from read_comparison($1)`,
    values: [batch],
  })
  for (const row of rows) {
    const content = at(contents, row.at)
    if (row.row_kind === 'finding') content.findings.push(toKnownFinding(row))
    else
      content.claims.push({
        documentId: row.document_id,
        no: row.no,
        version: row.version,
        sealed: row.sealed,
      })
  }
  return contents
}

/** Selects the findings of the claims of a document. */
export async function selectFindingsOfDocument(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentId: string,
): Promise<KnownFinding[]> {
  const { rows } = await connection.query<ContentColumns>({
    name: 'select-findings-of',
    text: `select group_key, contradiction_id, print, relation, kind, severity, document_a, document_b, status
             from find_contradictions_of($1, $2, $3)`,
    values: [tenantId, scopeId, documentId],
  })
  return rows.map(toKnownFinding)
}

function toKnownFinding(row: Omit<ContentColumns, keyof StoredColumns>): KnownFinding {
  const { relation, kind, severity, status } = row
  return {
    id: row.contradiction_id,
    group: BigInt(row.group_key),
    fingerprint: BigInt(row.print),
    relation,
    kind,
    severity,
    documentIds: [row.document_a, row.document_b],
    status,
  }
}

function pushTo<Key, Each>(lists: Map<Key, Each[]>, key: Key, each: Each): void {
  const list = lists.get(key)
  if (list) list.push(each)
  else lists.set(key, [each])
}
