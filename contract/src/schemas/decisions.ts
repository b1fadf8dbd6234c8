/** Decisions: what governance allowed, held or refused, and at which of its four points. */
import { z } from 'zod'

export const PolicyPoint = z
  .enum(['admit_document', 'settle_contradiction', 'process_document', 'settle_scope'])
  .meta({ id: 'PolicyPoint' })

export const DecisionResult = z
  .enum(['allowed', 'held', 'refused', 'resolved'])
  .meta({ id: 'DecisionResult' })
