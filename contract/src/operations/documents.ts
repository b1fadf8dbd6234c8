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
  DocumentType,
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
import { DocumentTag, MetadataFilter } from '../schemas/labels.ts'

const locationHeader = { Location: 'Address of the document.' }

export const registerDocument = operation({
  name: 'registerDocument',
  method: 'POST',
  path: '/api/documents',
  tier: 'public',
  served: true,
  summary: 'Register a document without queueing it',
  description:
    'Its status is `registered` without text and `attached` with it. Send text later under the same document_id ' +
    'to attach it. The same request again returns the same record. Tags and metadata are set in the same request. A `text` with HTML tags whose `type` is `html` ' +
    'is refused, as by ingestion.',
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
    'refused, as by ingestion. Tags and metadata are set in the same request.',
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
    'In the order of their ids, or of their last change. Filters on name, type and source decrypt and compare at ' +
    'most 2,000 documents a request, so a page may have fewer items than `limit`, or none, while `next_cursor` is ' +
    'not null: request the next page.',
  params: scopeParams,
  query: pageQuery.extend({
    status: listOf({
      id: 'DocumentStatus',
      options: DocumentStatus.options,
      description: 'Only items in one of these statuses.',
    }).optional(),
    name: beginningOf('name', 500).optional(),
    type: DocumentType.optional().meta({ description: 'Only documents of exactly this type.' }),
    source: beginningOf('source', 500).optional(),
    tag: DocumentTag.optional().meta({ description: 'Only documents with exactly this tag.' }),
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
  summary: 'Read the status of a document',
  description:
    'Status, stage, attempts, the last error, and the newest versions; use `versions_cursor` for older ones. To ' +
    'read the text, use the operation for it.',
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
    'Tags replace the existing tags. Metadata is merged, and null removes a name. Both are stored sealed, apply ' +
    'to all versions, and are deleted with the document. Nothing is read or compared again.',
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
    'Deletes its text, readings, claims and contradictions in one transaction. Only its id and status remain. If ' +
    'many claims of other documents have to be compared again, workers do this afterwards: meanwhile the scope is ' +
    '`working`, and `comparisons_pending` is the number of comparisons left.',
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
  summary: 'Retry a document',
  description:
    'Queues a `failed` or `held` document again; policy is evaluated again. No other status can be retried.',
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
  summary: 'Release a held document',
  description:
    'Send the person who releases it and the reason. The document is queued, and policy is not evaluated again ' +
    'for this version; for a newer version it is.',
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
    'Each document is removed or refused by itself, as by DELETE, and has its own result. If the time limit of ' +
    'the request is too short, the remaining documents are refused with `unavailable`: send them again.',
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
  summary: 'Retry up to 100 documents',
  description:
    'Send ids, or a status to retry the next documents that are `failed` or `held`. Each document is queued or ' +
    'refused by itself, as by its own retry, and has its own result.',
  params: scopeParams,
  body: DocumentRetriesBody,
  bodyLimit: namedDocumentsLimit,
  answers: { 200: DocumentRetries },
  problems: ['scope_not_found'],
})
