/** Requests and answers of ingestion, between the wire and the service. */
import { countCodePoints } from '@concord/contract'
import type { BodyOf, operations } from '@concord/contract'
import type { AcceptedDocument, IngestRequest } from '../app/documents/ingest.ts'
import { Fault } from '../domain/fault.ts'

type IngestBody = BodyOf<typeof operations.ingestDocument>

/** The key may come in the body or in the header; both are the same thing, so they must not differ. */
export function toIngestRequest(body: IngestBody, header?: string): IngestRequest {
  if (header !== undefined && body.idempotency_key !== undefined && header !== body.idempotency_key)
    throw new Fault('validation_failed', { fields: [KEYS_DIFFER] })
  return {
    scopeId: body.scope_id,
    name: body.name,
    type: body.type,
    text: body.text,
    characters: countCodePoints(body.text),
    documentId: body.document_id ?? null,
    source: body.source ?? null,
    idempotencyKey: body.idempotency_key ?? header ?? null,
  }
}

const KEYS_DIFFER = {
  pointer: 'header#/idempotency-key',
  code: 'conflicting_keys',
  message: 'Send the idempotency key once, or the same in header and body.',
}

/** A repetition must be answered byte for byte like the first time, so nothing here depends on the moment. */
export function toAcceptedRecord(
  request: Pick<IngestRequest, 'scopeId' | 'name' | 'type' | 'idempotencyKey'>,
  { documentId, seq }: AcceptedDocument,
) {
  return {
    scope_id: request.scopeId,
    name: request.name,
    type: request.type,
    document_id: documentId,
    idempotency_key: request.idempotencyKey,
    queued: true,
    seq,
    integration_version: 'v1',
    message: 'The document is stored and queued for processing.',
  } as const
}
