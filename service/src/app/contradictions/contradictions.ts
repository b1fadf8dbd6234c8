/** Lists and returns the contradictions of a scope. */
import type { TenantCaller } from '../../domain/caller.ts'
import type { LocatedClaim } from '../../domain/claim.ts'
import { Fault } from '../../domain/fault.ts'
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { formatPeriod } from '../../domain/period.ts'
import type { Outcome } from '../../domain/resolution.ts'
import * as store from '../../store/contradictions/contradictions.ts'
import type {
  ContradictionFilter,
  ContradictionKind,
  ContradictionRow,
  ContradictionStatus,
} from '../../store/contradictions/contradictions.ts'
import { selectLatestDecisions } from '../../store/contradictions/decisions.ts'
import type { DecisionRow } from '../../store/contradictions/decisions.ts'
import { selectCards } from '../../store/documents/documents.ts'
import type { CardRow } from '../../store/documents/documents.ts'
import { selectWitnessCounts } from '../../store/comparing/facts.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { claimIdOf } from '../documents/claims.ts'
import { openDecision } from './decisions.ts'
import type { Decision } from './decisions.ts'
import { openCard } from '../documents/document-card.ts'
import { decodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { SEQ } from '../patterns.ts'
import { requireScope } from '../scopes/required-scope.ts'
import { readSealedRows } from '../scopes/sealed-rows.ts'
import type { ScopeReadDeps, SealedRows } from '../scopes/sealed-rows.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export type ContradictionsDeps = ScopeReadDeps

/** One side: the statement of a document and its location, or a statement as it was reported. */
export interface ContradictionSide {
  /** The name of the document, or the source as reported. */
  readonly source: string
  readonly documentId: string | null
  readonly version: number | null
  readonly claimId: string | null
  readonly quote: string
  /** The claim, with offsets in code points. Null if the side was reported. */
  readonly claim: LocatedClaim | null
}

export interface FoundContradiction extends Omit<Finding, 'a' | 'b' | 'kind' | 'confidence'> {
  readonly contradictionId: string
  readonly scopeId: string
  readonly status: ContradictionStatus
  readonly kind: ContradictionKind
  /** Null if the contradiction was reported. */
  readonly confidence: number | null
  readonly a: ContradictionSide
  readonly b: ContradictionSide
  readonly note: string | null
  /** The latest decision about the contradiction. */
  readonly resolution: Decision<Outcome> | null
  readonly openedAt: Date
  readonly updatedAt: Date
}

export interface ContradictionsRequest extends PageRequest, ContradictionFilter {
  readonly order?: 'newest' | 'severity'
}

export async function listContradictions(
  deps: ContradictionsDeps,
  who: TenantCaller,
  scopeId: string,
  { limit, cursor, order, ...filter }: ContradictionsRequest,
): Promise<Page<FoundContradiction>> {
  const list = order === 'severity' ? mostSevereFirst(cursor) : newestFirst(cursor)
  const { loaded, seal } = await readSealedRows(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    return selectPage(transaction, scopeId, await list.select(transaction, scopeId, filter, limit + 1))
  })
  const open = createRowDecoder(who.tenantId, scopeId, seal, loaded)
  return toPage(loaded.rows, limit, open, list.positionOf)
}

/** A list in one order, starting after a position. */
interface OrderedList {
  readonly select: (
    transaction: TenantTransaction,
    scopeId: string,
    filter: ContradictionFilter,
    limit: number,
  ) => Promise<readonly ContradictionRow[]>
  readonly positionOf: (row: ContradictionRow) => readonly string[]
}

function newestFirst(cursor: string | undefined): OrderedList {
  const [seq] = decodeCursor(cursor, [SEQ]) ?? []
  const after = seq === undefined ? undefined : Number(seq)
  return {
    select: (transaction, scopeId, filter, limit) =>
      store.selectContradictions(transaction, scopeId, { ...filter, after }, limit),
    positionOf: (row) => [String(row.openedSeq)],
  }
}

function mostSevereFirst(cursor: string | undefined): OrderedList {
  const [severity, confidence, seq] = decodeCursor(cursor, [PLACE_OF_SEVERITY, CONFIDENCE, SEQ]) ?? []
  const after =
    severity === undefined
      ? undefined
      : {
          severity: store.SEVERITIES[Number(severity)] ?? 'low',
          confidence: Number(confidence),
          openedSeq: Number(seq),
        }
  return {
    select: (transaction, scopeId, filter, limit) =>
      store.selectMostSevere(transaction, scopeId, { ...filter, after }, limit),
    positionOf: (row) => [
      String(store.SEVERITIES.indexOf(row.severity)),
      String(store.confidenceOf(row)),
      String(row.openedSeq),
    ],
  }
}

const PLACE_OF_SEVERITY = /^[0-3]$/
/** Matches a confidence: a number from 0 to 1 as JavaScript prints it. */
const CONFIDENCE = /^[0-9](?:\.[0-9]{1,20})?(?:e-[0-9]{1,2})?$/

export async function getContradiction(
  deps: ContradictionsDeps,
  who: TenantCaller,
  scopeId: string,
  contradictionId: string,
): Promise<FoundContradiction> {
  const { loaded, seal } = await readSealedRows(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const row = await store.selectContradiction(transaction, scopeId, contradictionId)
    if (!row) throw new Fault('contradiction_not_found')
    return { loaded: { row, ...(await loadRelatedRows(transaction, scopeId, [row])) }, epochs: [row.epoch] }
  })
  return createRowDecoder(who.tenantId, scopeId, seal, loaded)(loaded.row)
}

/** Data that is shown with contradictions: the names of their documents and their latest decisions. */
export interface RelatedRows {
  readonly cards: readonly CardRow[]
  readonly decisions: readonly DecisionRow<Outcome>[]
  /** The number of claims that state each fact. */
  readonly witnesses: ReadonlyMap<bigint, number>
}

export interface ContradictionRows extends RelatedRows {
  readonly rows: readonly ContradictionRow[]
}

/** The stored rows and their related data. */
export async function selectPage(
  transaction: TenantTransaction,
  scopeId: string,
  rows: readonly ContradictionRow[],
): Promise<SealedRows<ContradictionRows>> {
  const loaded = { rows, ...(await loadRelatedRows(transaction, scopeId, rows)) }
  return { loaded, epochs: rows.map(({ epoch }) => epoch) }
}

export async function loadRelatedRows(
  transaction: TenantTransaction,
  scopeId: string,
  rows: readonly ContradictionRow[],
): Promise<RelatedRows> {
  const ids = rows.map(({ contradictionId }) => contradictionId)
  return {
    cards: await cardsOf(transaction, scopeId, rows),
    decisions: await selectLatestDecisions(transaction, scopeId, ids),
    witnesses: await witnessesOf(transaction, scopeId, rows),
  }
}

/** The values of findings about facts are facts. Other findings have none. */
async function witnessesOf(
  transaction: TenantTransaction,
  scopeId: string,
  rows: readonly ContradictionRow[],
): Promise<ReadonlyMap<bigint, number>> {
  const values = new Set(rows.flatMap(({ valueA, valueB }) => [valueA, valueB]))
  const known = [...values].filter((value) => value !== null)
  return known.length === 0 ? new Map() : selectWitnessCounts(transaction, scopeId, known)
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

/** Returns a function that decrypts rows of this scope. The seal must be of the generation of the rows. */
export function createRowDecoder(
  tenantId: string,
  scopeId: string,
  seal: ScopeSeal,
  { cards, decisions, witnesses }: RelatedRows,
): (row: ContradictionRow) => FoundContradiction {
  const names = new Map(
    cards
      .filter(({ epoch }) => epoch === seal.epoch)
      .map(({ documentId, sealedCard }) => [documentId, openCard(seal, documentId, sealedCard).name]),
  )
  const decided = new Map(decisions.map((decision) => [decision.contradictionId, decision]))
  return (row) => {
    const content: Content = JSON.parse(
      seal.open('contradiction', row.contradictionId, row.sealed).toString('utf8'),
    )
    const decision = decided.get(row.contradictionId)
    const { contradictionId, status, openedAt, updatedAt } = row
    return {
      ...('reporter' in content ? toReported(row, content) : toFound(tenantId, scopeId, row, content, names)),
      ...furtherOf(row, witnesses),
      contradictionId,
      scopeId,
      status,
      resolution: decision ? openDecision(seal, decision, row) : null,
      openedAt,
      updatedAt,
    }
  }
}

/** Lists, for a finding about facts, the other claims that state one of them and are not shown. */
function furtherOf(
  { valueA, valueB }: ContradictionRow,
  witnesses: ReadonlyMap<bigint, number>,
): Partial<Pick<FoundContradiction, 'further'>> {
  const [a, b] = [valueA, valueB].map((value) => (value === null ? undefined : witnesses.get(value)))
  return a === undefined || b === undefined ? {} : { further: a + b - 2 }
}

type Content = Finding | ReportedContent
type Told = Omit<
  FoundContradiction,
  'contradictionId' | 'scopeId' | 'status' | 'resolution' | 'openedAt' | 'updatedAt'
>

function toFound(
  tenantId: string,
  scopeId: string,
  { epoch }: ContradictionRow,
  { a, b, ...finding }: Finding,
  names: ReadonlyMap<string, string>,
): Told {
  const toSide = ({ documentId, version, no, claim }: PlacedClaim): ContradictionSide => ({
    claimId: claimIdOf(tenantId, scopeId, { epoch, documentId, version, no }),
    documentId,
    version,
    source: names.get(documentId) ?? '',
    quote: claim.quote,
    claim,
  })
  const period = a.claim.period ?? b.claim.period
  // The period has the form of the periods of claims. Older findings have no title.
  return {
    ...finding,
    title: finding.title ?? null,
    period: period && formatPeriod(period),
    a: toSide(a),
    b: toSide(b),
    note: null,
  }
}

/** The encrypted part of a reported contradiction. */
export interface ReportedContent {
  /** The actor that reported it. */
  readonly reporter: string
  readonly a: ReportedSide
  readonly b: ReportedSide
  readonly note: string | null
}

export interface ReportedSide {
  readonly source: string
  readonly claim: string
  /** The version of the named document at the time of the report. */
  readonly version: number | null
}

function toReported(
  { relation, severity, documentA, documentB }: ContradictionRow,
  { reporter, a, b, note }: ReportedContent,
): Told {
  return {
    relation,
    kind: 'reported',
    rule: reporter,
    title: null,
    subject: '',
    attribute: '',
    period: null,
    severity,
    confidence: null,
    explanation: `It was reported that ${a.source} and ${b.source} contradict each other.`,
    further: 0,
    a: toReportedSide(a, documentA),
    b: toReportedSide(b, documentB),
    note,
  }
}

function toReportedSide(
  { source, claim, version }: ReportedSide,
  documentId: string | null,
): ContradictionSide {
  return { source, documentId, version, claimId: null, quote: claim, claim: null }
}
