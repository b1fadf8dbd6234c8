/** The tables of documents and work as immutable values: a rule takes tables and returns the next ones. */
import type { RuntimeState } from '../runtime.ts'

export type WorkState = 'queued' | 'ready' | 'processing'
export type WorkStatus = 'queued' | 'processing' | 'processed' | 'held' | 'failed' | 'superseded' | 'removed'
export type WorkVerdict = 'processed' | 'failed' | 'held' | 'retry'

export interface DocumentRef {
  readonly tenant: string
  readonly scope: string
  readonly document: string
  /** `scopeKey` and `key` identify the scope and the document among all tenants. */
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
  readonly ref: DocumentRef
  readonly epoch: number
  readonly version: number
  readonly status: WorkStatus
  readonly attempt: number
  readonly error: string | null
  readonly fingerprint: string | null
  readonly seq: number
  readonly versions: readonly Version[]
  /** The versions whose reading is stored. */
  readonly readings: readonly number[]
  /** The version that a person released. */
  readonly releasedVersion: number | null
}

export interface WorkRow {
  readonly ref: DocumentRef
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
  /** The switches of tenants. A tenant without an entry is running. */
  readonly tenants: ReadonlyMap<string, RuntimeState>
  readonly scopes: ReadonlyMap<string, WorkScopeRow>
  readonly documents: ReadonlyMap<string, DocumentRow>
  readonly work: ReadonlyMap<string, WorkRow>
  readonly leases: readonly Lease[]
  /** The last values of both sequences. */
  readonly positions: number
  readonly tickets: number
}

/** An entry appended to the log of a scope. The tables keep only the heads of the logs. */
export interface WorkLogEntry {
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
  readonly entries: readonly WorkLogEntry[]
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

export function documentRefOf(tenant: string, scope: string, document: string): DocumentRef {
  const scopeKey = `${tenant} ${scope}`
  return { tenant, scope, document, scopeKey, key: `${scopeKey} ${document}` }
}

/** Uses the last byte of the tenant's id, like `shard_of`. */
export function shardOf(tenant: string): number {
  return Number.parseInt(tenant.slice(-2), 16) % SHARDS.length
}

/** A change that writes nothing. It returns the same object, so that a check can compare by identity. */
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
  { ref, version }: { readonly ref: DocumentRef; readonly version: number },
) {
  return { kind, document: ref.document, version }
}

/** Appends entries to the log of a scope and moves its head. */
export function append(
  tables: Tables,
  scopeKey: string,
  events: readonly Pick<WorkLogEntry, 'kind' | 'document' | 'version'>[],
) {
  const scope = tables.scopes.get(scopeKey) ?? NEW_SCOPE
  const { epoch, head } = scope
  const seq = head + events.length
  const entries: readonly WorkLogEntry[] = events.map((each, index) => ({
    ...each,
    scopeKey,
    epoch,
    seq: head + 1 + index,
  }))
  return { scopes: withEntry(tables.scopes, scopeKey, { ...scope, head: seq }), entries, seq }
}
