/**
 * Comparing the claims of a scope when documents get other claims than they had: by a reading, or because they are removed.
 * Only groups are looked at whose representatives change, and each is compared anew as a whole, so what is found follows
 * from the claims that are there and not from how they came to be there. The head of the scope is held meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { closeComparison, openComparison, readComparison } from '../store/comparing.ts'
import type { Outcome } from '../store/comparing.ts'
import type { Connection } from '../store/pools.ts'
import { findAll } from './comparing/findings.ts'
import { createOpenedClaims } from './comparing/opened-claims.ts'
import type { OpenedClaims } from './comparing/opened-claims.ts'
import { outcomeOf } from './comparing/outcome.ts'
import { planOf, wantedGroups } from './comparing/plan.ts'
import type { Plan, ScopeChange } from './comparing/plan.ts'
import { createShelf } from './comparing/shelf.ts'
import type { Shelf, Trouble } from './comparing/shelf.ts'

export { createOpenedClaims }
export type { OpenedClaims, ScopeChange, Trouble }

/** Whoever else waits for this process gets a turn so often. */
const TURN_MS = 8

export interface Means {
  readonly trouble?: Trouble | undefined
  /** Of those who compare again and again. */
  readonly opened?: OpenedClaims
}

export async function compareClaims(
  connection: Connection,
  changes: readonly ScopeChange[],
  { trouble = () => undefined, opened = createOpenedClaims() }: Means = {},
): Promise<void> {
  const openings = await openComparison(connection, changes.map(toQuestion))
  const works = changes
    .flatMap((change, index) => planOf(change, openings[index]))
    .map((plan) => ({ plan, shelf: createShelf(plan, opened, trouble) }))
  if (works.length === 0) return
  const contents = await readComparison(connection, works.map(toContentQuestion))
  const outcomes: Outcome[] = []
  const pause = createPauses()
  for (const [index, { plan, shelf }] of works.entries()) {
    const content = contents[index] ?? { claims: [], findings: [] }
    shelf.fill(content.claims)
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    const findings = await findAll(plan, { shelf, memory: opened.memory, trouble, pause })
    outcomes.push(outcomeOf(plan, findings, content.findings))
  }
  await closeComparison(connection, outcomes)
}

function toQuestion({ tenantId, scopeId, documents }: ScopeChange) {
  const ids = documents.map(({ documentId }) => documentId)
  return { tenantId, scopeId, documents: ids, groups: wantedGroups(documents) }
}

function toContentQuestion({ plan, shelf }: { readonly plan: Plan; readonly shelf: Shelf }) {
  const { tenantId, scopeId } = plan.change
  const groups = plan.groups.filter(({ wasDebatable }) => wasDebatable).map(({ key }) => key)
  return { tenantId, scopeId, claims: shelf.missing, groups }
}

function createPauses(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < TURN_MS) return undefined
    return nextTurn().then(() => void (sinceMs = performance.now()))
  }
}
