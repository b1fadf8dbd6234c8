/**
 * The statement that writes the outcome of a comparison. One statement serves several tenants; the database function sets
 * each tenant in turn. The caller must hold the locks of the scopes' heads.
 */
import type { ClaimKind } from '../../domain/claim.ts'
import type { Finding, Severity } from '../../domain/finding.ts'
import type { Holds } from '../../domain/resolution.ts'
import type { Cut } from './comparison.ts'
import type { ContradictionStatus } from '../contradictions/contradictions.ts'
import type { PoolConnection } from '../pools.ts'
import type { NewEvent } from '../scopes/events.ts'
import { groupByTenant, toBigintArray } from '../scope-batches.ts'
import type { ScopeRef } from '../scope-batches.ts'

export interface NewClaim {
  readonly documentId: string
  readonly version: number
  readonly no: number
  readonly kind: ClaimKind
  readonly claimRank: bigint
  readonly keys: readonly bigint[]
  readonly valueRanks: readonly bigint[]
  readonly comparedBy: 'groups' | 'facts'
  readonly sealed: Buffer
  /** True if a claim of another document is in one of its groups. */
  readonly compared: boolean
}

export interface ChangedFinding {
  readonly id: string
  readonly kind: ClaimKind
  readonly severity: Severity
  readonly confidence: number
  readonly documentIds: readonly [string, string]
  /** The numbers of the two claims within their documents. */
  readonly claims: readonly [number, number]
  readonly values: readonly [bigint, bigint]
  /** All compared documents of each side. */
  readonly sides: readonly [readonly string[], readonly string[]]
  readonly fingerprint: bigint
  readonly sealed: Buffer
}

export interface OpenedFinding extends ChangedFinding {
  readonly group: bigint
  readonly relation: Finding['relation']
  readonly status: ContradictionStatus
  /** The number of its event in `events`, counted from 1. */
  readonly event: number
}

/** A finding that was resolved and is open again because of these documents. */
export interface ReopenedFinding {
  readonly id: string
  readonly decisionId: string
  readonly documentIds: readonly string[]
  readonly event: number
}

/** The decision of a policy on a finding that exists after the comparison. */
export interface RuledFinding {
  readonly id: string
  readonly decisionId: string
  readonly result: 'resolved' | 'reopened'
  readonly status: ContradictionStatus
  readonly documentIds: readonly string[]
  /** Null if the finding is open again. */
  readonly holds: Holds | null
  readonly upheld: bigint | null
  /** The hash of the evaluated policy set, in hexadecimal. */
  readonly policyHash: string
  readonly policies: readonly string[]
  readonly event: number
}

/** The new cuts of groups. A group whose cut has neither claims nor findings is complete again. */
export interface CutChanges {
  readonly groups: readonly (Cut & { readonly key: bigint })[]
  /** The change of the scope's totals. */
  readonly delta: Omit<Cut, 'total'> & { readonly groups: number }
  /** True if a group that was complete before is cut now. */
  readonly isNews: boolean
}

export interface ComparisonOutcome extends ScopeRef {
  readonly epoch: number
  /** Documents whose claims are deleted. */
  readonly replaced: readonly string[]
  readonly claims: readonly NewClaim[]
  /** Groups that had claims of one document and now get claims of another one. */
  readonly joined: readonly bigint[]
  /** Groups that have claims of only one document left. */
  readonly leftAlone: readonly bigint[]
  readonly cuts: CutChanges
  readonly withdrawn: readonly string[]
  readonly changed: readonly ChangedFinding[]
  readonly opened: readonly OpenedFinding[]
  readonly reopened: readonly ReopenedFinding[]
  readonly ruled: readonly RuledFinding[]
  readonly events: readonly NewEvent[]
}

export async function closeComparison(
  connection: PoolConnection,
  outcomes: readonly ComparisonOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return
  const sealed = new SealedPieces()
  const groups = groupByTenant(outcomes, (outcome) => ({
    epoch: outcome.epoch,
    replaced: outcome.replaced,
    claims: outcome.claims.map((claim) => toClaimRecord(claim, sealed)),
    keys: toFilingColumns(outcome.claims),
    joined: toBigintArray(outcome.joined),
    left_alone: toBigintArray(outcome.leftAlone),
    cuts: toCutRecord(outcome.cuts),
    is_cut: outcome.cuts.isNews,
    withdrawn: outcome.withdrawn,
    changed: outcome.changed.map((finding) => toFindingRecord(finding, sealed)),
    opened: outcome.opened.map(({ group, relation, status, event, ...finding }) => ({
      ...toFindingRecord(finding, sealed),
      group_key: String(group),
      relation,
      status,
      event,
    })),
    reopened: outcome.reopened.map(toReopenedRecord),
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
    values: [groups, sealed.join()],
  })
}

function toReopenedRecord({ id, decisionId, documentIds, event }: ReopenedFinding) {
  return { id, decision: decisionId, documents: documentIds, event }
}

/** Joins sealed values into one buffer; the records say where each lies in it. */
class SealedPieces {
  readonly #pieces: Buffer[] = []
  #length = 0

  /** Says where the piece lies in the buffer. */
  add(piece: Buffer): { readonly at: number; readonly length: number } {
    const at = this.#length
    this.#pieces.push(piece)
    this.#length += piece.length
    return { at, length: piece.length }
  }

  join(): Buffer {
    return Buffer.concat(this.#pieces, this.#length)
  }
}

function toClaimRecord(claim: NewClaim, sealed: SealedPieces) {
  return {
    document: claim.documentId,
    no: claim.no,
    version: claim.version,
    kind: claim.kind,
    rank: String(claim.claimRank),
    keys: toBigintArray(claim.keys),
    ranks: toBigintArray(claim.valueRanks),
    compared_by: claim.comparedBy,
    compared: claim.compared,
    ...sealed.add(claim.sealed),
  }
}

function toFindingRecord(
  { sealed: piece, documentIds: [a, b], claims, values, sides, fingerprint, ...finding }: ChangedFinding,
  sealed: SealedPieces,
) {
  return {
    ...finding,
    a,
    b,
    claim_a: claims[0],
    claim_b: claims[1],
    value_a: String(values[0]),
    value_b: String(values[1]),
    documents_a: sides[0],
    documents_b: sides[1],
    print: String(fingerprint),
    ...sealed.add(piece),
  }
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

function toCutRecord({ groups, delta }: CutChanges) {
  if (groups.length === 0) return null
  return {
    keys: toBigintArray(groups.map(({ key }) => key)),
    claims: groups.map(({ claims }) => claims),
    findings: groups.map(({ findings }) => findings),
    totals: groups.map(({ total }) => total),
    more_groups: delta.groups,
    more_claims: delta.claims,
    more_findings: delta.findings,
  }
}

/** Returns one list per column, which is the fastest form for the database to unpack. */
function toFilingColumns(claims: readonly NewClaim[]) {
  const each = claims.flatMap((claim) =>
    claim.keys.map((key, index) => ({ ...claim, key, valueRank: claim.valueRanks[index] ?? 0n })),
  )
  return {
    documents: each.map(({ documentId }) => documentId),
    nos: each.map(({ no }) => no),
    versions: each.map(({ version }) => version),
    keys: toBigintArray(each.map(({ key }) => key)),
    value_ranks: toBigintArray(each.map(({ valueRank }) => valueRank)),
    claim_ranks: toBigintArray(each.map(({ claimRank }) => claimRank)),
  }
}
