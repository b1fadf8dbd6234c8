/** The statements of documents and their versions. Those that write require the lock of the scope's head. */
import type { PolicyPoint } from '../../domain/policy.ts'
import type { StoredReport } from '../../domain/reading-report.ts'
import type { WaitingReason } from '../../domain/model-deferral.ts'
import { deleteAnswersOf } from '../model/model-answers.ts'
import type { TenantTransaction } from '../transaction.ts'

export type DocumentStatus =
  | 'registered'
  | 'attached'
  | 'queued'
  | 'processing'
  | 'processed'
  | 'held'
  | 'failed'
  | 'superseded'
  | 'removed'

export interface StoredDocumentRow {
  readonly documentId: string
  readonly epoch: number
  readonly version: number
  readonly type: string
  readonly status: DocumentStatus
  readonly attempt: number
  readonly errorCode: string | null
  readonly errorStage: string | null
  /** The decision that holds the document. Set for held documents only. */
  readonly hold: HoldRow | null
  readonly fingerprint: Buffer | null
  readonly sealedCard: Buffer | null
  /** The encrypted tags and metadata. Null if there are none. */
  readonly sealedLabels: Buffer | null
  /** The reading report of the newest version. Null until it has been read. */
  readonly report: StoredReport | null
  /** The number of claims that were compared with a claim of another document. */
  readonly claimsCompared: number | null
  readonly characters: number
  /** Why the document waits for the language model. Null if it does not. */
  readonly waitingReason: WaitingReason | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface HoldRow {
  readonly decisionId: string
  readonly point: PolicyPoint
  readonly policies: readonly string[]
  /** An instant as Postgres writes it in JSON. */
  readonly decidedAt: string
}

export interface VersionRow {
  readonly version: number
  readonly status: DocumentStatus
  readonly characters: number
  readonly report: StoredReport | null
  readonly claimsCompared: number | null
  readonly receivedAt: Date
  readonly queuedAt: Date | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

export interface PutDocument {
  readonly scopeId: string
  readonly documentId: string
  readonly epoch: number
  readonly version: number
  readonly type: string
  readonly status: DocumentStatus
  readonly fingerprint: Buffer
  readonly sealedCard: Buffer
  readonly characters: number
}

export const DOCUMENT_COLUMNS = `document_id as "documentId", epoch, version, type, status, attempt, error_code as "errorCode",
  error_stage as "errorStage", fingerprint, sealed_card as "sealedCard", sealed_labels as "sealedLabels", created_at as "createdAt",
  updated_at as "updatedAt", characters,
  (select v.report from document_versions v
    where v.tenant_id = documents.tenant_id and v.scope_id = documents.scope_id and v.document_id = documents.document_id
      and v.version = documents.version) as report,
  (select r.compared from readings r
    where r.tenant_id = documents.tenant_id and r.scope_id = documents.scope_id and r.document_id = documents.document_id
      and r.version = documents.version) as "claimsCompared",
  case when status = 'held' then (
    select json_build_object('decisionId', m.decision_id, 'point', m.point, 'policies', m.policies, 'decidedAt', m.decided_at)
      from decisions m
     where m.decision_id = documents.decision_id and m.tenant_id = documents.tenant_id
       and m.scope_id = documents.scope_id) end as hold,
  case when status = 'queued' then (
    select w.waiting_reason from work w
     where w.tenant_id = documents.tenant_id and w.scope_id = documents.scope_id and w.document_id = documents.document_id
       and w.state = 'queued' and w.not_before > now()) end as "waitingReason"`

export async function selectDocument(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentId: string,
): Promise<StoredDocumentRow | undefined> {
  const { rows } = await connection.query<StoredDocumentRow>(
    `select ${DOCUMENT_COLUMNS} from documents where tenant_id = $1 and scope_id = $2 and document_id = $3`,
    [tenantId, scopeId, documentId],
  )
  return rows[0]
}

export interface CardRow {
  readonly documentId: string
  readonly epoch: number
  readonly sealedCard: Buffer
}

/** Selects the cards of those documents that have one. */
export async function selectCards(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentIds: readonly string[],
): Promise<CardRow[]> {
  const { rows } = await connection.query<CardRow>(
    `select document_id as "documentId", epoch, sealed_card as "sealedCard" from documents
      where tenant_id = $1 and scope_id = $2 and document_id = any($3) and sealed_card is not null`,
    [tenantId, scopeId, documentIds],
  )
  return rows
}

/** Selects the next page of cards, by document id. */
export async function selectCardsAfter(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  after: string,
  limit: number,
): Promise<CardRow[]> {
  const { rows } = await connection.query<CardRow>(
    `select document_id as "documentId", epoch, sealed_card as "sealedCard" from documents
      where tenant_id = $1 and scope_id = $2 and document_id > $3 and status <> 'removed' and sealed_card is not null
      order by document_id limit $4`,
    [tenantId, scopeId, after, limit],
  )
  return rows
}

/** Selects versions, newest first. With `before`, only older ones. */
export async function selectVersions(
  { connection, tenantId }: TenantTransaction,
  { scopeId, documentId }: { readonly scopeId: string; readonly documentId: string },
  before: number | undefined,
  limit: number,
): Promise<VersionRow[]> {
  const { rows } = await connection.query<VersionRow>(
    `select version, status, characters, report, received_at as "receivedAt", queued_at as "queuedAt",
            started_at as "startedAt", ended_at as "endedAt",
            (select r.compared from readings r
              where r.tenant_id = v.tenant_id and r.scope_id = v.scope_id and r.document_id = v.document_id
                and r.version = v.version) as "claimsCompared"
       from document_versions v
      where tenant_id = $1 and scope_id = $2 and document_id = $3 and ($4::integer is null or version < $4)
      order by version desc limit $5`,
    [tenantId, scopeId, documentId, before ?? null, limit],
  )
  return rows
}

export interface SealedTextRow {
  readonly version: number
  readonly epoch: number
  readonly characters: number
  /** Sealed with the purpose `text` and the document as the place. */
  readonly sealedText: Buffer
}

/** Selects the text of one version, if it is retained. */
export async function selectSealedText(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentId: string,
  version: number,
): Promise<SealedTextRow | undefined> {
  const { rows } = await connection.query<SealedTextRow>(
    `select version, epoch, characters, sealed_text as "sealedText" from document_versions
      where tenant_id = $1 and scope_id = $2 and document_id = $3 and version = $4 and sealed_text is not null`,
    [tenantId, scopeId, documentId, version],
  )
  return rows[0]
}

/** Selects the layout of the file of one version. Null if it has none or is not the newest version any more. */
export async function selectSealedLayout(
  { connection, tenantId }: TenantTransaction,
  { scopeId, documentId }: { readonly scopeId: string; readonly documentId: string },
  version: number,
  epoch: number,
): Promise<Buffer | null> {
  const { rows } = await connection.query<{ readonly sealedLayout: Buffer | null }>(
    `select sealed_layout as "sealedLayout" from documents
      where tenant_id = $1 and scope_id = $2 and document_id = $3 and version = $4 and epoch = $5`,
    [tenantId, scopeId, documentId, version, epoch],
  )
  return rows[0]?.sealedLayout ?? null
}

export async function putDocument(
  { connection, tenantId }: TenantTransaction,
  put: PutDocument,
): Promise<void> {
  await connection.query(
    `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status, fingerprint, sealed_card,
                            characters)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (tenant_id, scope_id, document_id) do update
        set epoch = excluded.epoch, version = excluded.version, type = excluded.type, status = excluded.status,
            attempt = 0, error_code = null, error_stage = null, fingerprint = excluded.fingerprint,
            sealed_card = excluded.sealed_card, sealed_layout = null, characters = excluded.characters, characters_read = 0, reader = null,
            gap = null, updated_at = now()`,
    [
      tenantId,
      put.scopeId,
      put.documentId,
      put.epoch,
      put.version,
      put.type,
      put.status,
      put.fingerprint,
      put.sealedCard,
      put.characters,
    ],
  )
}

export interface PutVersion {
  readonly scopeId: string
  readonly documentId: string
  readonly version: number
  readonly epoch: number
  readonly characters: number
  readonly sealedText: Buffer
}

/** Inserts an attached version, which waits for a trigger. */
export async function insertAttachedVersion(
  { connection, tenantId }: TenantTransaction,
  put: PutVersion,
): Promise<void> {
  await connection.query(
    `insert into document_versions (tenant_id, scope_id, document_id, version, epoch, status, characters, sealed_text)
     values ($1, $2, $3, $4, $5, 'attached', $6, $7)`,
    [tenantId, put.scopeId, put.documentId, put.version, put.epoch, put.characters, put.sealedText],
  )
}

/** Ends the previous version if it has not ended. Each version did this to its predecessor, so there is only one to end. */
export async function endVersionBefore(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentId: string,
  version: number,
): Promise<void> {
  await connection.query(
    `update document_versions set status = 'superseded', ended_at = now()
      where tenant_id = $1 and scope_id = $2 and document_id = $3 and version = $4 - 1
        and status in ('attached', 'queued', 'processing', 'failed', 'held')`,
    [tenantId, scopeId, documentId, version],
  )
}

export interface TriggerCandidate {
  readonly documentId: string
  readonly version: number
  readonly status: DocumentStatus
}

/** Selects documents by id, in any status, or the next documents in a status. */
export type TriggerSelection =
  | { readonly documentIds: readonly string[] }
  | {
      readonly documentIds?: undefined
      readonly status: DocumentStatus
      readonly after: string
      readonly limit: number
    }

/** Selects documents in the order of their ids. */
export async function selectForTrigger(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  selection: TriggerSelection,
): Promise<TriggerCandidate[]> {
  const { documentIds } = selection
  const [condition, values] = documentIds
    ? ['document_id = any($3) order by document_id', [documentIds]]
    : [
        `status = $3 and document_id > $4 order by document_id limit $5`,
        [selection.status, selection.after, selection.limit],
      ]
  const { rows } = await connection.query<TriggerCandidate>(
    `select document_id as "documentId", version, status from documents
      where tenant_id = $1 and scope_id = $2 and ${condition}`,
    [tenantId, scopeId, ...values],
  )
  return rows
}

export interface QueuedDocument {
  readonly documentId: string
  readonly version: number
  readonly seq: number
}

/** Queues documents: updates row and version and inserts the work. */
export async function queueDocuments(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  epoch: number,
  documents: readonly QueuedDocument[],
): Promise<void> {
  const values = [tenantId, scopeId, JSON.stringify(documents)]
  const listed = `json_to_recordset($3) as q("documentId" text, version integer, seq bigint)`
  await connection.query(
    `update documents d set status = 'queued', attempt = 0, error_code = null, error_stage = null, seq = q.seq,
            updated_at = now()
       from ${listed} where d.tenant_id = $1 and d.scope_id = $2 and d.document_id = q."documentId"`,
    values,
  )
  await connection.query(
    `update document_versions v set status = 'queued', queued_at = now(), started_at = null, ended_at = null
       from ${listed}
      where v.tenant_id = $1 and v.scope_id = $2 and v.document_id = q."documentId" and v.version = q.version`,
    values,
  )
  await connection.query(
    `insert into work (tenant_id, scope_id, document_id, version, epoch, shard, position)
     select $1, $2, q."documentId", q.version, $4, shard_of($1), nextval('work_positions') from ${listed}`,
    [...values, epoch],
  )
}

/** Marks a version as released by a person, so policies do not hold it. */
export async function markReleased(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { documentId, version }: { readonly documentId: string; readonly version: number },
): Promise<void> {
  await connection.query(
    `update documents set released_version = $4 where tenant_id = $1 and scope_id = $2 and document_id = $3`,
    [tenantId, scopeId, documentId, version],
  )
}

/** Deletes everything of the document except its tombstone. Returns the number of versions. */
export async function removeDocumentContent(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  documentId: string,
): Promise<number> {
  const place = [tenantId, scopeId, documentId]
  const where = 'where tenant_id = $1 and scope_id = $2 and document_id = $3'
  await connection.query(`delete from work ${where}`, place)
  await connection.query(`delete from readings ${where}`, place)
  await deleteAnswersOf({ connection, tenantId }, scopeId, documentId)
  await connection.query(`delete from document_labels ${where}`, place)
  const { rowCount } = await connection.query(`delete from document_versions ${where}`, place)
  await connection.query(
    `update documents set status = 'removed', attempt = 0, error_code = null, error_stage = null, fingerprint = null,
            sealed_card = null, sealed_layout = null, sealed_labels = null, updated_at = now() ${where}`,
    place,
  )
  return rowCount ?? 0
}
