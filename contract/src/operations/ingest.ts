/** Documents in: the one route the whole service is for, its batch, and the trigger of a scope. */
import { operation } from '../operation.ts'
import { replayable, replayedHeader } from './replaying.ts'
import { scopeParams } from '../schemas/identity.ts'
import {
  documentBodyLimit,
  IngestBatchRequest,
  IngestBatchResponse,
  IngestDocumentRequest,
  IngestDocumentResponse,
  TriggerIngestBody,
  TriggerIngestResponse,
} from '../schemas/ingest.ts'

/**
 * 6 MiB, four whole documents or a hundred of 60 KB. A hundred of the largest would be 120 MB, and parsing that
 * would keep every other caller waiting; whoever has such documents sends smaller batches.
 */
const batchBodyLimit = 4 * documentBodyLimit

export const ingestDocument = operation({
  name: 'ingestDocument',
  method: 'POST',
  path: '/api/ingest',
  tier: 'public',
  tenantIdRequired: true,
  served: true,
  queues: true,
  summary: 'Queue a document for processing',
  description:
    'A 202 means that the document is on disk and will reach a terminal status. The same request with the same ' +
    'idempotency key returns the first response again; another payload under that key is refused. The same text ' +
    'under the same document_id is not queued twice; other text creates a new version. A `text` with HTML tags ' +
    'whose `type` is `html` is refused; send it as a file to POST /api/scopes/{scopeId}/files. An unknown scope ' +
    'is refused, unless the operator has enabled automatic creation of scopes.',
  ...replayable,
  body: IngestDocumentRequest,
  bodyLimit: documentBodyLimit,
  answers: { 202: IngestDocumentResponse },
  answerHeaders: {
    Location: 'Address of the document.',
    ...replayedHeader,
  },
  problems: ['scope_not_found', 'idempotency_key_reused'],
})

export const ingestBatch = operation({
  name: 'ingestBatch',
  method: 'POST',
  path: '/api/ingest/batch',
  tier: 'public',
  served: true,
  queues: true,
  extension: true,
  summary: 'Queue up to 100 documents',
  description:
    'Each document is accepted or refused by itself, as by POST /api/ingest, and has its own result. A document ' +
    'that breaks its schema is refused with `validation_failed`. The whole body is refused if it is not a list of ' +
    '1 to 100 documents.',
  body: IngestBatchRequest,
  bodyLimit: batchBodyLimit,
  // Not 202: when every document is refused, nothing was accepted.
  answers: { 200: IngestBatchResponse },
  problems: [],
})

export const triggerIngest = operation({
  name: 'triggerIngest',
  method: 'POST',
  path: '/admin/scopes/{scopeId}/ingest',
  tier: 'admin',
  tenantKey: true,
  served: true,
  queues: true,
  summary: 'Queue the attached documents of a scope',
  description:
    'Queues all of them, or those in `document_ids`. The operation is idempotent. A whole scope is queued 2,000 ' +
    'documents at a time, so other events may lie between `first_seq` and `last_seq`.',
  params: scopeParams,
  body: TriggerIngestBody,
  bodyOptional: true,
  bodyLimit: documentBodyLimit,
  answers: { 200: TriggerIngestResponse },
  problems: ['scope_not_found', 'document_not_found'],
})
