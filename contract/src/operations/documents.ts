/** Documents at rest: registered, attached, read, tried again and removed. */
import { operation } from '../operation.ts'
import { replayable, replayedHeader } from './replaying.ts'
import {
  AttachDocumentBody,
  CreateDocumentBody,
  Document,
  DocumentDetail,
  DocumentOrder,
  DocumentRemovals,
  DocumentRemovalsBody,
  DocumentRetries,
  DocumentRetriesBody,
  DocumentStatus,
  DocumentTag,
  DocumentType,
  MetadataFilter,
  namedDocumentsLimit,
  ReleaseBody,
  ReleasedDocument,
  RemovedDocument,
  RequeuedDocument,
  UpdateDocumentBody,
} from '../schemas/documents.ts'
import { beginningOf, listOf, UpdatedSince } from '../schemas/filters.ts'
import { documentParams, pageOf, pageQuery, scopeParams, versionsQuery } from '../schemas/identity.ts'
import { documentBodyLimit } from '../schemas/ingest.ts'

const locationHeader = { Location: 'Where the document can be read.' }

export const registerDocument = operation({
  name: 'registerDocument',
  method: 'POST',
  path: '/api/documents',
  tier: 'public',
  served: true,
  summary: 'Register a document without queueing it',
  description:
    'Its status is `registered` without text and `attached` with it. Sending text later under the same ' +
    'document_id attaches it; sending the same again gives the same record. A `text` with HTML tags whose `type` is ' +
    '`html` is refused, as by ingestion.',
  ...replayable,
  body: CreateDocumentBody,
  bodyLimit: documentBodyLimit,
  answers: { 201: Document },
  answerHeaders: { ...locationHeader, ...replayedHeader },
  problems: ['scope_not_found', 'illegal_transition', 'idempotency_key_reused'],
})

export const attachDocument = operation({
  name: 'attachDocument',
  method: 'POST',
  path: '/admin/scopes/{scopeId}/documents',
  tier: 'admin',
  tenantKey: true,
  served: true,
  summary: 'Attach a document to a scope',
  description:
    'It waits as `attached` until ingestion of the scope is triggered. A `text` with HTML tags whose `type` is `html` is ' +
    'refused, as by ingestion.',
  params: scopeParams,
  ...replayable,
  body: AttachDocumentBody,
  bodyLimit: documentBodyLimit,
  answers: { 201: Document },
  answerHeaders: { ...locationHeader, ...replayedHeader },
  problems: ['scope_not_found', 'illegal_transition', 'idempotency_key_reused'],
})

export const listDocuments = operation({
  name: 'listDocuments',
  method: 'GET',
  path: '/api/scopes/{scopeId}/documents',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'List the documents of a scope',
  description:
    'In the order of their ids, or of their last change. Name, type and source are compared after they are opened, with at most 2,000 ' +
    'documents a request, so a page may hold fewer items than `limit`, or none, while `next_cursor` is not null: ask for the next page.',
  params: scopeParams,
  query: pageQuery.extend({
    status: listOf({
      id: 'DocumentStatus',
      options: DocumentStatus.options,
      description: 'Only those in one of these statuses.',
    }).optional(),
    name: beginningOf('name', 500).optional(),
    type: DocumentType.optional().meta({ description: 'Only those of exactly this type.' }),
    source: beginningOf('source', 500).optional(),
    tag: DocumentTag.optional().meta({ description: 'Only those that have exactly this tag.' }),
    metadata: MetadataFilter.optional(),
    updated_since: UpdatedSince.optional(),
    order: DocumentOrder.default('id'),
  }),
  answers: { 200: pageOf(Document) },
  problems: ['scope_not_found'],
})

export const getDocument = operation({
  name: 'getDocument',
  method: 'GET',
  path: '/api/scopes/{scopeId}/documents/{documentId}',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Where a document stands, and why',
  description:
    'Status, stage, attempts, the last error, and its newest versions; older ones by `versions_cursor`. The text has an operation of its own.',
  params: documentParams,
  query: versionsQuery,
  answers: { 200: DocumentDetail },
  problems: ['scope_not_found', 'document_not_found'],
  conditional: true,
})

/** 20 tags and 20 pairs at their longest, every character escaped, are 80 KB of JSON. */
const updateBodyLimit = 131_072

export const updateDocument = operation({
  name: 'updateDocument',
  method: 'PATCH',
  path: '/api/scopes/{scopeId}/documents/{documentId}',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Set tags and metadata of a document',
  description:
    'Tags take the place of those before; metadata is merged, and null removes a name. Both are stored sealed, are the same for all ' +
    'versions, and go with the document. Nothing is read or compared again.',
  params: documentParams,
  body: UpdateDocumentBody,
  bodyLimit: updateBodyLimit,
  answers: { 200: Document },
  problems: ['scope_not_found', 'document_not_found'],
})

export const removeDocument = operation({
  name: 'removeDocument',
  method: 'DELETE',
  path: '/api/scopes/{scopeId}/documents/{documentId}',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Remove a document',
  description:
    'Its text, all that was read in it, its claims and its contradictions go in the same transaction. The mark that it was there remains. Where its claims leave much to compare among other documents, workers do that afterwards: meanwhile the scope is `working`, and `comparisons_pending` counts what is left.',
  params: documentParams,
  answers: { 200: RemovedDocument },
  problems: ['scope_not_found', 'document_not_found'],
})

export const retryDocument = operation({
  name: 'retryDocument',
  method: 'POST',
  path: '/api/scopes/{scopeId}/documents/{documentId}/retry',
  tier: 'public',
  served: true,
  queues: true,
  extension: true,
  summary: 'Try a document again',
  description:
    'Queues a `failed` or `held` document anew; policy is asked again. No other status can be retried.',
  params: documentParams,
  ...replayable,
  answers: { 202: RequeuedDocument },
  answerHeaders: { ...locationHeader, ...replayedHeader },
  problems: ['scope_not_found', 'document_not_found', 'illegal_transition', 'idempotency_key_reused'],
})

/** A reason and a name at their longest, every character escaped, are 27 KB of JSON. */
const releaseBodyLimit = 32_768

export const releaseDocument = operation({
  name: 'releaseDocument',
  method: 'POST',
  path: '/api/scopes/{scopeId}/documents/{documentId}/release',
  tier: 'public',
  served: true,
  queues: true,
  extension: true,
  summary: 'Let a held document pass',
  description:
    'A person says by whom and why. The document is queued, and policy is not asked again whether this version may be read; a newer ' +
    'version is asked about anew.',
  params: documentParams,
  ...replayable,
  body: ReleaseBody,
  bodyLimit: releaseBodyLimit,
  answers: { 202: ReleasedDocument },
  answerHeaders: { ...locationHeader, ...replayedHeader },
  problems: ['scope_not_found', 'document_not_found', 'illegal_transition', 'idempotency_key_reused'],
})

export const removeDocuments = operation({
  name: 'removeDocuments',
  method: 'POST',
  path: '/api/scopes/{scopeId}/document-removals',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Remove up to 100 documents',
  description:
    'Each is removed or refused by itself, as DELETE of it would, and has its own result. Those that the time of the request does not ' +
    'suffice for are refused with `unavailable`: send them again.',
  params: scopeParams,
  body: DocumentRemovalsBody,
  bodyLimit: namedDocumentsLimit,
  answers: { 200: DocumentRemovals },
  problems: ['scope_not_found'],
})

export const retryDocuments = operation({
  name: 'retryDocuments',
  method: 'POST',
  path: '/api/scopes/{scopeId}/document-retries',
  tier: 'public',
  served: true,
  queues: true,
  extension: true,
  summary: 'Try up to 100 documents again',
  description:
    'Those that are named, or the next ones that are `failed` or `held`. Each is queued or refused by itself, as its own retry would, and ' +
    'has its own result.',
  params: scopeParams,
  body: DocumentRetriesBody,
  bodyLimit: namedDocumentsLimit,
  answers: { 200: DocumentRetries },
  problems: ['scope_not_found'],
})
