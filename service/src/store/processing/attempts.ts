/** The statements that start, complete and defer attempts, in batches. */
import type { WaitingReason } from '../../domain/model-deferral.ts'
import type { PolicyPoint } from '../../domain/policy.ts'
import type { ReadingGap, StoredReport } from '../../domain/reading-report.ts'
import type { PoolConnection, Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface WorkRef {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
  /** True if the tenant has little work in flight, so the document is in the priority queue. */
  readonly priority?: boolean
}

export type StartResult =
  | {
      readonly outcome: 'claimed'
      readonly attempt: number
      /** Why the previous attempt failed. Null if none failed, even if a process died during one. */
      readonly lastReason: string | null
      readonly sealed: Buffer
      readonly document: LeasedDocument
    }
  /** `busy`: another transaction holds the lock of the scope, and nothing was written. */
  | { readonly outcome: 'stale' | 'exhausted' | 'paused' | 'busy' }

/** The facts of a document that are known without decrypting it. */
export interface LeasedDocument {
  readonly version: number
  readonly type: string
  readonly characters: number
  readonly sealedCard: Buffer
  /** A person released this version although a policy held it. */
  readonly released: boolean
  /** The number of policy changes of the tenant so far. */
  readonly policyChanges: number
}

/** A decision of policies about a document. Documents of a scope with the same decision share one. */
export interface StoredDecision {
  readonly id: string
  readonly point: PolicyPoint
  readonly result: 'allowed' | 'held'
  readonly hash: string
  readonly policies: readonly string[]
}

export interface StoredAttemptResult extends WorkRef {
  readonly attempt: number
  readonly verdict: 'processed' | 'failed' | 'held' | 'retry'
  readonly reason: string | null
  /** If the document is held, the last decision is the reason. */
  readonly decisions?: readonly StoredDecision[]
  readonly reading: StoredReading | null
}

export interface StoredReading {
  readonly passages: number
  readonly sentences: number
  readonly sealed: Buffer
  readonly report: StoredReport
  readonly gap: ReadingGap | null
}

/** An attempt that could not run, for a reason that is not in the document. */
export interface DeferredAttempt extends WorkRef {
  readonly attempt: number
  readonly afterMs: number
  /** If true, the delay doubles with each deferral, up to 32 times. */
  readonly grows: boolean
  /** Why the document waits. Null if another worker should simply try it. */
  readonly waitingReason: WaitingReason | null
}

/** `busy`: another transaction held the lock of the scope, and nothing was written. */
export type CompletionResult = 'settled' | 'stale' | 'busy'

/** `compare`: the document has claims of an older version that have to be removed; nothing was written. */
export type PlainOutcome = CompletionResult | 'compare'

export async function startAttempts(
  pool: Pool,
  places: readonly WorkRef[],
  maxStarts: number,
): Promise<StartResult[]> {
  const groups = groupByTenant(places, ({ scopeId, documentId, ticket }) => ({
    scope: scopeId,
    document: documentId,
    ticket,
  }))
  const { rows } = await pool.query<StartRow>({
    name: 'start-attempts',
    text: `select item, outcome, attempt, reason, sealed, version, type, characters, sealed_card as "sealedCard", released,
                  policy_changes as "policyChanges"
             from start_attempts($1, $2)`,
    values: [groups, maxStarts],
  })
  const answers: StartResult[] = []
  for (const row of rows) answers[row.item] = toStartResult(row)
  return answers
}

interface StartRow extends Omit<LeasedDocument, 'released' | 'policyChanges'> {
  readonly item: number
  readonly outcome: StartResult['outcome']
  readonly attempt: number
  readonly reason: string | null
  readonly sealed: Buffer
  readonly released: boolean | null
  readonly policyChanges: number | null
}

function toStartResult({ outcome, attempt, reason, sealed, ...row }: StartRow): StartResult {
  if (outcome !== 'claimed') return { outcome }
  const { version, type, characters, sealedCard } = row
  const released = row.released ?? false
  const policyChanges = row.policyChanges ?? 0
  const document = { version, type, characters, sealedCard, released, policyChanges }
  return { outcome, attempt, lastReason: reason, sealed, document }
}

/** Completes attempts in the caller's transaction and locks the heads of their scopes until it ends. */
export async function completeAttempts(
  connection: Pick<PoolConnection, 'query'>,
  results: readonly StoredAttemptResult[],
): Promise<CompletionResult[]> {
  const { rows } = await connection.query<{ item: number; outcome: CompletionResult }>({
    name: 'complete-attempts',
    text: 'select item, outcome from complete_attempts($1, $2)',
    values: packResults(results),
  })
  return inOrder(rows)
}

/** Completes attempts whose results have no claims. */
export async function completeReadings(
  pool: Pool,
  results: readonly StoredAttemptResult[],
): Promise<PlainOutcome[]> {
  const { rows } = await pool.query<{ item: number; outcome: PlainOutcome }>({
    name: 'complete-readings',
    text: 'select item, outcome from complete_readings($1, $2)',
    values: packResults(results),
  })
  return inOrder(rows)
}

/** The exponential backoff of deferrals that grow. */
const MAX_DOUBLINGS = 5
const MAX_DEFERRAL_MS = 300_000

/** Puts the documents back into the backlog. The attempts are not counted. */
export async function deferAttempts(
  pool: Pool,
  deferred: readonly DeferredAttempt[],
): Promise<CompletionResult[]> {
  const groups = groupByTenant(deferred, ({ afterMs, waitingReason, grows, ...place }) => ({
    ...toItem(place),
    after_ms: Math.round(afterMs),
    reason: waitingReason,
    grows,
  }))
  const { rows } = await pool.query<{ item: number; outcome: CompletionResult }>({
    name: 'defer-attempts',
    text: 'select item, outcome from defer_attempts($1, $2, $3)',
    values: [groups, MAX_DOUBLINGS, MAX_DEFERRAL_MS],
  })
  return inOrder(rows)
}

type AttemptRef = WorkRef & { readonly attempt: number }

function toItem({ scopeId, documentId, ticket, attempt }: AttemptRef) {
  return { scope: scopeId, document: documentId, ticket, attempt }
}

/** Records that attempts of one scope are still in progress. Work that is not touched for long counts as lost. */
export async function touchAttempts(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  places: readonly AttemptRef[],
): Promise<void> {
  const items = JSON.stringify(places.map((place, item) => ({ item, ...toItem(place) })))
  await connection.query({
    name: 'touch-attempts',
    text: 'select touch_attempts_of($1, $2, $3)',
    values: [tenantId, scopeId, items],
  })
}

/**
 * Makes work that waits for the language model due now, with or without work that waits for its budget. Runs as the
 * kernel role.
 */
export async function wakeDeferred(kernel: Pool, withBudget: boolean): Promise<number> {
  const { rowCount } = await kernel.query(
    `update work set not_before = now()
      where state = 'queued' and waiting_reason is not null and not_before > now()
        and ($1 or waiting_reason <> 'over_budget')`,
    [withBudget],
  )
  return rowCount ?? 0
}

function toReadingItem(reading: StoredReading | null) {
  if (!reading) return {}
  const { passages, sentences, report, gap } = reading
  return { passages, sentences, report, gap }
}

function packResults(results: readonly StoredAttemptResult[]): [groups: string, content: Buffer] {
  // @point attempt.complete.write
  const pieces: Buffer[] = []
  let length = 0
  const groups = groupByTenant(
    results,
    (result) => {
      const sealed = result.reading?.sealed
      const at = length
      if (sealed) pieces.push(sealed)
      length += sealed?.length ?? 0
      const decided = (result.decisions ?? []).map(({ id }) => id)
      return {
        scope: result.scopeId,
        document: result.documentId,
        ticket: result.ticket,
        attempt: result.attempt,
        verdict: result.verdict,
        reason: result.reason,
        ...toReadingItem(result.reading),
        sealed_at: at,
        sealed_length: sealed?.length ?? 0,
        held_by: result.verdict === 'held' ? decided.at(-1) : null,
        decided,
      }
    },
    (own) => ({ decisions: [...new Set(own.flatMap(({ decisions = [] }) => decisions))] }),
  )
  return [groups, Buffer.concat(pieces, length)]
}

function inOrder<Outcome>(rows: readonly { readonly item: number; readonly outcome: Outcome }[]): Outcome[] {
  const outcomes: Outcome[] = []
  for (const { item, outcome } of rows) outcomes[item] = outcome
  return outcomes
}

/** Groups by tenant in ascending order, as the SQL functions require, so that two batches cannot deadlock. */
function groupByTenant<Item extends { readonly tenantId: string }>(
  items: readonly Item[],
  pack: (item: Item) => Readonly<Record<string, unknown>>,
  more: (own: readonly Item[]) => Readonly<Record<string, unknown>> = () => ({}),
): string {
  const byTenant = Map.groupBy(items.entries(), ([, { tenantId }]) => tenantId)
  const groups = [...byTenant.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tenant, entries]) => ({
      tenant,
      items: entries.map(([item, entry]) => ({ item, ...pack(entry) })),
      ...more(entries.map(([, entry]) => entry)),
    }))
  return JSON.stringify(groups)
}
