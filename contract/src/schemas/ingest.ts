/** Ingestion: the bodies and answers of the specification to the letter, and the batch and trigger beside them. */
import { z } from 'zod'
import { text } from '../text.ts'
import { DocumentName, DocumentSource, DocumentText, DocumentType } from './documents.ts'
import { refuseHtml } from './html-text.ts'
import { Count, DocumentId, ScopeId, Seq } from './identity.ts'
import { Problem } from './problem.ts'

/** 1.5 MiB: a legal text of 100,000 characters, every one escaped, is 1.2 MB of JSON. */
export const documentBodyLimit = 1_572_864

export const IdempotencyKey = text({
  min: 1,
  max: 200,
  description:
    'Your own key, a new one for each new request. It is kept for 30 days, or shorter if the operator configures ' +
    'that.',
  example: 'nightly-2026-11-15-0042',
})

export const IngestDocumentRequest = z
  .strictObject({
    scope_id: ScopeId,
    name: DocumentName,
    type: DocumentType.default('txt'),
    text: DocumentText,
    document_id: DocumentId.optional().meta({ description: 'Generated if omitted.' }),
    source: DocumentSource.optional(),
    idempotency_key: IdempotencyKey.optional(),
  })
  .check(refuseHtml)
  .meta({ id: 'IngestDocumentRequest' })

export const IngestDocumentResponse = z
  .strictObject({
    scope_id: ScopeId,
    name: DocumentName,
    type: DocumentType,
    document_id: z.string().nullable().meta({
      description: 'Id of the stored document, yours or a generated one; the service never answers null.',
    }),
    idempotency_key: z
      .string()
      .nullable()
      .meta({ description: 'The idempotency key that you sent; null if you sent none.' }),
    queued: z
      .literal(true)
      .meta({ description: 'Always true: the document is stored and waits to be processed.' }),
    seq: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description:
          'Position of `document.queued` in the log of the scope; open its stream after this position to miss no ' +
          'event. The service never answers null.',
      }),
    integration_version: z.literal('v1').meta({ description: 'The version of the ingestion interface.' }),
    message: z.string().meta({ description: 'What happened, for people to read; the wording may change.' }),
  })
  .meta({ id: 'IngestDocumentResponse' })

/** Checked one by one by the route, so that one which breaks its schema takes no other along. */
const BatchEntry = z.unknown().meta({ wire: { $ref: '#/components/schemas/IngestDocumentRequest' } })

export const IngestBatchRequest = z
  .strictObject({
    documents: z
      .array(BatchEntry)
      .min(1)
      .max(100)
      .meta({ description: 'Each document is accepted or refused by itself, also if it breaks its schema.' }),
  })
  .meta({ id: 'IngestBatchRequest' })

const BatchResult = z.discriminatedUnion('accepted', [
  z.strictObject({
    accepted: z.literal(true).meta({ description: 'The document is stored and queued.' }),
    document: IngestDocumentResponse.meta({
      description: 'The same response as for the document alone.',
    }),
  }),
  z.strictObject({
    accepted: z.literal(false).meta({ description: 'The document was not stored.' }),
    problem: Problem.meta({ description: 'Why the document was refused.' }),
  }),
])

export const IngestBatchResponse = z
  .strictObject({
    accepted: Count.meta({ description: 'How many documents were stored and queued.' }),
    refused: Count.meta({ description: 'How many documents were not stored.' }),
    results: z
      .array(BatchResult)
      .meta({ description: 'One for each document, in the order they were sent.' }),
  })
  .meta({ id: 'IngestBatchResponse' })

/** 500 ids of 200 characters, every one escaped, stay below the body limit of a document. */
export const TriggerIngestBody = z
  .strictObject({
    document_ids: z
      .array(DocumentId)
      .min(1)
      .max(500)
      .optional()
      .meta({ description: 'Only these documents. If omitted, every attached document of the scope.' }),
  })
  .meta({ id: 'TriggerIngestBody' })

export const TriggerIngestResponse = z
  .strictObject({
    scope_id: ScopeId,
    queued: Count.meta({ description: 'Documents that were attached and are queued by this request.' }),
    already_queued: Count.meta({
      description: 'Documents that were queued before, in whatever status now; they stay unchanged.',
    }),
    without_text: Count.meta({
      description: 'Documents that are only registered: there is no text to queue yet.',
    }),
    first_seq: Seq.nullable().meta({ description: 'Null when nothing was queued.' }),
    last_seq: Seq.nullable().meta({
      description: 'Position of the last `document.queued` in the log; null when nothing was queued.',
    }),
  })
  .meta({ id: 'TriggerIngestResponse' })
