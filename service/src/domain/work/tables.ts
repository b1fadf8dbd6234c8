/** Holds the tables of documents on their way, as plain values: a rule takes these tables and gives the next. */
import type { RuntimeState } from '../runtime.ts'

export type WorkState = 'queued' | 'ready' | 'processing'
export type WorkStatus = 'queued' | 'processing' | 'processed' | 'held' | 'failed' | 'superseded' | 'removed'
export type WorkVerdict = 'processed' | 'failed' | 'held' | 'retry'

export interface WorkScope {
  readonly tenant: string
  readonly scope: string
  readonly document: string
  /** Names the scope, and the document, among all tenants. */
  readonly scopeKey: string
  readonly key: string
}

export interface WorkScopeRow {
  readonly epoch: number
  /** Position of the last entry of its log. */
  readonly head: number
  readonly runtime: RuntimeState
}

export interface Version {
  readonly version: number
  readonly status: WorkStatus
}

export interface DocumentRow {
  readonly place: WorkScope
  readonly epoch: number
  readonly version: number
  readonly status: WorkStatus
  readonly attempt: number
  readonly error: string | null
  readonly fingerprint: string | null
  readonly seq: number
  readonly versions: readonly Version[]
  /** The versions whose reading is kept. */
  readonly readings: readonly number[]
  /** The version that a person let pass. */
  readonly releasedVersion: number | null
}

export interface WorkRow {
  readonly place: WorkScope
  readonly version: number
  readonly epoch: number
  readonly state: WorkState
  readonly shard: number
  readonly position: number
  readonly attempt: number
  readonly ticket: number | null
  readonly notBefore: number
  readonly touchedAt: number
}

export interface Lease {
  readonly holder: string | null
  readonly expiresAt: number
}

export interface Tables {
  readonly service: { readonly state: RuntimeState; readonly runningSince: number | null }
  /** A tenant that is not named was never moved, and runs. */
  readonly tenants: ReadonlyMap<string, RuntimeState>
  readonly scopes: ReadonlyMap<string, WorkScopeRow>
  readonly documents: ReadonlyMap<string, DocumentRow>
  readonly work: ReadonlyMap<string, WorkRow>
  readonly leases: readonly Lease[]
  /** The last number that each sequence gave. */
  readonly positions: number
  readonly tickets: number
}

/** An entry that was appended to the log of a scope. The tables keep the heads alone. */
export interface Entry {
  readonly scopeKey: string
  readonly seq: number
  readonly epoch: number
  readonly kind: string
  readonly document: string | null
  readonly version: number | null
}

export interface Change<Answer> {
  readonly tables: Tables
  readonly answer: Answer
  readonly entries: readonly Entry[]
}

export type Rule<Request, Answer> = (tables: Tables, at: number, request: Request) => Change<Answer>

export const SHARDS: readonly number[] = [0, 1, 2, 3]

export const NEW_SCOPE: WorkScopeRow = { epoch: 0, head: 0, runtime: 'running' }

export function createTables(scopeKeys: readonly string[]): Tables {
  return {
    service: { state: 'running', runningSince: null },
    tenants: new Map(),
    scopes: new Map(scopeKeys.map((key) => [key, NEW_SCOPE])),
    documents: new Map(),
    work: new Map(),
    leases: SHARDS.map(() => ({ holder: null, expiresAt: -Infinity })),
    positions: 0,
    tickets: 0,
  }
}

export function placeOf(tenant: string, scope: string, document: string): WorkScope {
  const scopeKey = `${tenant} ${scope}`
  return { tenant, scope, document, scopeKey, key: `${scopeKey} ${document}` }
}

/** The last byte of the tenant's id decides, as shard_of does. */
export function shardOf(tenant: string): number {
  return Number.parseInt(tenant.slice(-2), 16) % SHARDS.length
}

/** Nothing was written: the very same tables, so that a check can tell by identity. */
export function unchanged<Answer>(tables: Tables, answer: Answer): Change<Answer> {
  return { tables, answer, entries: [] }
}

export function withEntry<Value>(map: ReadonlyMap<string, Value>, key: string, value: Value) {
  return new Map(map).set(key, value)
}

export function without<Value>(map: ReadonlyMap<string, Value>, key: string) {
  return new Map([...map].filter(([each]) => each !== key))
}

export function withVersion(versions: readonly Version[], version: number, status: WorkStatus) {
  return versions.map((each) => (each.version === version ? { version, status } : each))
}

export function eventOf(
  kind: string,
  { place, version }: { readonly place: WorkScope; readonly version: number },
) {
  return { kind, document: place.document, version }
}

/** The next entries of one log, in order, and the head that they move. */
export function append(
  tables: Tables,
  scopeKey: string,
  events: readonly Pick<Entry, 'kind' | 'document' | 'version'>[],
) {
  const scope = tables.scopes.get(scopeKey) ?? NEW_SCOPE
  const { epoch, head } = scope
  const seq = head + events.length
  const entries: readonly Entry[] = events.map((each, index) => ({
    ...each,
    scopeKey,
    epoch,
    seq: head + 1 + index,
  }))
  return { scopes: withEntry(tables.scopes, scopeKey, { ...scope, head: seq }), entries, seq }
}
