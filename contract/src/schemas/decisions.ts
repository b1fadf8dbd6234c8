/** Decisions: what was allowed, held, refused or settled, at which of four points, by whom and why. */
import { z } from 'zod'
import { attribution, DecidedBy, Holds } from './contradictions.ts'
import { ContradictionId, DecisionId, DocumentId, pageQuery, ScopeId, Seq, Timestamp } from './identity.ts'

export const PolicyPoint = z
  .enum(['admit_document', 'settle_contradiction', 'process_document', 'settle_scope'])
  .meta({
    id: 'PolicyPoint',
    description:
      'The question that was decided. `admit_document`: may the document be read. `process_document`: may this stage and model be used on it. `settle_contradiction`: what becomes of a contradiction. `settle_scope`: may the scope be declared settled.',
  })

export const DecisionResult = z
  .enum(['allowed', 'held', 'refused', 'resolved', 'dismissed', 'reopened', 'released'])
  .meta({
    id: 'DecisionResult',
    description:
      'What was decided: a policy `allowed`, `held` or `refused` something, a person `released` a held document, or a contradiction was `resolved`, `dismissed` or `reopened`.',
  })

export const Decision = z
  .strictObject({
    decision_id: DecisionId,
    scope_id: ScopeId,
    point: PolicyPoint,
    result: DecisionResult,
    contradiction_id: ContradictionId.nullable().meta({
      description: 'The contradiction that was decided; null where the decision is not about one.',
    }),
    document_ids: z
      .array(DocumentId)
      .meta({ description: 'The documents it is about; of one by evidence, those that are the evidence.' }),
    holds: Holds.nullable().meta({
      description: 'Which side holds, as the contradiction shows its sides now; null unless it was resolved.',
    }),
    ...attribution,
    policies: z.array(z.string()).meta({ description: 'Which policies decided, where some did.' }),
    policy_hash: z.string().nullable().meta({
      description:
        'SHA-256 of the policies as they were, in hexadecimal digits; null where no policy was asked.',
    }),
    seq: Seq.meta({ description: 'Where the log of the scope tells of it.' }),
    decided_at: Timestamp,
  })
  .meta({ id: 'Decision' })

export const decisionsQuery = pageQuery.extend({
  contradiction_id: ContradictionId.optional().meta({
    description: 'Only decisions about this contradiction.',
  }),
  document_id: DocumentId.optional().meta({ description: 'Only decisions that name this document.' }),
  point: PolicyPoint.optional().meta({ description: 'Only decisions at this point.' }),
  decided_by: DecidedBy.optional().meta({
    description: 'Only decisions that a policy, a person or later evidence made.',
  }),
})
