/** Documents as the contract writes them. */
import { countCodePoints } from '@concord/contract'
import type { DepositRequest, DecryptedDocument, VersionRow } from '../app/documents/documents.ts'
import { labelsOf } from '../app/documents/labels.ts'
import { failedReport, RULE_READER, toStoredReport } from '../domain/reading-report.ts'
import type { UnreadReason } from '../domain/reading-report.ts'

export function toDocumentRecord(document: DecryptedDocument) {
  return {
    scope_id: document.scopeId,
    document_id: document.documentId,
    name: document.name,
    type: document.type,
    source: document.source,
    provenance: document.provenance,
    tags: [...document.tags],
    metadata: Object.fromEntries(document.metadata),
    version: document.version,
    status: document.status,
    stage: document.status === 'processing' ? ('read' as const) : null,
    attempt: document.attempt,
    error: toErrorRecord(document),
    hold: toHoldRecord(document),
    reading: toReadingRecord(document),
    unread: document.unread?.parts.map((part) => ({ ...part })) ?? [],
    unread_total: document.unread?.total ?? 0,
    waiting_for: document.waitingReason === null ? null : ('model' as const),
    waiting_reason: document.waitingReason,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  }
}

export function toPlacedAnswer(document: DecryptedDocument) {
  return {
    status: 201,
    headers: { location: documentAddress(document.scopeId, document.documentId) },
    body: toDocumentRecord(document),
  } as const
}

export function toVersionRecord(version: VersionRow) {
  return {
    version: version.version,
    status: version.status,
    characters: version.characters,
    reading: toReadingRecord({ ...version, errorCode: null }),
    received_at: version.receivedAt.toISOString(),
    queued_at: version.queuedAt?.toISOString() ?? null,
    started_at: version.startedAt?.toISOString() ?? null,
    ended_at: version.endedAt?.toISOString() ?? null,
  }
}

type ReadVersion = Pick<
  DecryptedDocument,
  'status' | 'characters' | 'report' | 'claimsCompared' | 'errorCode'
>

/** A document that failed was not read at all, for the reason of its last attempt. */
function toReadingRecord({ status, characters, report, claimsCompared, errorCode }: ReadVersion) {
  const shown =
    report ??
    (status === 'failed' ? toStoredReport(failedReport(RULE_READER, characters, unreadFor(errorCode))) : null)
  if (!shown) return null
  return {
    ...shown,
    unread: shown.unread.map((part) => ({ ...part })),
    claims_compared: claimsCompared,
  }
}

function unreadFor(errorCode: string | null): UnreadReason {
  if (errorCode === 'time_exceeded') return 'time'
  return errorCode === 'memory_exceeded' ? 'memory' : 'failed'
}

function toHoldRecord({ hold, errorCode }: DecryptedDocument) {
  if (!hold) return null
  return {
    decision_id: hold.decisionId,
    point: hold.point,
    reason: errorCode ?? 'not_permitted',
    policies: [...hold.policies],
    decided_at: new Date(hold.decidedAt).toISOString(),
  }
}

/** For a held document, the code is what holds it. */
function toErrorRecord({ errorCode, hold }: DecryptedDocument) {
  if (errorCode === null || hold) return null
  return { code: errorCode, message: REASONS[errorCode] ?? UNKNOWN_REASON, stage: 'read' as const }
}

const UNKNOWN_REASON = 'The attempt ended without a result; retry it, and report it if that fails too.'

/** The advice for each reason for which an attempt fails. */
const REASONS: Readonly<Record<string, string>> = {
  threw: 'The reader could not make sense of the text; send it in another form, or report the document id.',
  time_exceeded: 'Reading took too long; split the document, then send the parts.',
  memory_exceeded: 'Reading needed too much memory; split the document, then send the parts.',
  crashed: 'The reader ended unexpectedly; retry it, and report the document id if that fails too.',
  worker_lost: 'The workers that tried it were lost each time; retry it once the service is healthy.',
  unreadable: 'The stored text could not be opened with the key of its scope; send the document again.',
}

interface DepositBody {
  readonly name: string
  readonly type: string
  readonly text?: string | undefined
  readonly document_id?: string | undefined
  readonly source?: string | undefined
  readonly provenance?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

export function toDepositRequest(scopeId: string, body: DepositBody): DepositRequest {
  return {
    scopeId,
    documentId: body.document_id ?? null,
    name: body.name,
    type: body.type,
    text: body.text ?? null,
    characters: body.text === undefined ? 0 : countCodePoints(body.text),
    source: body.source ?? null,
    provenance: body.provenance ?? null,
    labels: labelsOf(body),
  }
}

export function documentAddress(scopeId: string, documentId: string): string {
  return `/api/scopes/${scopeId}/documents/${encodeURIComponent(documentId)}`
}
