/**
 * Comparing the claims of a scope when documents get other claims than they had: by a reading, or because they are removed.
 * Only groups are looked at whose representatives change, and each is compared anew as a whole, so what is found follows
 * from the claims that are there and not from how they came to be there. The head of the scope is held meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDebatable } from '../domain/representatives.ts'
import type { Filed } from '../domain/representatives.ts'
import { closeComparison, openComparison, readComparison } from '../store/comparing.ts'
import type { Outcome } from '../store/comparing.ts'
import type { Connection } from '../store/pools.ts'
import { findAll, placeOf } from './comparing/findings.ts'
import type { Trouble } from './comparing/findings.ts'
import { outcomeOf } from './comparing/outcome.ts'
import { planOf } from './comparing/plan.ts'
import type { Plan, ScopeChange } from './comparing/plan.ts'

export type { ScopeChange, Trouble }

/** Whoever else waits for this process gets a turn so often. */
const TURN_MS = 8

export async function compareClaims(
  connection: Connection,
  changes: readonly ScopeChange[],
  trouble: Trouble = () => undefined,
): Promise<void> {
  const openings = await openComparison(connection, changes.map(toQuestion))
  const plans = changes.flatMap((change, index) => planOf(change, openings[index]))
  if (plans.length === 0) return
  const contents = await readComparison(connection, plans.map(toContentQuestion))
  const outcomes: Outcome[] = []
  const pause = createPauses()
  for (const [index, plan] of plans.entries()) {
    const content = contents[index] ?? { claims: [], findings: [] }
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    const findings = await findAll(plan, content, trouble, pause)
    outcomes.push(outcomeOf(plan, findings, content.findings))
  }
  await closeComparison(connection, outcomes)
}

function toQuestion({ tenantId, scopeId, documents }: ScopeChange) {
  const keys = new Set(documents.flatMap(({ claims }) => claims.flatMap((claim) => claim.keys)))
  return { tenantId, scopeId, documents: documents.map(({ documentId }) => documentId), keys: [...keys] }
}

function toContentQuestion({ change: { tenantId, scopeId }, groups }: Plan) {
  const places = new Map<string, Filed>()
  for (const { members } of groups)
    if (isDebatable(members))
      for (const member of members) if (!member.fresh) places.set(placeOf(member), member)
  return {
    tenantId,
    scopeId,
    claims: [...places.values()],
    groups: groups.filter(({ wasDebatable }) => wasDebatable).map(({ key }) => key),
  }
}

function createPauses(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  return () => {
    if (performance.now() - sinceMs < TURN_MS) return undefined
    return nextTurn().then(() => void (sinceMs = performance.now()))
  }
}
