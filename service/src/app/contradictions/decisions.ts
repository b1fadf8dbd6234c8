/** Lists the decisions in a scope: who decided, why, and about which contradiction or document. */
import type { TenantCaller } from '../../domain/caller.ts'
import { holdsNow } from '../../domain/resolution.ts'
import { selectValues } from '../../store/contradictions/contradictions.ts'
import type { ContradictionValues } from '../../store/contradictions/contradictions.ts'
import { selectDecisions } from '../../store/contradictions/decisions.ts'
import type { DecisionFilter, DecisionResult, DecisionRow } from '../../store/contradictions/decisions.ts'
import type { EventPayloads, NewEvent } from '../../store/scopes/events.ts'
import { decodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { SEQ, UUID } from '../patterns.ts'
import { requireScope } from '../scopes/required-scope.ts'
import { readSealedRows } from '../scopes/sealed-rows.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

/** Free text of people. It is encrypted. */
export interface DecisionReason {
  readonly by: string | null
  readonly reason: string | null
}

export interface Decision<Result extends DecisionResult = DecisionResult> extends Omit<
  DecisionRow<Result>,
  'sealed' | 'upheld' | 'against'
> {
  readonly by: string | null
  readonly reason: string | null
}

export interface DecisionsRequest extends PageRequest, Omit<DecisionFilter, 'after'> {}

export async function listDecisions(
  deps: ScopeReadDeps,
  who: TenantCaller,
  scopeId: string,
  { limit, cursor, ...filter }: DecisionsRequest,
): Promise<Page<Decision>> {
  const [seq, decisionId] = decodeCursor(cursor, [SEQ, UUID]) ?? []
  const after = decisionId === undefined ? undefined : { seq: Number(seq), decisionId }
  const { loaded, seal } = await readSealedRows(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const rows = await selectDecisions(transaction, scopeId, { ...filter, after }, limit + 1)
    const about = rows.flatMap(({ contradictionId }) => contradictionId ?? [])
    const values = await selectValues(transaction, scopeId, [...new Set(about)])
    return { loaded: { rows, values }, epochs: rows.map(({ epoch }) => epoch) }
  })
  return toPage(
    loaded.rows,
    limit,
    (row) => openDecision(seal, row, loaded.values.get(row.contradictionId ?? '')),
    (row) => [String(row.seq), row.decisionId],
  )
}

export function sealReason(seal: ScopeSeal, decisionId: string, { by, reason }: DecisionReason): Buffer {
  return seal.seal('decision', decisionId, Buffer.from(JSON.stringify({ by, reason })))
}

/** Creates the event of a decision. It precedes the event of the change that the decision makes, in the same commit. */
export function decisionEvent(data: EventPayloads['decision.made']): NewEvent<'decision.made'> {
  return { kind: 'decision.made', documentId: null, version: null, data }
}

/** Decrypts a decision. `values` are the present sides of its contradiction, if the contradiction still exists. */
export function openDecision<Result extends DecisionResult>(
  seal: ScopeSeal,
  { sealed, upheld, against: _against, ...row }: DecisionRow<Result>,
  values: ContradictionValues | undefined,
): Decision<Result> {
  const holds = holdsNow({ holds: row.holds, upheld }, values)
  if (sealed === null) return { ...row, holds, by: null, reason: null }
  const { by, reason }: DecisionReason = JSON.parse(
    seal.open('decision', row.decisionId, sealed).toString('utf8'),
  )
  return { ...row, holds, by, reason }
}
