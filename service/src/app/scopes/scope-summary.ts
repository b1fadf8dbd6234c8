/** A scope at a glance. */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { countFindings, selectContradictions } from '../../store/contradictions/contradictions.ts'
import type { FindingCounts } from '../../store/contradictions/contradictions.ts'
import { selectBlockers } from '../../store/scopes/convergence.ts'
import type { Blocker } from '../../store/scopes/convergence.ts'
import { selectScopeSummary } from '../../store/scopes/scope-stats.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { selectPage, createRowDecoder } from '../contradictions/contradictions.ts'
import type { FoundContradiction, ContradictionRows } from '../contradictions/contradictions.ts'
import { toCountedScope } from './scope-stats.ts'
import type { CountedScope } from './scope-stats.ts'
import { requireScope } from './required-scope.ts'
import { readSealedRows } from './sealed-rows.ts'
import type { ScopeReadDeps, SealedRows } from './sealed-rows.ts'

export interface ScopeSummary extends CountedScope {
  readonly oldestQueuedAt: Date | null
  /** Null while the log is empty. */
  readonly logHead: number | null
  readonly lastActivityAt: Date | null
  readonly claims: number
  readonly leftOut: FindingCounts['leftOut']
  readonly contradictions: FindingCounts['contradictions']
  /** The newest contradictions that are open. */
  readonly newest: readonly FoundContradiction[]
  /** The worst of what keeps it from being settled. */
  readonly blockers: readonly Blocker[]
}

/** The largest number that the contract allows in a summary. */
const NEWEST = 5
const BLOCKERS = 5

export async function getScopeSummary(
  deps: ScopeReadDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<ScopeSummary> {
  const { loaded, seal } = await readSealedRows(deps, who, scopeId, async (transaction) => {
    await requireScope(transaction, scopeId)
    const row = await selectScopeSummary(transaction, scopeId)
    if (!row) throw new Fault('scope_not_found')
    const counts = await countFindings(transaction, scopeId)
    const { loaded: newest, epochs } = await selectNewest(transaction, scopeId, counts)
    const blockers =
      row.convergence.blockersTotal > 0 ? await selectBlockers(transaction, scopeId, BLOCKERS) : []
    return { loaded: { row, counts, newest, blockers }, epochs }
  })
  const { head, oldestQueuedAt, lastActivityAt, ...row } = loaded.row
  return {
    ...toCountedScope(row),
    oldestQueuedAt,
    logHead: head === 0 ? null : head,
    lastActivityAt,
    ...loaded.counts,
    blockers: loaded.blockers,
    newest: loaded.newest.rows.map(createRowDecoder(who.tenantId, scopeId, seal, loaded.newest)),
  }
}

/** Most scopes have none, and their glance is spared the questions. */
async function selectNewest(
  transaction: TenantTransaction,
  scopeId: string,
  { contradictions }: FindingCounts,
): Promise<SealedRows<ContradictionRows>> {
  if (contradictions.every(({ status }) => status !== 'open'))
    return { loaded: { rows: [], cards: [], decisions: [], witnesses: new Map() }, epochs: [] }
  const rows = await selectContradictions(transaction, scopeId, { statuses: ['open'] }, NEWEST)
  return selectPage(transaction, scopeId, rows)
}
