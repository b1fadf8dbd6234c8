/** Decisions: what was allowed, held, refused or settled, at which of four points, by whom and why. */
import { z } from 'zod'
import { attribution, DecidedBy, Holds } from './contradictions.ts'
import { ContradictionId, DecisionId, DocumentId, pageQuery, ScopeId, Seq, Timestamp } from './identity.ts'

export const PolicyPoint = z
  .enum(['admit_document', 'settle_contradiction', 'process_document', 'settle_scope'])
  .meta({ id: 'PolicyPoint' })

export const DecisionResult = z
  .enum(['allowed', 'held', 'refused', 'resolved', 'dismissed', 'reopened', 'released'])
  .meta({ id: 'DecisionResult' })

export const Decision = z
  .strictObject({
    decision_id: DecisionId,
    scope_id: ScopeId,
    point: PolicyPoint,
    result: DecisionResult,
    contradiction_id: ContradictionId.nullable(),
    document_ids: z
      .array(DocumentId)
      .meta({ description: 'The documents it is about; of one by evidence, those that are the evidence.' }),
    holds: Holds.nullable().meta({
      description: 'Of a resolution. The sides are as the contradiction shows them now.',
    }),
    ...attribution,
    policies: z.array(z.string()).meta({ description: 'Which policies decided, where some did.' }),
    policy_hash: z
      .string()
      .nullable()
      .meta({ description: 'Of the policies as they were, in hexadecimal digits.' }),
    seq: Seq.meta({ description: 'Where the log of the scope tells of it.' }),
    decided_at: Timestamp,
  })
  .meta({ id: 'Decision' })

export const decisionsQuery = pageQuery.extend({
  contradiction_id: ContradictionId.optional(),
  document_id: DocumentId.optional(),
  point: PolicyPoint.optional(),
  decided_by: DecidedBy.optional(),
})
