/**
 * The statements of a comparison (migrations 0013, 0015, 0020 and 0022): what is there, what it says, and what came of it. One serves
 * several tenants; the database function sets each in turn. All of them need the heads of the scopes to be held.
 */
import type { ClaimKind } from '../domain/claim.ts'
import type { Finding, Severity } from '../domain/finding.ts'
import type { Filed } from '../domain/representatives.ts'
import type { Holds } from '../domain/resolution.ts'
import type { ContradictionStatus } from './contradictions.ts'
import type { Connection } from './pools.ts'
import type { NewEvent } from './scope-log.ts'
import { at, groupByTenant } from './scope-questions.ts'
import type { ScopePlace } from './scope-questions.ts'

export interface OpeningQuestion extends ScopePlace {
  /** Those whose claims are to be replaced. */
  readonly documents: readonly string[]
  /** The groups that new claims are filed under. */
  readonly groups: readonly WantedGroup[]
}

export interface WantedGroup {
  readonly key: bigint
  /** Of the new claims there, the first by value and rank. */
  readonly low: Pick<Filed, 'valueRank' | 'claimRank'>
  /** The last of their values. */
  readonly highValue: bigint
}

/** A claim that is to go, with all the groups it is in. */
export interface OldClaim {
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
  /** Who represents each other group that is touched, those that are to go left out; or more of them. */
  readonly members: Map<bigint, FiledClaim[]>
  judging: Judging
}

/** Whether a judge has to do with the scope. */
export interface Judging {
  /** There are verdicts to be looked up. */
  readonly hasVerdicts: boolean
  /** What is left open is to be noted. */
  readonly isWanted: boolean
}

export interface FiledClaim extends Filed {
  readonly version: number
}

export async function openComparison(
  connection: Connection,
  questions: readonly OpeningQuestion[],
): Promise<Opening[]> {
  const groups = groupByTenant(questions, ({ documents, groups: wanted }) => ({
    documents,
    keys: literal(wanted.map(({ key }) => key)),
    low_values: literal(wanted.map(({ low }) => low.valueRank)),
    low_claims: literal(wanted.map(({ low }) => low.claimRank)),
    high_values: literal(wanted.map(({ highValue }) => highValue)),
  }))
  const { rows } = await connection.query<{
    at: number
    document_id: string | null
    no: number
    version: number
    key: string | null
    value_rank: string
    claim_rank: string
    keys: string[] | null
    value_ranks: string[]
  }>({
    name: 'open-comparison',
    text: `select at, document_id, no, version, key, value_rank, claim_rank, keys, value_ranks from open_comparison($1)`,
    values: [groups],
  })
  const openings = questions.map((): Opening => ({
    versions: new Map(),
    old: [],
    unmoved: new Set(),
    members: new Map(),
    judging: { hasVerdicts: false, isWanted: false },
  }))
  for (const row of rows) {
    const opening = at(openings, row.at)
    const { versions, old, unmoved, members } = opening
    const { document_id: documentId, no } = row
    if (documentId === null && row.key === null)
      opening.judging = { hasVerdicts: row.version % 2 === 1, isWanted: row.version > 1 }
    else if (documentId === null) unmoved.add(BigInt(row.key ?? 0))
    else if (row.key !== null)
      pushTo(members, BigInt(row.key), {
        documentId,
        no,
        version: row.version,
        valueRank: BigInt(row.value_rank),
        claimRank: BigInt(row.claim_rank),
      })
    else if (row.keys === null) versions.set(documentId, row.version)
    else
      old.push({
        documentId,
        no,
        claimRank: BigInt(row.claim_rank),
        keys: row.keys.map(BigInt),
        valueRanks: row.value_ranks.map(BigInt),
      })
  }
  return openings
}

export interface ContentQuestion extends ScopePlace {
  readonly claims: readonly { readonly documentId: string; readonly no: number }[]
  /** Of which what was found before is asked. */
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

interface ContentColumns {
  readonly at: number
  readonly document_id: string | null
  readonly no: number
  readonly version: number
  readonly sealed: Buffer
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
  connection: Connection,
  questions: readonly ContentQuestion[],
): Promise<Content[]> {
  const contents = questions.map((): Content => ({ claims: [], findings: [] }))
  if (questions.every(({ claims, groups }) => claims.length + groups.length === 0)) return contents
  const groups = groupByTenant(questions, (question) => ({
    documents: question.claims.map(({ documentId }) => documentId),
    nos: question.claims.map(({ no }) => no),
    groups: literal(question.groups),
  }))
  const { rows } = await connection.query<ContentColumns>({
    name: 'read-comparison',
    text: `select at, document_id, no, version, sealed, group_key, contradiction_id, print, relation, kind, severity,
                  document_a, document_b, status from read_comparison($1)`,
    values: [groups],
  })
  for (const row of rows) {
    const content = at(contents, row.at)
    if (row.document_id === null) content.findings.push(toKnownFinding(row))
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

function toKnownFinding(row: ContentColumns): KnownFinding {
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

export interface NewClaim {
  readonly documentId: string
  readonly version: number
  readonly no: number
  readonly kind: ClaimKind
  readonly claimRank: bigint
  readonly keys: readonly bigint[]
  readonly valueRanks: readonly bigint[]
  readonly sealed: Buffer
}

export interface ChangedFinding {
  readonly id: string
  readonly kind: ClaimKind
  readonly severity: Severity
  readonly confidence: number
  readonly documentIds: readonly [string, string]
  /** Their numbers within the documents. */
  readonly claims: readonly [number, number]
  readonly values: readonly [bigint, bigint]
  /** All that were compared and are on that side. */
  readonly sides: readonly [readonly string[], readonly string[]]
  readonly print: bigint
  readonly sealed: Buffer
}

export interface OpenedFinding extends ChangedFinding {
  readonly group: bigint
  readonly relation: Finding['relation']
  readonly status: ContradictionStatus
  /** Which of the events tells of it, from 1 on. */
  readonly event: number
}

/** Resolved before, and open again because of these documents. */
export interface ReopenedFinding {
  readonly id: string
  readonly decisionId: string
  readonly documentIds: readonly string[]
  readonly event: number
}

/** What a policy decided of a finding that is there afterwards. */
export interface RuledFinding {
  readonly id: string
  readonly decisionId: string
  readonly result: 'resolved' | 'reopened'
  readonly status: ContradictionStatus
  readonly documentIds: readonly string[]
  /** Null where it is open again. */
  readonly holds: Holds | null
  readonly upheld: bigint | null
  /** Of the set that was asked, in hexadecimal. */
  readonly policyHash: string
  readonly policies: readonly string[]
  readonly event: number
}

export interface Outcome extends ScopePlace {
  readonly epoch: number
  /** Documents whose claims go. */
  readonly replaced: readonly string[]
  readonly claims: readonly NewClaim[]
  readonly withdrawn: readonly string[]
  readonly changed: readonly ChangedFinding[]
  readonly opened: readonly OpenedFinding[]
  readonly reopened: readonly ReopenedFinding[]
  readonly ruled: readonly RuledFinding[]
  readonly events: readonly NewEvent[]
}

export async function closeComparison(connection: Connection, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const pieces: Buffer[] = []
  let length = 0
  const place = (sealed: Buffer) => {
    pieces.push(sealed)
    length += sealed.length
    return { at: length - sealed.length, length: sealed.length }
  }
  const toRecord = ({ sealed, documentIds: [a, b], claims, values, sides, ...finding }: ChangedFinding) => ({
    ...finding,
    a,
    b,
    claim_a: claims[0],
    claim_b: claims[1],
    value_a: String(values[0]),
    value_b: String(values[1]),
    documents_a: sides[0],
    documents_b: sides[1],
    print: String(finding.print),
    ...place(sealed),
  })
  const groups = groupByTenant(outcomes, (outcome) => ({
    epoch: outcome.epoch,
    replaced: outcome.replaced,
    claims: outcome.claims.map((claim) => ({
      document: claim.documentId,
      no: claim.no,
      version: claim.version,
      kind: claim.kind,
      rank: String(claim.claimRank),
      keys: literal(claim.keys),
      ranks: literal(claim.valueRanks),
      ...place(claim.sealed),
    })),
    keys: filingsOf(outcome.claims),
    withdrawn: outcome.withdrawn,
    changed: outcome.changed.map(toRecord),
    opened: outcome.opened.map(({ group, relation, status, event, ...finding }) => ({
      ...toRecord(finding),
      group_key: String(group),
      relation,
      status,
      event,
    })),
    reopened: outcome.reopened.map(({ id, decisionId, documentIds, event }) => ({
      id,
      decision: decisionId,
      documents: documentIds,
      event,
    })),
    ruled: outcome.ruled.map(toRuledRecord),
    events: outcome.events.map(({ kind, documentId, version, data }) => ({
      kind,
      document: documentId,
      version,
      data,
    })),
  }))
  await connection.query({
    name: 'close-comparison',
    text: 'select close_comparison($1, $2)',
    values: [groups, Buffer.concat(pieces, length)],
  })
}

function toRuledRecord({ id, result, holds, upheld, policies, event, ...ruled }: RuledFinding) {
  return {
    id,
    decision: ruled.decisionId,
    result,
    status: ruled.status,
    documents: ruled.documentIds,
    holds,
    upheld: upheld === null ? null : String(upheld),
    hash: ruled.policyHash,
    policies,
    event,
  }
}

/** A list for each column: nothing is quicker to take apart. */
function filingsOf(claims: readonly NewClaim[]) {
  const each = claims.flatMap((claim) =>
    claim.keys.map((key, index) => ({ ...claim, key, valueRank: claim.valueRanks[index] ?? 0n })),
  )
  return {
    documents: each.map(({ documentId }) => documentId),
    nos: each.map(({ no }) => no),
    versions: each.map(({ version }) => version),
    keys: literal(each.map(({ key }) => key)),
    value_ranks: literal(each.map(({ valueRank }) => valueRank)),
    claim_ranks: literal(each.map(({ claimRank }) => claimRank)),
  }
}

/** As Postgres writes an array; JSON would round numbers of this size. */
function literal(numbers: readonly bigint[]): string {
  return `{${numbers.join(',')}}`
}

function pushTo<Key, Each>(lists: Map<Key, Each[]>, key: Key, each: Each): void {
  const list = lists.get(key)
  if (list) list.push(each)
  else lists.set(key, [each])
}
