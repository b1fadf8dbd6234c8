/** The statements that claim and settle attempts, many at a time. */
import type { WaitingReason } from '../../domain/model-deferral.ts'
import type { PolicyPoint } from '../../domain/policy.ts'
import type { ReadingGap, StoredReport } from '../../domain/reading-report.ts'
import type { PoolConnection, Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface WorkPlace {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
  /** Its tenant has little under way. */
  readonly priority?: boolean
}

export type ClaimAnswer =
  | {
      readonly outcome: 'claimed'
      readonly attempt: number
      /** Why the attempt before failed; null if none did, whatever became of its process. */
      readonly lastReason: string | null
      readonly sealed: Buffer
      readonly document: ClaimedDocument
    }
  /** `busy`: somebody else holds the scope for longer, and nothing was done. */
  | { readonly outcome: 'stale' | 'exhausted' | 'paused' | 'busy' }

/** The facts of a document that are known without opening it. */
export interface ClaimedDocument {
  readonly version: number
  readonly type: string
  readonly characters: number
  readonly sealedCard: Buffer
  /** A person let this version pass. */
  readonly released: boolean
  /** How often the policies of its tenant were changed until then. */
  readonly policyChanges: number
}

/** The answers of policies on the way; documents of a scope that were decided alike share one. */
export interface StoredDecision {
  readonly id: string
  readonly point: PolicyPoint
  readonly result: 'allowed' | 'held'
  readonly hash: string
  readonly policies: readonly string[]
}

export interface StoredAttemptResult extends WorkPlace {
  readonly attempt: number
  readonly verdict: 'processed' | 'failed' | 'held' | 'retry'
  readonly reason: string | null
  /** The last of them is what a document is held by. */
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

/** An attempt that could not be made, for no fault of the document. */
export interface DeferredAttempt extends WorkPlace {
  readonly attempt: number
  readonly afterMs: number
  /** Whether it waits twice as long each time, up to 32 times as long. */
  readonly grows: boolean
  /** Why it waits; null where it only is to be tried elsewhere. */
  readonly waitingReason: WaitingReason | null
}

/** `busy`: somebody else holds the scope for longer, and nothing was written. */
export type SettleOutcome = 'settled' | 'stale' | 'busy'

/** `compare`: the document has claims of an older version, which go with it; nothing was written. */
export type PlainOutcome = SettleOutcome | 'compare'

export async function startAttempts(
  pool: Pool,
  places: readonly WorkPlace[],
  maxBegun: number,
): Promise<ClaimAnswer[]> {
  const groups = groupByTenant(places, ({ scopeId, documentId, ticket }) => ({
    scope: scopeId,
    document: documentId,
    ticket,
  }))
  const { rows } = await pool.query<ClaimRow>({
    name: 'start-attempts',
    text: `select item, outcome, attempt, reason, sealed, version, type, characters, sealed_card as "sealedCard", released,
                  policy_changes as "policyChanges"
             from start_attempts($1, $2)`,
    values: [groups, maxBegun],
  })
  const answers: ClaimAnswer[] = []
  for (const row of rows) answers[row.item] = toClaimAnswer(row)
  return answers
}

interface ClaimRow extends Omit<ClaimedDocument, 'released' | 'policyChanges'> {
  readonly item: number
  readonly outcome: ClaimAnswer['outcome']
  readonly attempt: number
  readonly reason: string | null
  readonly sealed: Buffer
  readonly released: boolean | null
  readonly policyChanges: number | null
}

function toClaimAnswer({ outcome, attempt, reason, sealed, ...row }: ClaimRow): ClaimAnswer {
  if (outcome !== 'claimed') return { outcome }
  const { version, type, characters, sealedCard } = row
  const released = row.released ?? false
  const policyChanges = row.policyChanges ?? 0
  const document = { version, type, characters, sealedCard, released, policyChanges }
  return { outcome, attempt, lastReason: reason, sealed, document }
}

/** In the caller's transaction, which holds the heads of the scopes from here on. */
export async function completeAttempts(
  connection: Pick<PoolConnection, 'query'>,
  results: readonly StoredAttemptResult[],
): Promise<SettleOutcome[]> {
  const { rows } = await connection.query<{ item: number; outcome: SettleOutcome }>({
    name: 'complete-attempts',
    text: 'select item, outcome from complete_attempts($1, $2)',
    values: packResults(results),
  })
  return inOrder(rows)
}

/** Results that bring no claims. */
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

/** One that waits longer each time: how often that doubles, and the most it comes to. */
const MAX_DOUBLINGS = 5
const MAX_DEFERRAL_MS = 300_000

/** Puts them back into the backlog, uncounted. */
export async function deferAttempts(
  pool: Pool,
  deferred: readonly DeferredAttempt[],
): Promise<SettleOutcome[]> {
  const groups = groupByTenant(deferred, ({ afterMs, waitingReason, grows, ...place }) => ({
    ...toItem(place),
    after_ms: Math.round(afterMs),
    reason: waitingReason,
    grows,
  }))
  const { rows } = await pool.query<{ item: number; outcome: SettleOutcome }>({
    name: 'defer-attempts',
    text: 'select item, outcome from defer_attempts($1, $2, $3)',
    values: [groups, MAX_DOUBLINGS, MAX_DEFERRAL_MS],
  })
  return inOrder(rows)
}

type AttemptPlace = WorkPlace & { readonly attempt: number }

function toItem({ scopeId, documentId, ticket, attempt }: AttemptPlace) {
  return { scope: scopeId, document: documentId, ticket, attempt }
}

/** Attempts of one scope that are still being made: what nobody touches for long is taken for lost. */
export async function touchAttempts(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  places: readonly AttemptPlace[],
): Promise<void> {
  const items = JSON.stringify(places.map((place, item) => ({ item, ...toItem(place) })))
  await connection.query({
    name: 'touch-attempts',
    text: 'select touch_attempts_of($1, $2, $3)',
    values: [tenantId, scopeId, items],
  })
}

/** Runs as the kernel role: what waits for the language model may go on, with or without what waits for its budget. */
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

/** Tenants in ascending order, as the functions ask, so that two batches never wait for each other in a ring. */
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
