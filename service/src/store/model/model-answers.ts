/** The statements of stored answers of the language model, and of the tokens that tenants use. */
import type { ModelStep, ModelUsage } from '../../domain/model.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface AnswerRef {
  readonly scopeId: string
  /** The keyed hash of the request. */
  readonly request: Buffer
}

export interface AnswerRow extends ModelUsage {
  readonly epoch: number
  readonly model: string
  readonly sealed: Buffer
}

export async function selectAnswer(
  { connection, tenantId }: TenantTransaction,
  { scopeId, request }: AnswerRef,
): Promise<AnswerRow | undefined> {
  const { rows } = await connection.query<AnswerRow>({
    name: 'select-model-answer',
    text: `select epoch, model, sealed, input_tokens as "inputTokens", output_tokens as "outputTokens"
             from model_answers where tenant_id = $1 and scope_id = $2 and request = $3`,
    values: [tenantId, scopeId, request],
  })
  return rows[0]
}

export interface NewAnswer extends AnswerRef, AnswerRow {
  readonly step: ModelStep
  readonly promptVersion: number
  /** The documents whose content was in the request. */
  readonly documentIds: readonly string[]
}

/**
 * Stores an answer unless one exists. Stores nothing if the scope was reset or a document was removed since the request. Resets and
 * removals hold the lock of the head, and this function waits for it.
 */
export async function insertAnswer(
  { connection, tenantId }: TenantTransaction,
  answer: NewAnswer,
): Promise<void> {
  const { scopeId, request, epoch, documentIds } = answer
  await connection.query(
    'select from scope_heads where tenant_id = $1 and scope_id = $2 and epoch = $3 for share',
    [tenantId, scopeId, epoch],
  )
  await connection.query({
    name: 'insert-model-answer',
    text: `with stored as (
             insert into model_answers (tenant_id, scope_id, request, epoch, step, model, prompt_version, input_tokens,
                                        output_tokens, sealed)
             select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
               from scope_heads h where h.tenant_id = $1 and h.scope_id = $2 and h.epoch = $4
                and not exists (select from documents d where d.tenant_id = $1 and d.scope_id = $2
                                   and d.document_id = any($11) and d.status = 'removed')
             on conflict (tenant_id, scope_id, request) do nothing returning 1)
           insert into model_answer_documents (tenant_id, scope_id, document_id, request)
           select $1, $2, i, $3 from stored, unnest($11::text[]) i
           on conflict do nothing`,
    values: [
      tenantId,
      scopeId,
      request,
      epoch,
      answer.step,
      answer.model,
      answer.promptVersion,
      answer.inputTokens,
      answer.outputTokens,
      answer.sealed,
      documentIds,
    ],
  })
}

/** Deletes the answers to requests that contained content of a document. */
export async function deleteAnswersOf(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentId: string,
): Promise<void> {
  await connection.query(
    `with gone as (
       delete from model_answer_documents where tenant_id = $1 and scope_id = $2 and document_id = $3 returning request)
     delete from model_answers where tenant_id = $1 and scope_id = $2 and request = any(array(select request from gone))`,
    [tenantId, scopeId, documentId],
  )
}

const TODAY = `(now() at time zone 'utc')::date`
const MONTH = `date_trunc('month', now() at time zone 'utc')::date`

export interface TokenLimits {
  /** Undefined if there is no limit. */
  readonly perDay: number | undefined
  readonly perMonth: number | undefined
}

/** `day`: the day on which the tokens count, even if the answer arrives after midnight. */
export type Reservation =
  | { readonly granted: true; readonly day: string }
  /** `afterMs`: the time until the period of the spent budget ends; 0 if only requests in flight use the budget up. */
  | { readonly granted: false; readonly afterMs: number }

const NO_LIMIT = '9223372036854775807'

/** Reserves tokens if the used and reserved tokens are below the limit, so a budget is exceeded by at most one request. */
export async function reserveTokens(
  transaction: TenantTransaction,
  tokens: number,
  limits: TokenLimits,
): Promise<Reservation> {
  const { connection, tenantId } = transaction
  const reserved = await tryToReserve(transaction, tokens, limits)
  if (reserved) return reserved
  // The first request of the day.
  await connection.query(
    `insert into model_spending (tenant_id, day) values ($1, ${TODAY}) on conflict (tenant_id, day) do nothing`,
    [tenantId],
  )
  return (await tryToReserve(transaction, tokens, limits)) ?? { granted: false, afterMs: 0 }
}

/** Locks the row of the day first, so that requests of a tenant are granted one after the other. */
async function tryToReserve(
  { connection, tenantId }: TenantTransaction,
  tokens: number,
  { perDay, perMonth }: TokenLimits,
): Promise<Reservation | undefined> {
  const { rows } = await connection.query<{ day: string; granted: boolean; after: number }>({
    name: 'reserve-model-tokens',
    text: `with today as materialized (
             select day, used, reserved from model_spending where tenant_id = $1 and day = ${TODAY} for no key update
           ), month as materialized (
             select coalesce(sum(used), 0)::bigint as used from model_spending
              where tenant_id = $1 and day >= ${MONTH} and day < ${TODAY}
           ), state as materialized (
             select t.day, t.used + t.reserved < coalesce($3::bigint, ${NO_LIMIT})
                           and t.used + t.reserved + m.used < coalesce($4::bigint, ${NO_LIMIT}) as granted,
                    case when t.used + m.used >= $4::bigint
                         then extract(epoch from (${MONTH} + interval '1 month') - (now() at time zone 'utc'))
                         when t.used >= $3::bigint
                         then extract(epoch from (${TODAY} + interval '1 day') - (now() at time zone 'utc'))
                         else 0 end as after
               from today t, month m
           ), reserved as (
             update model_spending s set reserved = s.reserved + $2 from state
              where s.tenant_id = $1 and s.day = state.day and state.granted
           )
           select day::text, granted, (after * 1000)::float as after from state`,
    values: [tenantId, tokens, perDay ?? null, perMonth ?? null],
  })
  const [row] = rows
  if (!row) return undefined
  return row.granted ? { granted: true, day: row.day } : { granted: false, afterMs: row.after }
}

/** Counts the used tokens and returns the reservation. Without a reservation, the tokens count today. */
export async function addSpending(
  { connection, tenantId }: TenantTransaction,
  used: number,
  reservation: { readonly day: string; readonly tokens: number } | undefined,
): Promise<void> {
  await connection.query({
    name: 'add-model-spending',
    text: `insert into model_spending as s (tenant_id, day, used) values ($1, coalesce($2::date, ${TODAY}), $3)
               on conflict (tenant_id, day) do update
              set used = s.used + excluded.used, reserved = greatest(0, s.reserved - $4)`,
    values: [tenantId, reservation?.day ?? null, used, reservation?.tokens ?? 0],
  })
}

export async function addUsage(
  { connection, tenantId }: TenantTransaction,
  {
    step,
    model,
    inputTokens,
    outputTokens,
  }: ModelUsage & { readonly step: ModelStep; readonly model: string },
): Promise<void> {
  await connection.query({
    name: 'add-model-usage',
    text: `insert into model_usage as u (tenant_id, day, step, model, requests, input_tokens, output_tokens)
           values ($1, ${TODAY}, $2, $3, 1, $4, $5)
               on conflict (tenant_id, day, step, model) do update
              set requests = u.requests + 1, input_tokens = u.input_tokens + excluded.input_tokens,
                  output_tokens = u.output_tokens + excluded.output_tokens`,
    values: [tenantId, step, model, inputTokens, outputTokens],
  })
}

export interface UsageRow {
  /** A day in UTC such as `2026-11-18`. */
  readonly day: string
  readonly step: ModelStep
  readonly model: string
  readonly requests: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Selects the usage of the last days including today, newest first. */
export async function selectUsage(
  { connection, tenantId }: TenantTransaction,
  days: number,
): Promise<UsageRow[]> {
  const { rows } = await connection.query<UsageRow>(
    `select day::text, step, model, requests::float as requests, input_tokens::float as "inputTokens",
            output_tokens::float as "outputTokens"
       from model_usage where tenant_id = $1 and day > ${TODAY} - $2::integer order by day desc, step, model`,
    [tenantId, days],
  )
  return rows
}
