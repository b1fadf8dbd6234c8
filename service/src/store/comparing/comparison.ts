/**
 * The statements that a comparison reads with: what is there, and what it says. One serves
 * several tenants; the database function sets each in turn. All of them need the heads of the scopes to be held.
 */
import type { ClaimKind } from '../../domain/claim.ts'
import type { Finding, Severity } from '../../domain/finding.ts'
import type { Filed } from '../../domain/representatives.ts'
import type { ContradictionStatus } from '../contradictions/contradictions.ts'
import type { PoolConnection } from '../pools.ts'
import { at, groupByTenant, toBigintArray } from '../scope-questions.ts'
import type { ScopePlace } from '../scope-questions.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface OpeningQuestion extends ScopePlace {
  /** Those whose claims are to be replaced. */
  readonly documents: readonly string[]
  /** The groups that new claims are filed under. */
  readonly groups: readonly WantedGroup[]
}

export interface WantedGroup {
  readonly key: bigint
  /** Some of the new claims there, the first by value and rank. */
  readonly low: Pick<Filed, 'valueRank' | 'claimRank'>
  /** The last of their values. */
  readonly highValue: bigint
}

/** A claim that is to go, with all the groups it is in: none where it is compared by the fact that it states. */
export interface OldClaim {
  readonly comparedBy: 'groups' | 'facts'
  readonly documentId: string
  readonly no: number
  readonly claimRank: bigint
  readonly keys: readonly bigint[]
  readonly valueRanks: readonly bigint[]
}

export interface Opening {
  /** The newest of each document. */
  readonly versions: Map<string, number>
  readonly old: OldClaim[]
  /** Groups that no new claim can speak for, or in which all say the same as what is new. */
  readonly unmoved: Set<bigint>
  /** Loads the representatives of each affected group, except claims that are to go, or more than these. */
  readonly members: Map<bigint, FiledClaim[]>
  /**
   * For groups whose claims are not all among `members`: the document that all of them are of, or null where they are of several.
   * Claims that are to go are left out.
   */
  readonly owners: Map<bigint, string | null>
  /** Groups of which something is left out, before anything changes. */
  readonly cuts: Map<bigint, Cut>
  /**
   * How many claims a group has of which nothing is left out yet, where they differ and are not all among `members`; claims that are
   * to go are left out.
   */
  readonly counted: Map<bigint, number>
  readonly judging: { -readonly [Flag in keyof Judging]: Judging[Flag] }
}

/** The number of things left out of the comparison of a group. */
export interface Cut {
  /** Claims that do not represent it. */
  readonly claims: number
  /** Findings beyond those that are kept. */
  readonly findings: number
  /** All claims of the group. */
  readonly total: number
}

/** Whether a judge has to do with the scope. */
export interface Judging {
  /** There are verdicts to be looked up. */
  readonly hasVerdicts: boolean
  /** True when open pairs are to be noted. */
  readonly isWanted: boolean
}

export interface FiledClaim extends Filed {
  readonly version: number
}

interface OpeningRow {
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

/** How many claims represent a value, and a group. */
export interface RepresentativeLimits {
  readonly ofValue: number
  readonly ofGroup: number
}

export async function openComparison(
  connection: PoolConnection,
  questions: readonly OpeningQuestion[],
  represented: RepresentativeLimits,
): Promise<Opening[]> {
  const groups = groupByTenant(questions, ({ documents, groups: wanted }) => ({
    documents,
    keys: toBigintArray(wanted.map(({ key }) => key)),
    low_values: toBigintArray(wanted.map(({ low }) => low.valueRank)),
    low_claims: toBigintArray(wanted.map(({ low }) => low.claimRank)),
    high_values: toBigintArray(wanted.map(({ highValue }) => highValue)),
  }))
  const { rows } = await connection.query<OpeningRow>({
    name: 'open-comparison-by-kind',
    text: `select at, row_kind, document_id, no, version, key, value_rank, claim_rank, keys, value_ranks, cut_claims, cut_findings,
                  counted from open_comparison($1, $2, $3)`,
    values: [groups, represented.ofValue, represented.ofGroup],
  })
  const openings = questions.map((): Opening => ({
    versions: new Map(),
    old: [],
    unmoved: new Set(),
    members: new Map(),
    owners: new Map(),
    cuts: new Map(),
    counted: new Map(),
    judging: { hasVerdicts: false, isWanted: false },
  }))
  for (const row of rows) addToOpening(at(openings, row.at), row)
  return openings
}

function addToOpening(opening: Opening, row: OpeningRow): void {
  switch (row.row_kind) {
    case 'version':
      opening.versions.set(row.document_id, row.version)
      break
    case 'old_claim':
    case 'old_fact':
      opening.old.push({
        comparedBy: row.row_kind === 'old_fact' ? 'facts' : 'groups',
        documentId: row.document_id,
        no: row.no,
        claimRank: BigInt(row.claim_rank),
        keys: row.keys.map(BigInt),
        valueRanks: row.value_ranks.map(BigInt),
      })
      break
    case 'member':
      pushTo(opening.members, BigInt(row.key), {
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
      addGroup(opening, row)
      break
    case 'judge_verdicts':
      opening.judging.hasVerdicts = true
      break
    case 'judge_permit':
      opening.judging.isWanted = true
      break
  }
}

function addGroup({ owners, unmoved, cuts, counted }: Opening, row: OpeningRow): void {
  const group = BigInt(row.key)
  if (row.row_kind !== 'empty_group') owners.set(group, row.document_id)
  if (row.row_kind === 'unmoved_group') unmoved.add(group)
  if (row.cut_claims !== null)
    cuts.set(group, { claims: row.cut_claims, findings: row.cut_findings ?? 0, total: row.counted ?? 0 })
  else if (row.counted !== null) counted.set(group, row.counted)
}

export interface ContentQuestion extends ScopePlace {
  readonly claims: readonly { readonly documentId: string; readonly no: number }[]
  /** The groups whose earlier findings are asked for. */
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
  readonly print: bigint
  readonly relation: Finding['relation']
  readonly kind: ClaimKind
  readonly severity: Severity
  readonly documentIds: readonly string[]
  readonly status: ContradictionStatus
}

export interface Content {
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
  questions: readonly ContentQuestion[],
): Promise<Content[]> {
  const contents = questions.map((): Content => ({ claims: [], findings: [] }))
  if (questions.every(({ claims, groups }) => claims.length + groups.length === 0)) return contents
  const groups = groupByTenant(questions, (question) => ({
    documents: question.claims.map(({ documentId }) => documentId),
    nos: question.claims.map(({ no }) => no),
    groups: toBigintArray(question.groups),
  }))
  const { rows } = await connection.query<ContentColumns>({
    name: 'read-comparison-by-kind',
    text: `select at, row_kind, document_id, no, version, sealed, group_key, contradiction_id, print, relation, kind, severity,
                  document_a, document_b, status from read_comparison($1)`,
    values: [groups],
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
export async function selectFindingsOf(
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
    print: BigInt(row.print),
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
