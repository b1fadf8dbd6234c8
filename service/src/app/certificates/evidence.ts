/**
 * Reads the evidence of a scope as leaves: its documents, then its claims, contradictions and decisions. Each page is read in a
 * transaction of its own, so that neither memory nor connections are occupied for long. A caller that reads all of it has to check
 * afterwards whether anything changed meanwhile.
 */
import { hash } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import type { Leaf } from '../../domain/certificate.ts'
import type { LocatedClaim } from '../../domain/claim.ts'
import type { ClaimRow } from '../../store/documents/claims.ts'
import * as store from '../../store/certificates/evidence.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { claimIdOf } from '../documents/claims.ts'
import { readSealedRows } from '../scopes/sealed-rows.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'
import { openClaimJson } from '../documents/claim-seals.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export const EVIDENCE_TYPES = [
  'document',
  'claim',
  'contradiction',
  'decision',
] as const satisfies Leaf['type'][]

/** The last leaf of the previous page: its type and its sort key. Empty at the start of a type. */
export interface EvidencePosition {
  readonly type: Leaf['type']
  readonly id: string
  readonly no: number
}

/** Leaves of form 1 do not contain how much of their document was read. */
export type LeafForm = 1 | 2

export const EVIDENCE_START: EvidencePosition = { type: 'document', id: '', no: 0 }

export interface EvidencePage {
  readonly leaves: readonly Leaf[]
  /** The position of the next page. Undefined after the last leaf. */
  readonly next: EvidencePosition | undefined
}

/** `formOf` runs in the transaction that has read the page, and may refuse it. */
export async function readEvidence(
  deps: ScopeReadDeps,
  who: TenantCaller,
  scopeId: string,
  after: EvidencePosition,
  limit: number,
  formOf: (transaction: TenantTransaction) => Promise<LeafForm> = async () => 2,
): Promise<EvidencePage> {
  const { loaded, seal } = await readSealedRows(deps, who, scopeId, async (transaction) => {
    const rows = await findLeaves(transaction, scopeId, after, limit + 1)
    const form = await formOf(transaction)
    return { loaded: { rows, form }, epochs: rows.flatMap(({ epoch }) => epoch ?? []) }
  })
  const shown = loaded.rows.slice(0, limit)
  const within = { tenantId: who.tenantId, scopeId, seal, form: loaded.form }
  return {
    leaves: shown.map(({ toLeaf }) => toLeaf(within)),
    next: loaded.rows.length > limit ? shown.at(-1)?.position : undefined,
  }
}

/** Reads from one type to the next until the page is full. */
async function findLeaves(
  transaction: TenantTransaction,
  scopeId: string,
  after: EvidencePosition,
  limit: number,
): Promise<Found[]> {
  const found: Found[] = []
  for (const type of EVIDENCE_TYPES.slice(EVIDENCE_TYPES.indexOf(after.type))) {
    const position = type === after.type ? after : { ...EVIDENCE_START, type }
    // oxlint-disable-next-line no-await-in-loop -- one connection, one statement at a time
    found.push(...(await SECTIONS[type](transaction, scopeId, position, limit - found.length)))
    if (found.length === limit) break
  }
  return found
}

/** A row with a function that creates its leaf once the seal is loaded. */
interface Found {
  readonly epoch: number | undefined
  readonly position: EvidencePosition
  readonly toLeaf: (within: Within) => Leaf
}

interface Within {
  readonly tenantId: string
  readonly scopeId: string
  readonly seal: ScopeSeal
  readonly form: LeafForm
}

type Section = (
  transaction: TenantTransaction,
  scopeId: string,
  after: EvidencePosition,
  limit: number,
) => Promise<Found[]>

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const SECTIONS: Readonly<Record<Leaf['type'], Section>> = {
  async document(transaction, scopeId, { id }, limit) {
    const rows = await store.selectDocumentEvidence(transaction, scopeId, id, limit)
    return rows.map((row) => ({
      epoch: undefined,
      position: { type: 'document', id: row.documentId, no: 0 },
      toLeaf: ({ form }) => toDocumentLeaf(form, row),
    }))
  },
  async claim(transaction, scopeId, { id, no }, limit) {
    const rows = await store.selectClaimEvidence(transaction, scopeId, { documentId: id, no }, limit)
    return rows.map((row) => ({
      epoch: row.epoch,
      position: { type: 'claim', id: row.documentId, no: row.no },
      toLeaf: (within) => toClaimLeaf(within, row),
    }))
  },
  async contradiction(transaction, scopeId, { no }, limit) {
    const rows = await store.selectContradictionEvidence(transaction, scopeId, no, limit)
    return rows.map((row) => ({
      epoch: row.epoch,
      position: { type: 'contradiction', id: row.contradictionId, no: row.openedSeq },
      toLeaf: ({ seal }) => toContradictionLeaf(seal, row),
    }))
  },
  async decision(transaction, scopeId, { id, no }, limit) {
    const after = { seq: no, decisionId: id === '' ? FIRST_ID : id }
    const rows = await store.selectDecisionEvidence(transaction, scopeId, after, limit)
    return rows.map((row) => ({
      epoch: undefined,
      position: { type: 'decision', id: row.decisionId, no: row.seq },
      toLeaf: () => toDecisionLeaf(row),
    }))
  },
}

function toDocumentLeaf(form: LeafForm, row: store.DocumentEvidence): Leaf {
  const { documentId, version, status, report } = row
  const leaf = { type: 'document', document_id: documentId, version, status } as const
  if (form === 1) return leaf
  if (!report || status !== 'processed') return { ...leaf, reading: null }
  const { reader, reader_version, read, characters, characters_read, claims } = report
  return { ...leaf, reading: { reader, reader_version, read, characters, characters_read, claims } }
}

function toClaimLeaf({ tenantId, scopeId, seal }: Within, row: ClaimRow): Leaf {
  const content = openClaimJson(seal, row).toString('utf8')
  const claim: LocatedClaim = JSON.parse(content)
  return {
    type: 'claim',
    claim_id: claimIdOf(tenantId, scopeId, row),
    document_id: row.documentId,
    version: row.version,
    kind: row.kind,
    start: claim.span[0],
    end: claim.span[1],
    quote_sha256: sha256(claim.quote),
    content_sha256: sha256(content),
  }
}

function toContradictionLeaf(seal: ScopeSeal, row: store.ContradictionEvidence): Leaf {
  return {
    type: 'contradiction',
    contradiction_id: row.contradictionId,
    relation: row.relation,
    kind: row.kind,
    severity: row.severity,
    status: row.status,
    document_ids: [row.documentA, row.documentB].filter((id) => id !== null),
    content_sha256: sha256(seal.open('contradiction', row.contradictionId, row.sealed).toString('utf8')),
  }
}

function toDecisionLeaf(row: store.DecisionEvidence): Leaf {
  return {
    type: 'decision',
    decision_id: row.decisionId,
    point: row.point,
    result: row.result,
    decided_by: row.decidedBy,
    contradiction_id: row.contradictionId,
    document_ids: [...row.documentIds],
    holds: row.holds,
    policy_hash: row.policyHash?.toString('hex') ?? null,
    policies: [...row.policies],
    seq: row.seq,
  }
}

function sha256(text: string): string {
  return hash('sha256', text)
}
