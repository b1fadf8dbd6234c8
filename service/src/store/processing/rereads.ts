/** The statements of rereads. Those that write require the lock of the scope's head. */
import type { ReaderIdentity } from '../../domain/reading-report.ts'
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

/** Selects the documents to read again. Without either field: those that a reader other than today's has read. */
export interface RereadSelection {
  readonly documentIds: readonly string[] | null
  /** The name, or name and version, of the reader that read the documents. */
  readonly readBy: string | null
}

export interface RereadRow extends RereadSelection {
  readonly state: 'running' | 'ended'
  /** Documents up to this id have been checked. */
  readonly lookedTo: string
  /** Documents that were queued and had not been read when a worker last looked. */
  readonly underWay: readonly string[]
  readonly queued: number
  readonly requestedAt: Date
  readonly endedAt: Date | null
}

const COLUMNS = `document_ids as "documentIds", read_by as "readBy", state, looked_to as "lookedTo", under_way as "underWay",
  queued::float as queued, requested_at as "requestedAt", ended_at as "endedAt"`

export async function selectReread(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<RereadRow | undefined> {
  const { rows } = await connection.query<RereadRow>(
    `select ${COLUMNS} from rereads where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows[0]
}

/** Inserts a reread, replacing one that ended. */
export async function putReread(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { documentIds, readBy }: RereadSelection,
): Promise<void> {
  await connection.query(
    `insert into rereads (tenant_id, scope_id, document_ids, read_by, state) values ($1, $2, $3, $4, 'running')
         on conflict (tenant_id, scope_id) do update
        set document_ids = excluded.document_ids, read_by = excluded.read_by, state = 'running', looked_to = '',
            under_way = '{}', queued = 0, requested_at = now(), ended_at = null, due_at = now()`,
    [tenantId, scopeId, documentIds, readBy],
  )
}

export interface RereadRef {
  readonly tenantId: string
  readonly scopeId: string
}

/** Selects rereads that are due, longest wait first. Runs as the kernel role. */
export async function selectDueRereads(kernel: Pool, limit: number): Promise<RereadRef[]> {
  const { rows } = await kernel.query<RereadRef>({
    name: 'select-due-rereads',
    text: `select tenant_id as "tenantId", scope_id as "scopeId" from rereads
            where state = 'running' and due_at <= now() order by due_at limit $1`,
    values: [limit],
  })
  return rows
}

/** Returns undefined if the reread is not due: it has ended, or another worker has just advanced it. */
export async function selectDueReread(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<RereadRow | undefined> {
  const { rows } = await connection.query<RereadRow>(
    `select ${COLUMNS} from rereads
      where tenant_id = $1 and scope_id = $2 and state = 'running' and due_at <= now()`,
    [tenantId, scopeId],
  )
  return rows[0]
}

/** Selects which of these documents are still queued or processing. */
export async function selectUnderWay(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentIds: readonly string[],
): Promise<string[]> {
  const { rows } = await connection.query<{ document_id: string }>(
    `select document_id from documents
      where tenant_id = $1 and scope_id = $2 and document_id = any($3) and status in ('queued', 'processing')`,
    [tenantId, scopeId, documentIds],
  )
  return rows.map((row) => row.document_id)
}

export interface RereadCandidate {
  readonly documentId: string
  readonly version: number
  /** True if the selection of the reread includes it. */
  readonly selected: boolean
}

/** Selects the next processed documents in the order of their ids, selected or not. */
export async function selectRereadCandidates(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { documentIds, readBy, lookedTo }: RereadRow,
  today: ReaderIdentity,
  limit: number,
): Promise<RereadCandidate[]> {
  const { rows } = await connection.query<RereadCandidate>(
    `select document_id as "documentId", version,
            case when $5::text is not null then coalesce(reader = $5 or starts_with(reader, $5 || '/'), false)
                 when $4::text[] is not null then true
                 else not coalesce(starts_with(reader, $6 || '/') and right(reader, length($7) + 1) = '/' || $7, false)
             end as selected
       from documents
      where tenant_id = $1 and scope_id = $2 and status = 'processed' and document_id > $3
        and ($4::text[] is null or document_id = any($4))
      order by document_id limit $8`,
    [tenantId, scopeId, lookedTo, documentIds, readBy, today.reader, today.version, limit],
  )
  return rows
}

export interface RereadProgress {
  readonly lookedTo: string
  readonly underWay: readonly string[]
  readonly queued: number
  readonly isEnded: boolean
  /** The delay until the next step. */
  readonly afterMs: number
}

export async function updateReread(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { lookedTo, underWay, queued, isEnded, afterMs }: RereadProgress,
): Promise<void> {
  await connection.query(
    `update rereads
        set looked_to = $3, under_way = $4, queued = queued + $5, state = case when $6 then 'ended' else state end,
            ended_at = case when $6 then now() end, due_at = now() + $7 * interval '1 ms'
      where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId, lookedTo, underWay, queued, isEnded, afterMs],
  )
}

/** Counts how many of these documents exist. */
export async function countDocuments(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentIds: readonly string[],
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::int as count from documents
      where tenant_id = $1 and scope_id = $2 and document_id = any($3) and status <> 'removed'`,
    [tenantId, scopeId, documentIds],
  )
  return rows[0]?.count ?? 0
}
