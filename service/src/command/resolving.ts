/** `concord contradictions resolve`, `dismiss` and `reopen`: an operator decides in the name of a tenant. */
import { operations } from '@concord/contract'
import { InvalidArgumentError } from 'commander'
import { getContradiction } from '../app/contradictions/contradictions.ts'
import type { FoundContradiction } from '../app/contradictions/contradictions.ts'
import { listDecisions } from '../app/contradictions/decisions.ts'
import type { Decision } from '../app/contradictions/decisions.ts'
import { resolveContradiction } from '../app/contradictions/resolutions.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { Fault } from '../domain/fault.ts'
import type { Outcome } from '../domain/resolution.ts'
import { actFor } from './acting.ts'
import { holdingIn } from './contradiction-view.ts'
import type { Operator } from './operator.ts'
import { printRecord } from '@concord/cli/terminal'
import type { OutputOptions } from '@concord/cli/terminal'
import { everyPage } from './pages.ts'

export interface PlaceOption extends OutputOptions {
  readonly tenant: string
  readonly scope: string
}

export interface ResolutionOptions extends PlaceOption {
  readonly holds?: 'a' | 'b' | 'both' | 'neither'
  readonly reason: string
  readonly by?: string
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function settleOne(
  operator: Operator,
  outcome: Outcome,
  contradictionId: string,
  options: ResolutionOptions,
): Promise<void> {
  const who = await actFor(operator, options.tenant)
  const id = requireId(contradictionId)
  const found = await resolveContradiction(operator, who, options.scope, id, settlementOf(outcome, options))
  const row = toRow(found)
  const { holds } = row
  printRecord(options.json || holds === null ? row : { ...row, holds: holdingIn(found, holds) }, options)
}

export function requireId(contradictionId: string): string {
  if (!ID.test(contradictionId)) throw new Fault('contradiction_not_found')
  return contradictionId
}

/** Uses the bounds of the contract, so that the API accepts the reason as well. */
function settlementOf(outcome: Outcome, { holds, reason, by }: ResolutionOptions) {
  const parsed = operations.resolveContradiction.body?.safeParse({
    outcome,
    reason,
    ...(by !== undefined && { by }),
    ...(holds !== undefined && { holds }),
  })
  if (!parsed?.success) {
    const [issue] = parsed?.error.issues ?? []
    throw new InvalidArgumentError(`--${String(issue?.path[0] ?? 'reason')}: ${issue?.message ?? ''}`)
  }
  const { data } = parsed
  return {
    outcome,
    holds: data.outcome === 'resolved' ? data.holds : null,
    by: data.by ?? null,
    reason: data.reason,
  }
}

function toRow({ contradictionId, status, resolution }: FoundContradiction) {
  return {
    contradiction_id: contradictionId,
    status,
    holds: resolution?.holds ?? null,
    decision_id: resolution?.decisionId ?? null,
    seq: resolution?.seq ?? null,
  }
}

/** Shows one contradiction with all its decisions, newest first. */
export async function withHistory(
  operator: Operator,
  who: TenantCaller,
  scopeId: string,
  contradictionId: string,
): Promise<{ readonly found: FoundContradiction; readonly history: readonly Decision[] }> {
  const found = await getContradiction(operator, who, scopeId, contradictionId)
  const history = await everyPage((page) =>
    listDecisions(operator, who, scopeId, { ...page, contradictionId }),
  )
  return { found, history }
}
