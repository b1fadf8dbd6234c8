/** The runtime switches of service, tenant and scope: which work may start, what a stop takes back, and how work resumes. */
import { decideMove, strictest } from '../runtime.ts'
import type { RuntimeOp, RuntimeState } from '../runtime.ts'
import { append, unchanged, withEntry, withVersion } from './tables.ts'
import type { Change, DocumentRow, DocumentRef, Rule, Tables, WorkRow } from './tables.ts'

/** Names a switch: of a scope, of a tenant, or of the service if both are null. */
export interface Switch {
  readonly tenant: string | null
  readonly scopeKey: string | null
}

export type SwitchMove = 'moved' | 'unmoved' | 'illegal_transition'

/** Work may run if the strictest of the three switches above the document allows it. */
export function mayRun(
  tables: Tables,
  { tenant, scopeKey }: Pick<DocumentRef, 'tenant' | 'scopeKey'>,
): boolean {
  return (
    strictest(stateOf(tables, SERVICE), stateOf(tables, ofTenant(tenant)), scopeState(tables, scopeKey)) ===
    'running'
  )
}

/** Work is taken back in the same transaction, so that no earlier attempt has an effect after the answer. */
export const moveSwitch: Rule<{ readonly of: Switch; readonly op: RuntimeOp }, SwitchMove> = (
  tables,
  at,
  { of, op },
) => {
  const move = decideMove(stateOf(tables, of), op)
  if (!move) return unchanged(tables, 'illegal_transition')
  if (!move.changed) return unchanged(tables, 'unmoved')
  const change = turn(tables, at, of, move.state)
  return { ...change, tables: move.takesBack ? takeBack(change.tables, at, of) : change.tables }
}

/** After the service resumes, the window starts at a tenth and grows by a tenth each second. */
export function windowNow({ service }: Tables, at: number, window: number): number {
  if (service.state !== 'running') return 0
  if (service.runningSince === null) return window
  return Math.ceil(window * Math.min(1, 0.1 + (0.1 * (at - service.runningSince)) / 1000))
}

const SERVICE: Switch = { tenant: null, scopeKey: null }
const ofTenant = (tenant: string): Switch => ({ tenant, scopeKey: null })

function stateOf(tables: Tables, { tenant, scopeKey }: Switch): RuntimeState {
  if (scopeKey !== null) return scopeState(tables, scopeKey)
  return tenant === null ? tables.service.state : (tables.tenants.get(tenant) ?? 'running')
}

function scopeState({ scopes }: Tables, scopeKey: string): RuntimeState {
  return scopes.get(scopeKey)?.runtime ?? 'running'
}

/** Logs a move of a scope's switch in the log of the scope. Moves of the other switches are logged elsewhere. */
function turn(
  tables: Tables,
  at: number,
  { tenant, scopeKey }: Switch,
  state: RuntimeState,
): Change<SwitchMove> {
  if (scopeKey !== null) {
    const scope = tables.scopes.get(scopeKey) ?? { epoch: 0, head: 0, runtime: 'running' }
    const moved = { ...tables, scopes: withEntry(tables.scopes, scopeKey, { ...scope, runtime: state }) }
    const { scopes, entries } = append(moved, scopeKey, [
      { kind: 'runtime.changed', document: null, version: null },
    ])
    return { tables: { ...moved, scopes }, answer: 'moved', entries }
  }
  if (tenant !== null)
    return {
      tables: { ...tables, tenants: withEntry(tables.tenants, tenant, state) },
      answer: 'moved',
      entries: [],
    }
  const runningSince = state === 'running' ? at : tables.service.runningSince
  return { tables: { ...tables, service: { state, runningSince } }, answer: 'moved', entries: [] }
}

/** Queues dispatched work again. An attempt in flight is not counted, and its result is stale. */
function takeBack(tables: Tables, at: number, { tenant, scopeKey }: Switch): Tables {
  const work = new Map(tables.work)
  const documents = new Map(tables.documents)
  for (const [key, row] of tables.work) {
    const { ref, state } = row
    const isAffected =
      scopeKey === null ? tenant === null || ref.tenant === tenant : ref.scopeKey === scopeKey
    if (!isAffected || state === 'queued') continue
    const taken = { ...waitingAgain(row, at), attempt: row.attempt - (state === 'processing' ? 1 : 0) }
    work.set(key, taken)
    const document = documents.get(key)
    if (document?.status === 'processing')
      documents.set(key, { ...queuedAgain(document, row), attempt: taken.attempt })
  }
  return { ...tables, work, documents }
}

/** Queues the document again whose attempt a switch forbids. Its message is dropped. */
export function putBack(tables: Tables, at: number, row: WorkRow, document: DocumentRow): Tables {
  const { key } = row.ref
  const isUnderWay = document.status === 'processing'
  return {
    ...tables,
    work: withEntry(tables.work, key, waitingAgain(row, at)),
    documents: isUnderWay ? withEntry(tables.documents, key, queuedAgain(document, row)) : tables.documents,
  }
}

function waitingAgain(row: WorkRow, at: number): WorkRow {
  return { ...row, state: 'queued', ticket: null, touchedAt: at }
}

function queuedAgain(document: DocumentRow, { version }: WorkRow): DocumentRow {
  const isUnderWay = document.versions.some(
    (each) => each.version === version && each.status === 'processing',
  )
  const versions = isUnderWay ? withVersion(document.versions, version, 'queued') : document.versions
  return { ...document, status: 'queued', versions }
}
