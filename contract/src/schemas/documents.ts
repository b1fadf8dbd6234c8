/** Documents: what a tenant hands in, and where each one stands on its way to a terminal status. */
import { z } from 'zod'
import { text } from '../text.ts'
import { PolicyPoint } from './decisions.ts'
import { Count, DecisionId, DocumentId, ScopeId, Seq, Timestamp } from './identity.ts'
import { Problem } from './problem.ts'
import { refuseHtml } from './html-text.ts'
import { LabelFields, Metadata, MetadataChange, Tags } from './labels.ts'
import { ReadingReport, unreadParts } from './reading.ts'

export const DocumentName = text({
  min: 1,
  max: 500,
  description: 'Display name of the document.',
  example: 'Annual report 2025',
})

/** The specification bounds the type above only: the empty string is legal. */
export const DocumentType = text({
  max: 50,
  description: 'The type of the text; the default is `txt`.',
  example: 'txt',
})

export const DocumentText = text({
  min: 1,
  max: 100_000,
  description: 'The whole text. A character is a Unicode code point.',
  example: 'Borealis reported revenue of EUR 12.4m for 2025.',
})

export const DocumentSource = text({
  min: 1,
  max: 500,
  description: 'Where the document comes from. Stored as text, never fetched.',
  example: 'https://example.org/reports/2025.txt',
})

/** The name is ours: the specification describes this field of the body without naming it. */
const Provenance = text({
  min: 1,
  max: 500,
  description: 'A stable reference: content hash, source URI or external id. Stored as text, never fetched.',
  example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
})

const documentStatuses = [
  'registered',
  'attached',
  'queued',
  'processing',
  'processed',
  'held',
  'failed',
  'superseded',
  'removed',
] as const

export const DocumentStatus = z.enum(documentStatuses).meta({
  id: 'DocumentStatus',
  description: 'Terminal are `processed`, `held`, `failed`, `superseded` and `removed`.',
})

export const DocumentOrder = z.enum(['id', 'updated', 'updated_desc']).meta({
  id: 'DocumentOrder',
  description:
    '`id`: by document id. `updated`: the oldest change first, to miss no change while you page. `updated_desc`: the newest first.',
})

/** A document in one of these goes no further by itself. */
export const terminalDocumentStatuses = [
  'processed',
  'held',
  'failed',
  'superseded',
  'removed',
] as const satisfies readonly (typeof documentStatuses)[number][]

export const Stage = z.enum(['read', 'compare', 'govern', 'settle']).meta({
  id: 'Stage',
  description: 'The step of a document in `processing`, in this order.',
})

const Version = z.int().min(0).meta({
  description: 'New text creates a new version; 0 while there is no text.',
})

const AttachBody = z.strictObject({
  name: DocumentName,
  type: DocumentType.default('txt'),
  text: DocumentText,
  document_id: DocumentId.optional().meta({ description: 'Generated if omitted.' }),
  source: DocumentSource.optional(),
  provenance: Provenance.optional(),
  ...LabelFields,
})

export const AttachDocumentBody = AttachBody.check(refuseHtml).meta({ id: 'AttachDocumentBody' })

export const CreateDocumentBody = AttachBody.extend({
  scope_id: ScopeId,
  text: DocumentText.optional().meta({ description: 'Without text the document is only registered.' }),
})
  .check(refuseHtml)
  .meta({ id: 'CreateDocumentBody' })

const Failure = z
  .strictObject({
    code: z.string().meta({ description: 'Why the last attempt failed, as a stable word.' }),
    message: z.string().meta({ description: 'The action that you can take.' }),
    stage: Stage,
  })
  .meta({ id: 'DocumentFailure' })

const Hold = z
  .strictObject({
    decision_id: DecisionId,
    point: PolicyPoint,
    reason: z.string().meta({
      description:
        '`forbidden`: a policy forbids it. `not_permitted`: none permits it. `undecidable`: a forbidding one could not be evaluated.',
    }),
    policies: z.array(z.string()).meta({
      description: 'Ids of the policies that decided, each with its origin.',
      examples: [['tenant/no-contracts']],
    }),
    decided_at: Timestamp,
  })
  .meta({ id: 'DocumentHold' })

const waitingReasons = ['timeout', 'unreachable', 'busy', 'forbidden', 'server_error', 'over_budget'] as const

const WaitingReason = z.enum(waitingReasons).meta({
  id: 'WaitingReason',
  description:
    'Why the model does not answer. `over_budget`: the token budget of the tenant is used up. The others are about the endpoint.',
})

const plainDocument = z.strictObject({
  scope_id: ScopeId,
  document_id: DocumentId,
  name: z.string().meta({ description: 'Display name of the document.' }),
  type: z.string().meta({ description: 'The type of the text as you sent it, such as `txt`.' }),
  source: z
    .string()
    .nullable()
    .meta({ description: 'Where the document comes from, as you sent it; null if you sent none.' }),
  provenance: z
    .string()
    .nullable()
    .meta({ description: 'The stable reference that you sent; null if you sent none.' }),
  tags: z.array(z.string()).meta({ description: 'Tags that you set to filter documents by.' }),
  metadata: Metadata,
  version: Version,
  status: DocumentStatus,
  stage: Stage.nullable().meta({ description: 'Null unless `processing`.' }),
  attempt: Count.meta({ description: 'Attempts started on this version; each is counted before it starts.' }),
  error: Failure.nullable().meta({
    description: 'Why the last attempt on this version failed; null if it did not fail.',
  }),
  hold: Hold.nullable().meta({ description: 'Why it is held; null unless `held`.' }),
  reading: ReadingReport.nullable().meta({
    description: 'How much of this version was read; null unless `processed` or `failed`.',
  }),
  ...unreadParts,
  waiting_for: z
    .enum(['model'])
    .nullable()
    .meta({
      description:
        'The dependency that a `queued` document waits for: `model` if the language model that reads it does not answer, else ' +
        'null. It continues automatically, and no attempt is counted.',
    }),
  waiting_reason: WaitingReason.nullable().meta({ description: 'Null unless it waits for the model.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const Document = plainDocument.meta({ id: 'Document' })

const DocumentVersion = z
  .strictObject({
    version: Version,
    status: DocumentStatus,
    characters: Count.meta({ description: 'Length of the text, in code points.' }),
    reading: ReadingReport.nullable().meta({ description: 'Null unless it was read.' }),
    received_at: Timestamp,
    queued_at: Timestamp.nullable().meta({
      description: 'When it was last queued; null if it never was.',
    }),
    started_at: Timestamp.nullable().meta({
      description: 'When the first attempt on it started; null before that.',
    }),
    ended_at: Timestamp.nullable().meta({
      description: 'When it reached a terminal status; null before that.',
    }),
  })
  .meta({ id: 'DocumentVersion' })

export const DocumentDetail = plainDocument
  .extend({
    versions: z.array(DocumentVersion).max(100).meta({
      description: 'A page of its versions, newest first; by default the newest twenty.',
    }),
    next_versions_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Position of the next, older page; null if there is no older version.' }),
  })
  .meta({ id: 'DocumentDetail' })

export const UpdateDocumentBody = z
  .strictObject({
    tags: Tags.optional().meta({ description: 'Replaces the existing tags.' }),
    metadata: MetadataChange.optional(),
  })
  .meta({ id: 'UpdateDocumentBody' })

export const RemovedDocument = z
  .strictObject({
    scope_id: ScopeId,
    document_id: DocumentId,
    removed: z
      .strictObject({ versions: Count.meta({ description: 'How many versions it had.' }) })
      .meta({ description: 'The number of removed versions.' }),
    seq: Seq,
  })
  .meta({ id: 'RemovedDocument' })

export const RequeuedDocument = z
  .strictObject({
    scope_id: ScopeId,
    document_id: DocumentId,
    version: Version,
    queued: z.literal(true).meta({ description: 'Always true: the document waits to be processed.' }),
    seq: Seq,
  })
  .meta({ id: 'RequeuedDocument' })

export const ReleaseBody = z
  .strictObject({
    by: text({ min: 1, max: 200, description: 'The person who releases it.', example: 'j.doe@example.org' }),
    reason: text({
      min: 1,
      max: 2000,
      description: 'Why.',
      example: 'Checked with the client; it may be read.',
    }),
  })
  .meta({ id: 'ReleaseBody' })

export const ReleasedDocument = RequeuedDocument.extend({ decision_id: DecisionId }).meta({
  id: 'ReleasedDocument',
})

const NamedDocuments = z.array(DocumentId).min(1).max(100).meta({
  description: 'Each document is handled by itself; one that is named twice is handled once.',
})

/** 100 ids of 200 characters, every one escaped, are 240 KB of JSON. */
export const namedDocumentsLimit = 262_144

export const DocumentRemovalsBody = z
  .strictObject({ document_ids: NamedDocuments })
  .meta({ id: 'DocumentRemovalsBody' })

const RefusedDocument = {
  document_id: DocumentId,
  problem: Problem.meta({ description: 'The reason why it was refused for this document.' }),
}

export const DocumentRemovals = z
  .strictObject({
    scope_id: ScopeId,
    removed: Count.meta({ description: 'Documents that this request removed.' }),
    refused: Count.meta({ description: 'Documents that are unchanged.' }),
    results: z
      .array(
        z.discriminatedUnion('removed', [
          z.strictObject({
            removed: z.literal(true).meta({ description: 'The document is removed.' }),
            document_id: DocumentId,
            versions: Count.meta({ description: 'How many versions it had.' }),
            seq: Seq,
          }),
          z.strictObject({
            removed: z.literal(false).meta({ description: 'The document is unchanged.' }),
            ...RefusedDocument,
          }),
        ]),
      )
      .meta({ description: 'One for each document, in the order they were named.' }),
  })
  .meta({ id: 'DocumentRemovals' })

export const DocumentRetriesBody = z
  .strictObject({
    document_ids: NamedDocuments.optional(),
    status: z.enum(['failed', 'held']).optional().meta({
      description: 'Instead of `document_ids`: the first 100 documents in this status, by their ids.',
    }),
    after: DocumentId.optional().meta({
      description: 'With `status`: only documents after this id; use `next_after` of the previous response.',
    }),
  })
  .check(({ value, issues }) => {
    const { document_ids: named, status, after } = value
    if ((named === undefined) === (status === undefined))
      issues.push({
        code: 'custom',
        input: value,
        path: [named === undefined ? 'document_ids' : 'status'],
        params: { code: named === undefined ? 'required' : 'not_allowed' },
        message: 'Send either document_ids or status.',
      })
    else if (named !== undefined && after !== undefined)
      issues.push({
        code: 'custom',
        input: value,
        path: ['after'],
        params: { code: 'not_allowed' },
        message: 'Send after with status only.',
      })
  })
  .meta({ id: 'DocumentRetriesBody' })

export const DocumentRetries = z
  .strictObject({
    scope_id: ScopeId,
    queued: Count.meta({ description: 'Documents that this request queued.' }),
    refused: Count.meta({ description: 'Documents that are unchanged.' }),
    results: z
      .array(
        z.discriminatedUnion('queued', [
          z.strictObject({
            queued: z.literal(true).meta({ description: 'The document is queued again.' }),
            document_id: DocumentId,
            version: Version,
            seq: Seq,
          }),
          z.strictObject({
            queued: z.literal(false).meta({ description: 'The document is unchanged.' }),
            ...RefusedDocument,
          }),
        ]),
      )
      .meta({ description: 'One for each document, in the order they were named; by id with `status`.' }),
    next_after: DocumentId.nullable().meta({
      description: 'With `status`: send it as `after` to continue; null if there are no more documents.',
    }),
  })
  .meta({ id: 'DocumentRetries' })
