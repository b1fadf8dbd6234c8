/**
 * Statements on steps that were compared without some facts, because policies forbid sending the documents that state them: such a
 * step is held until the documents may be sent.
 */
import { toBigintArray } from '../scope-batches.ts'
import type { TenantTransaction } from '../transaction.ts'
import type { CompletedStep, StepFact, StepHold, StepRef, StepRow } from './comparison-steps.ts'

/** Holds a step that was compared with all but what policies forbid, like `holdStep`; 0 if it was held already, and undefined if it is gone. */
export async function holdComparedStep(
  { connection, tenantId }: TenantTransaction,
  { scopeId, step }: StepRef,
  { epoch, met, afterMs }: Pick<StepHold, 'epoch' | 'afterMs'> & Pick<CompletedStep, 'met'>,
): Promise<number | undefined> {
  const { rows } = await connection.query<{ held: number | null }>({
    name: 'hold-compared-step',
    text: 'select hold_compared_step($1, $2, $3, $4, $5, $6) as held',
    values: [tenantId, scopeId, step, epoch, toBigintArray(met), afterMs],
  })
  return rows[0]?.held ?? undefined
}

/** Whether any of these facts is left out of a comparison for good: no held step of its document will compare it. */
export async function isAnyWithoutHeldStep(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  facts: readonly Pick<StepFact, 'key' | 'documentId'>[],
): Promise<boolean> {
  if (facts.length === 0) return false
  const { rows } = await connection.query<{ found: boolean }>(
    `select exists (
       select from unnest($3::bigint[], $4::text[]) l(key, document_id)
        where not exists (
          select from comparison_steps s
           where s.tenant_id = $1 and s.scope_id = $2 and s.document_id = l.document_id
             and s.held_reason = 'not_permitted' and l.key = any(s.facts))) as found`,
    [
      tenantId,
      scopeId,
      toBigintArray(facts.map(({ key }) => key)),
      facts.map(({ documentId }) => documentId),
    ],
  )
  return rows[0]?.found ?? false
}

/** Whether the model was asked about the facts of a step before. */
export async function wasCompared(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { facts }: Pick<StepRow, 'facts'>,
): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    `select exists (select from facts
                     where tenant_id = $1 and scope_id = $2 and fact_key = any($3) and state <> 'pending') as found`,
    [tenantId, scopeId, toBigintArray(facts)],
  )
  return rows[0]?.found ?? false
}
