/**
 * The statements of comparison steps: find the due ones, lease one, load what it is compared with, and end it. A step has
 * either facts, which a language model compares, or groups of claims, which rules compare.
 */
import type { Pool } from '../pools.ts'
import { toBigintArray } from '../scope-batches.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface StepRef {
  readonly tenantId: string
  readonly scopeId: string
  /** Its number within the scope. */
  readonly step: number
}

export type StepKind = 'facts' | 'groups'

/**
 * Selects due steps, in turns over the tenants, so that no tenant waits behind the many steps of another. Runs as the
 * kernel role.
 */
export async function selectDueSteps(kernel: Pool, kind: StepKind, limit: number): Promise<StepRef[]> {
  const { rows } = await kernel.query<{ tenant_id: string; scope_id: string; step: string }>({
    name: 'select-due-comparison-steps',
    text: `select r.tenant_id, r.scope_id, r.step
             from (select distinct tenant_id from fact_counts where steps > 0) p
             join service_switch s on s.state = 'running'
            cross join lateral (
              select q.tenant_id, q.scope_id, q.step, q.due_at, row_number() over (order by q.due_at, q.step) as turn
                from comparison_steps q
                join scope_heads h on h.tenant_id = q.tenant_id and h.scope_id = q.scope_id and h.runtime_state = 'running'
                                  and not h.erasing
               where q.tenant_id = p.tenant_id and q.due_at <= now() and q.kind = $2
               order by q.due_at, q.step limit $1) r
            where not exists (select from tenant_switches t where t.tenant_id = p.tenant_id and t.state <> 'running')
            order by r.turn, r.due_at limit $1`,
    values: [limit, kind],
  })
  return rows.map((row) => ({ tenantId: row.tenant_id, scopeId: row.scope_id, step: Number(row.step) }))
}

export interface StepRow {
  readonly epoch: number
  readonly documentId: string
  readonly version: number
  /** The step is compared with facts of lower positions. */
  readonly position: number
  readonly facts: readonly bigint[]
  readonly failures: number
  readonly refusals: number
  readonly heldReason: HoldReason | null
}

/**
 * `not_permitted`: no policy permits sending the document, or one that it is compared with, to the model. `over_budget`: the
 * token budget of the tenant is used up.
 */
export type HoldReason = 'not_permitted' | 'over_budget'

/**
 * Leases a step of facts: no other worker gets it until the lease expires. Returns undefined if another worker has the lease, or if
 * the runtime is paused. It locks the switches, so no step starts after the request that paused the runtime was answered.
 */
export async function leaseStep(
  transaction: TenantTransaction,
  place: StepRef,
  leaseMs: number,
): Promise<StepRow | undefined> {
  const row = await lease(transaction, place, 'facts', leaseMs)
  if (!row) return undefined
  const { documentId, version } = row
  if (documentId === null || version === null) throw new Error('a step of facts has a document')
  return { ...row, documentId, version, position: Number(row.position), facts: row.facts.map(BigInt) }
}

export interface GroupStepRow extends Pick<StepRow, 'epoch' | 'failures'> {
  /** Groups of claims that are compared again. */
  readonly groups: readonly bigint[]
}

/** Leases a step of groups, like `leaseStep`. */
export async function leaseGroupStep(
  transaction: TenantTransaction,
  place: StepRef,
  leaseMs: number,
): Promise<GroupStepRow | undefined> {
  const row = await lease(transaction, place, 'groups', leaseMs)
  return row && { epoch: row.epoch, failures: row.failures, groups: row.groups.map(BigInt) }
}

interface LeasedColumns extends Pick<StepRow, 'epoch' | 'failures' | 'refusals' | 'heldReason'> {
  readonly documentId: string | null
  readonly version: number | null
  readonly position: string
  readonly facts: readonly string[]
  readonly groups: readonly string[]
}

async function lease(
  { connection, tenantId }: TenantTransaction,
  { scopeId, step }: StepRef,
  kind: StepKind,
  leaseMs: number,
): Promise<LeasedColumns | undefined> {
  await connection.query('select hold_service_switch(), hold_tenant_switch($1)', [tenantId])
  const { rows } = await connection.query<LeasedColumns>({
    name: 'lease-comparison-step',
    text: `update comparison_steps set due_at = now() + $4 * interval '1 ms'
            where tenant_id = $1 and scope_id = $2 and step = $3 and kind = $5 and due_at <= now()
              and exists (select from service_switch s where s.state = 'running')
              and not exists (select from tenant_switches t where t.tenant_id = $1 and t.state <> 'running')
              and exists (select from scope_heads h where h.tenant_id = $1 and h.scope_id = $2
                                                      and h.runtime_state = 'running' and not h.erasing)
           returning epoch, document_id as "documentId", version, position, facts, groups, failures, refusals,
                     held_reason as "heldReason"`,
    values: [tenantId, scopeId, step, leaseMs, kind],
  })
  return rows[0]
}

/** A fact and a claim that states it. */
export interface StoredFact {
  readonly key: bigint
  readonly documentId: string
  readonly no: number
  readonly version: number
  readonly sealed: Buffer
}

export interface StepFact extends StoredFact {
  /** True for a fact of the step itself, false for a fact that the step is compared with. */
  readonly isNew: boolean
  readonly compared: boolean
}

/** Another fact that the document of a step states. */
export interface OwnFact extends StoredFact {
  /** True if it was filed before the facts of the step, false if together with them. */
  readonly isEarlier: boolean
}

/** The limits by which the facts of other documents are chosen for a step. */
export interface StepLimits {
  /** The whole scope is compared if its statements have at most this many tokens. */
  readonly budget: number
  /** Words that are looked up for each fact. */
  readonly wordsOfFact: number
  /** Facts that are read for each word, the newest first. */
  readonly factsOfWord: number
  /** Facts that are scored. */
  readonly scored: number
  /** Facts with the best scores that are compared. */
  readonly best: number
}

export async function loadStep(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { facts, position, documentId }: StepRow,
  { budget, wordsOfFact, factsOfWord, scored, best }: StepLimits,
): Promise<StepFact[]> {
  const { rows } = await connection.query<Omit<StepFact, 'key'> & { readonly key: string }>({
    name: 'load-comparison-step',
    text: `select fact_key as key, is_new as "isNew", compared, document_id as "documentId", no, version, sealed
             from load_step($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      tenantId,
      scopeId,
      toBigintArray(facts),
      position,
      documentId,
      budget,
      wordsOfFact,
      factsOfWord,
      scored,
      best,
    ],
  })
  return rows.map((row) => ({ ...row, key: BigInt(row.key) }))
}

/**
 * Loads the other facts of the document that share the most words with a fact of the step. Words that more than `factsOfWord` facts
 * have are ignored.
 */
export async function loadOwnFacts(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { facts, documentId }: StepRow,
  { limit, factsOfWord }: { readonly limit: number; readonly factsOfWord: number },
): Promise<OwnFact[]> {
  const { rows } = await connection.query<Omit<OwnFact, 'key' | 'documentId'> & { readonly key: string }>({
    name: 'load-own-facts',
    text: `select fact_key as key, no, version, sealed, is_earlier as "isEarlier" from load_own_facts($1, $2, $3, $4, $5, $6)`,
    values: [tenantId, scopeId, toBigintArray(facts), documentId, limit, factsOfWord],
  })
  return rows.map((row) => ({ ...row, key: BigInt(row.key), documentId }))
}

/** Selects the stored text of a version. Returns undefined if the version was removed. */
export async function selectSealedText(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { documentId, version }: { readonly documentId: string; readonly version: number },
): Promise<Buffer | undefined> {
  const { rows } = await connection.query<{ sealed_text: Buffer }>({
    name: 'select-sealed-text',
    text: `select sealed_text from document_versions
            where tenant_id = $1 and scope_id = $2 and document_id = $3 and version = $4 and sealed_text is not null`,
    values: [tenantId, scopeId, documentId, version],
  })
  return rows[0]?.sealed_text
}

/** Extends the lease of a step that is being compared. */
export async function renewStep(
  { connection, tenantId }: TenantTransaction,
  { scopeId, step }: StepRef,
  leaseMs: number,
): Promise<void> {
  await connection.query(
    `update comparison_steps set due_at = now() + $4 * interval '1 ms'
      where tenant_id = $1 and scope_id = $2 and step = $3 and due_at > now()`,
    [tenantId, scopeId, step, leaseMs],
  )
}

export interface StepPostponement {
  readonly afterMs: number
  readonly failures: number
  readonly refusals: number
}

export async function postponeStep(
  { connection, tenantId }: TenantTransaction,
  { scopeId, step }: StepRef,
  { afterMs, failures, refusals }: StepPostponement,
): Promise<void> {
  await connection.query(
    `update comparison_steps set due_at = now() + $4 * interval '1 ms', failures = $5, refusals = $6
      where tenant_id = $1 and scope_id = $2 and step = $3`,
    [tenantId, scopeId, step, afterMs, failures, refusals],
  )
}

export interface StepHold {
  readonly epoch: number
  readonly reason: HoldReason
  /** The delay until the step is checked again. */
  readonly afterMs: number
}

/**
 * Holds a step. Returns the number of steps of the scope that are now held for this reason, or undefined if this step was held for it
 * already or no longer exists. The caller must hold the lock of the scope's head.
 */
export async function holdStep(
  { connection, tenantId }: TenantTransaction,
  { scopeId, step }: StepRef,
  { epoch, reason, afterMs }: StepHold,
): Promise<number | undefined> {
  const { rows } = await connection.query<{ held: number | null }>({
    name: 'hold-comparison-step',
    text: 'select hold_step($1, $2, $3, $4, $5, $6) as held',
    values: [tenantId, scopeId, step, epoch, reason, afterMs],
  })
  return rows[0]?.held ?? undefined
}

/** Makes steps that are held for this reason due now, in one scope or in all scopes of the tenant. */
export async function wakeHeldSteps(
  { connection, tenantId }: TenantTransaction,
  scopeId: string | null,
  reason: HoldReason,
): Promise<void> {
  await connection.query('select wake_steps($1, $2, $3, $4)', [tenantId, scopeId, reason, MAX_WOKEN])
}

/** The first of them that is compared wakes the next ones. */
const MAX_WOKEN = 100

/** Returns whether no step of the scope is held for this reason. */
export async function hasNoHeldSteps(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  reason: HoldReason,
): Promise<boolean> {
  const { rows } = await connection.query<{ held: number }>(
    `select case $3::text when 'not_permitted' then not_permitted else over_budget end as held
       from fact_counts where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId, reason],
  )
  return rows[0]?.held === 0
}

export interface CompletedStep {
  readonly epoch: number
  /** Facts that the model declined to compare. */
  readonly declined: readonly bigint[]
  /** Facts that count as compared from now on. */
  readonly met: readonly bigint[]
}

/**
 * Ends a step. Returns false, without writing anything, if the step no longer exists. The caller must hold the lock of
 * the scope's head.
 */
export async function endStep(
  { connection, tenantId }: TenantTransaction,
  { scopeId, step }: StepRef,
  { epoch, declined, met }: CompletedStep,
): Promise<boolean> {
  const { rows } = await connection.query<{ ended: boolean }>({
    name: 'end-comparison-step',
    text: 'select end_step($1, $2, $3, $4, $5, $6) as ended',
    values: [tenantId, scopeId, step, epoch, toBigintArray(declined), toBigintArray(met)],
  })
  return rows[0]?.ended ?? false
}

export interface ShownWitness {
  readonly documentId: string
  readonly no: number
  readonly version: number
  readonly sealed: Buffer
}

/** Selects the claim that is shown for each fact. Facts without a claim are missing in the result. */
export async function selectShownWitnesses(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  keys: readonly bigint[],
): Promise<Map<bigint, ShownWitness>> {
  const { rows } = await connection.query<ShownWitness & { readonly key: string }>({
    name: 'select-shown-witnesses',
    text: `select k.key, w.document_id as "documentId", w.no, w.version, w.sealed
             from unnest($3::bigint[]) k(key)
            cross join lateral select_shown_witness($1, $2, k.key) w
            where w.sealed is not null`,
    values: [tenantId, scopeId, toBigintArray(keys)],
  })
  return new Map(rows.map(({ key, ...witness }) => [BigInt(key), witness]))
}

/**
 * Creates comparison steps for the groups of a document whose claims are about to be removed, `groupsPerStep` groups in each. Returns
 * whether the document has claims that a language model extracted. The caller must hold the lock of the scope's head.
 */
export async function leaveGroups(
  { connection, tenantId }: TenantTransaction,
  { scopeId, epoch }: { readonly scopeId: string; readonly epoch: number },
  documentId: string,
  groupsPerStep: number,
): Promise<boolean> {
  const { rows } = await connection.query<{ has_facts: boolean }>({
    name: 'leave-groups',
    text: 'select leave_groups($1, $2, $3, $4, $5) as has_facts',
    values: [tenantId, scopeId, epoch, documentId, groupsPerStep],
  })
  return rows[0]?.has_facts ?? false
}
