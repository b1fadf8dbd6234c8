/** Decisions: what was allowed, held, refused or settled, at which of four points, by whom and why. */
import { z } from 'zod'
import { attribution, DecidedBy, Holds } from './contradictions.ts'
import { ContradictionId, DecisionId, DocumentId, pageQuery, ScopeId, Seq, Timestamp } from './identity.ts'

export const PolicyPoint = z
  .enum(['admit_document', 'settle_contradiction', 'process_document', 'settle_scope'])
  .meta({
    id: 'PolicyPoint',
    description:
      'The question that was decided. `admit_document`: whether the document may be read. `process_document`: ' +
      'whether this stage and model may be used on it. `settle_contradiction`: whether a contradiction is ' +
      'resolved automatically. `settle_scope`: whether the scope may be declared settled.',
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
    document_ids: z.array(DocumentId).meta({
      description:
        'The documents that the decision is about; for a decision by evidence, the documents that are the ' +
        'evidence.',
    }),
    holds: Holds.nullable().meta({
      description: 'Which side is right, in the current order of sides; null unless it was resolved.',
    }),
    ...attribution,
    policies: z.array(z.string()).meta({ description: 'Ids of the policies that decided, if any.' }),
    policy_hash: z.string().nullable().meta({
      description:
        'SHA-256 of the policies at that time, in hexadecimal digits; null if no policy was evaluated.',
    }),
    seq: Seq.meta({ description: 'Position of its event in the log of the scope.' }),
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
