/** Builds a report on a scope, read within bounds: the heaviest open contradictions first. */
import type { TenantCaller } from '../../domain/caller.ts'
import { listContradictions } from '../contradictions/contradictions.ts'
import type { FoundContradiction } from '../contradictions/contradictions.ts'
import { getConvergence } from './convergence.ts'
import type { ScopeConvergence } from './convergence.ts'
import { listDecisions } from '../contradictions/decisions.ts'
import type { Decision } from '../contradictions/decisions.ts'
import { listDocuments } from '../documents/document-lists.ts'
import type { DocumentsDeps, DecryptedDocument } from '../documents/documents.ts'
import type { Page } from '../pages.ts'
import { getScopeSummary } from './scope-summary.ts'
import type { ScopeSummary } from './scope-summary.ts'

export interface ReportContent {
  readonly summary: ScopeSummary
  readonly convergence: ScopeConvergence
  readonly contradictions: readonly FoundContradiction[]
  readonly decisions: BoundedList<Decision>
  readonly documents: BoundedList<DecryptedDocument>
}

export interface BoundedList<Item> {
  readonly items: readonly Item[]
  /** There are more than the bound lets in. */
  readonly more: boolean
}

export interface ReportBounds {
  readonly contradictions: number
  readonly documents: number
  readonly decisions: number
  /** The length of all records as JSON. */
  readonly bytes: number
}

/** In this order, each by severity and confidence, until the bound is met. */
const STATUSES = ['open', 'resolved', 'dismissed'] as const

export async function readReport(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  bounds: ReportBounds,
): Promise<ReportContent> {
  const summary = await getScopeSummary(deps, who, scopeId)
  const convergence = await getConvergence(deps, who, scopeId)
  const fits = createFit(bounds.bytes)
  const contradictions: FoundContradiction[] = []
  for (const status of STATUSES) {
    const room = bounds.contradictions - contradictions.length
    if (room === 0) break
    const ask = (page: PageOf) =>
      listContradictions(deps, who, scopeId, { statuses: [status], order: 'severity', ...page })
    // oxlint-disable-next-line no-await-in-loop -- the next status has the room that this one leaves
    const { items, isCut } = await readPages(ask, room, fits)
    contradictions.push(...items)
    if (isCut) break
  }
  const decisions = await readPages((page) => listDecisions(deps, who, scopeId, page), bounds.decisions, fits)
  const documents = await readPages(
    (page) => listDocuments(deps, who, scopeId, { ...page, order: 'id' }),
    bounds.documents,
    fits,
  )
  return { summary, convergence, contradictions, decisions, documents }
}

interface PageOf {
  readonly limit: number
  readonly cursor: string | undefined
}

/** Each page is a transaction of its own, so that none of them is long. */
const PAGE = 100

async function readPages<Item>(
  ask: (page: PageOf) => Promise<Page<Item>>,
  bound: number,
  fits: (item: unknown) => boolean,
): Promise<BoundedList<Item> & { readonly isCut: boolean }> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page = await ask({ limit: Math.min(PAGE, bound - items.length), cursor })
    for (const item of page.items) {
      if (!fits(item)) return { items, more: true, isCut: true }
      items.push(item)
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && items.length < bound)
  return { items, more: cursor !== undefined, isCut: false }
}

/** Returns false for the first item that exceeds the bytes, and for all after it. */
function createFit(bytes: number): (item: unknown) => boolean {
  let left = bytes
  return (item) => {
    if (left >= 0) left -= Buffer.byteLength(JSON.stringify(item))
    return left >= 0
  }
}
