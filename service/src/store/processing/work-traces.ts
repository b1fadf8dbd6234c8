/** Stores the trace context of the request that queued a document, for the worker that reads it. */
import type { TenantTransaction } from '../transaction.ts'

export interface NewTrace {
  readonly scopeId: string
  /** The log position of its `document.queued` event. */
  readonly seq: number
  readonly traceparent: string
}

/** Older traces are deleted: a trace with such a gap would only be confusing. */
const KEPT_HOURS = 24

/**
 * Takes a shared lock on the scope heads. A concurrent reset waits and then deletes what is written here; after a reset the
 * log entries are gone, so nothing is inserted. No trace from before a reset survives it.
 */
export async function insertTraces(
  { connection, tenantId }: TenantTransaction,
  traces: readonly NewTrace[],
): Promise<void> {
  const scopes = traces.map(({ scopeId }) => scopeId)
  // Nothing waits for this commit, and it may be lost in a power cut.
  await connection.query('set local synchronous_commit = off')
  await connection.query(
    'select from scope_heads where tenant_id = $1 and scope_id = any($2) order by scope_id for share',
    [tenantId, scopes],
  )
  await connection.query(
    `insert into work_traces as known (tenant_id, scope_id, document_id, seq, traceparent)
     select distinct on (l.scope_id, l.document_id) l.tenant_id, l.scope_id, l.document_id, l.seq, n.traceparent
       from unnest($2::text[], $3::bigint[], $4::text[]) as n (scope_id, seq, traceparent)
       join scope_log l on l.tenant_id = $1 and l.scope_id = n.scope_id and l.seq = n.seq
                       and l.kind = 'document.queued'
      order by l.scope_id, l.document_id, l.seq desc
     on conflict (tenant_id, scope_id, document_id)
     do update set seq = excluded.seq, traceparent = excluded.traceparent, noted_at = excluded.noted_at
      where known.seq < excluded.seq`,
    [tenantId, scopes, traces.map(({ seq }) => seq), traces.map(({ traceparent }) => traceparent)],
  )
  await connection.query(
    'delete from work_traces where tenant_id = $1 and noted_at < now() - make_interval(hours => $2)',
    [tenantId, KEPT_HOURS],
  )
}

export interface TracedAttempt {
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
  /** True if processing has ended, so the trace is complete. */
  readonly isOver: boolean
}

/**
 * Returns the trace of each item, in their order. A document that was queued again has another ticket, or none, so its trace
 * does not belong to this attempt.
 */
export async function takeTraces(
  { connection, tenantId }: TenantTransaction,
  places: readonly TracedAttempt[],
): Promise<(string | undefined)[]> {
  await connection.query('set local synchronous_commit = off')
  const { rows } = await connection.query<{ place: string; traceparent: string }>(
    `with found as (
       select p.place, p.is_over, t.scope_id, t.document_id, t.traceparent
         from unnest($2::text[], $3::text[], $4::bigint[], $5::boolean[]) with ordinality
              as p (scope_id, document_id, ticket, is_over, place)
         join work_traces t on t.tenant_id = $1 and t.scope_id = p.scope_id and t.document_id = p.document_id
        where not exists (select from work w
                           where w.tenant_id = $1 and w.scope_id = p.scope_id and w.document_id = p.document_id
                             and w.ticket is distinct from p.ticket)
     ), complete as (
       delete from work_traces t using found f
        where t.tenant_id = $1 and t.scope_id = f.scope_id and t.document_id = f.document_id and f.is_over
     )
     select place, traceparent from found`,
    [
      tenantId,
      places.map(({ scopeId }) => scopeId),
      places.map(({ documentId }) => documentId),
      places.map(({ ticket }) => ticket),
      places.map(({ isOver }) => isOver),
    ],
  )
  const traces: (string | undefined)[] = places.map(() => undefined)
  for (const { place, traceparent } of rows) traces[Number(place) - 1] = traceparent
  return traces
}
