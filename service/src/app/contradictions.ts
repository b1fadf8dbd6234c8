/** Where the documents of a scope do not agree. */
import type { TenantCaller } from '../domain/caller.ts'
import type { Claim } from '../domain/claim.ts'
import { Fault } from '../domain/fault.ts'
import type { Finding, PlacedClaim } from '../domain/finding.ts'
import { formatPeriod } from '../domain/period.ts'
import * as store from '../store/contradictions.ts'
import type { ContradictionFilter, ContradictionRow, ContradictionStatus } from '../store/contradictions.ts'
import { selectCards } from '../store/documents.ts'
import type { CardRow } from '../store/documents.ts'
import { selectScopeHead } from '../store/scope-log.ts'
import type { TenantTransaction } from '../store/transaction.ts'
import { claimIdOf } from './claims.ts'
import { openCard } from './document-card.ts'
import { decodeCursor, toPage } from './pages.ts'
import type { Page, PageRequest } from './pages.ts'
import { SEQ } from './patterns.ts'
import { readSealed } from './scope-reading.ts'
import type { ScopeReadingDeps, Sealed } from './scope-reading.ts'
import type { ScopeSeal } from './scope-seals.ts'

export type ContradictionsDeps = ScopeReadingDeps

/** What a document says, and where. */
export interface ContradictionSide {
  readonly claimId: string
  readonly documentId: string
  readonly version: number
  /** Name of the document. */
  readonly source: string
  /** Its offsets are in code points. */
  readonly claim: Claim
}

export interface FoundContradiction extends Omit<Finding, 'a' | 'b'> {
  readonly contradictionId: string
  readonly scopeId: string
  readonly status: ContradictionStatus
  readonly a: ContradictionSide
  readonly b: ContradictionSide
  readonly openedAt: Date
  readonly updatedAt: Date
}

export interface ContradictionsRequest extends PageRequest, Omit<ContradictionFilter, 'after'> {}

export async function listContradictions(
  deps: ContradictionsDeps,
  who: TenantCaller,
  scopeId: string,
  { limit, cursor, ...filter }: ContradictionsRequest,
): Promise<Page<FoundContradiction>> {
  const [after] = decodeCursor(cursor, [SEQ]) ?? []
  const { seen, seal } = await readSealed(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    return lookAt(
      transaction,
      scopeId,
      { ...filter, after: after === undefined ? undefined : Number(after) },
      limit + 1,
    )
  })
  const open = opener(who.tenantId, scopeId, seal, seen)
  return toPage(seen.rows, limit, open, (row) => [String(row.openedSeq)])
}

export async function getContradiction(
  deps: ContradictionsDeps,
  who: TenantCaller,
  scopeId: string,
  contradictionId: string,
): Promise<FoundContradiction> {
  const { seen, seal } = await readSealed(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const row = await store.selectContradiction(transaction, scopeId, contradictionId)
    if (!row) throw new Fault('contradiction_not_found')
    const cards = await cardsOf(transaction, scopeId, [row])
    return { seen: { row, cards }, epochs: [row.epoch] }
  })
  return opener(who.tenantId, scopeId, seal, seen)(seen.row)
}

export interface SeenContradictions {
  readonly rows: readonly ContradictionRow[]
  readonly cards: readonly CardRow[]
}

/** The rows as they are stored, and the names of the documents that they are about. */
export async function lookAt(
  transaction: TenantTransaction,
  scopeId: string,
  filter: ContradictionFilter,
  limit: number,
): Promise<Sealed<SeenContradictions>> {
  const rows = await store.selectContradictions(transaction, scopeId, filter, limit)
  const cards = await cardsOf(transaction, scopeId, rows)
  return { seen: { rows, cards }, epochs: rows.map(({ epoch }) => epoch) }
}

async function requireScope(transaction: TenantTransaction, scopeId: string): Promise<void> {
  if (!(await selectScopeHead(transaction, scopeId))) throw new Fault('scope_not_found')
}

async function cardsOf(
  transaction: TenantTransaction,
  scopeId: string,
  rows: readonly ContradictionRow[],
): Promise<readonly CardRow[]> {
  const documentIds = new Set(rows.flatMap(({ documentA, documentB }) => [documentA, documentB]))
  const known = [...documentIds].filter((id) => id !== null)
  return known.length === 0 ? [] : selectCards(transaction, scopeId, known)
}

/** Opens rows of this scope; whoever asks has made sure that the seal is of their generation. */
export function opener(
  tenantId: string,
  scopeId: string,
  seal: ScopeSeal,
  { cards }: Pick<SeenContradictions, 'cards'>,
): (row: ContradictionRow) => FoundContradiction {
  const names = new Map(
    cards
      .filter(({ epoch }) => epoch === seal.epoch)
      .map(({ documentId, sealedCard }) => [documentId, openCard(seal, documentId, sealedCard).name]),
  )
  return (row) => {
    const { a, b, ...finding }: Finding = JSON.parse(
      seal.open('contradiction', row.contradictionId, row.sealed).toString('utf8'),
    )
    const toSide = ({ documentId, version, no, claim }: PlacedClaim): ContradictionSide => ({
      claimId: claimIdOf(tenantId, scopeId, { epoch: row.epoch, documentId, version, no }),
      documentId,
      version,
      source: names.get(documentId) ?? '',
      claim,
    })
    const period = a.claim.period ?? b.claim.period
    return {
      ...finding,
      // In the form that claims have theirs in.
      period: period && formatPeriod(period),
      contradictionId: row.contradictionId,
      scopeId,
      status: row.status,
      a: toSide(a),
      b: toSide(b),
      openedAt: row.openedAt,
      updatedAt: row.updatedAt,
    }
  }
}
