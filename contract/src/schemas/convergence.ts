/** Convergence: how settled a scope is, in parts, and what keeps it from being settled. */
import { z } from 'zod'
import { Share } from './claims.ts'
import { Severity } from './contradictions.ts'
import { Count, pageQuery, ScopeId, Seq, TenantId, Timestamp } from './identity.ts'

export const ConvergenceState = z
  .enum(['empty', 'working', 'contested', 'converging', 'unassessed', 'settled'])
  .meta({
    id: 'ConvergenceState',
    description:
      '`empty`: nothing was accepted. `working`: documents are being read or compared. `contested`: a contradiction of severity high or critical is open. `converging`: something else keeps it from being settled; `blockers` names it. `unassessed`: nothing blocks it, but less than a tenth of its claims was compared with another document. `settled`: everything was read, and nothing was found that is still open.',
  })

export const Parts = z
  .strictObject({
    coverage: Share.meta({
      description: 'Characters that were read, divided by the characters of all accepted documents.',
    }),
    agreement: Share.meta({
      description:
        'Compared claims without an open contradiction, divided by all compared claims; 0 if none was compared. ' +
        'See `claims` and `claims_compared`.',
    }),
    resolution: Share.meta({
      description:
        'Closed contradictions, divided by all. Each severity has twice the weight of the one below; ' +
        'contradictions of relation `change` have no weight.',
    }),
    stability: Share.meta({
      description: 'Documents without an open contradiction, divided by all accepted documents.',
    }),
  })
  .meta({ id: 'ConvergenceParts', description: 'The four shares that make up the score, each from 0 to 1.' })

const Trend = z
  .strictObject({
    shape: z.enum(['rising', 'falling', 'plateau', 'oscillating']).meta({
      description:
        'The trend of the score: `plateau` if it hardly changes, `oscillating` if it changed direction three ' +
        'times or more.',
    }),
    rate: z.number().meta({ description: 'Change of the score for each completed document.' }),
    documents_to_go: Count.nullable().meta({
      description:
        'Estimated number of documents until the scope is settled, at this rate; null unless documents are being ' +
        'read and the score rises.',
    }),
  })
  .meta({ id: 'ConvergenceTrend', description: 'The trend over the last ten points and the current score.' })

const Blocker = z
  .strictObject({
    kind: z
      .enum([
        'contradiction_open',
        'document_failed',
        'document_held',
        'document_unread',
        'document_partly_read',
        'document_language',
        'document_without_claims',
        'comparison_incomplete',
        'comparison_pending',
        'comparison_not_permitted',
        'comparison_over_budget',
        'document_unfinished',
      ])
      .meta({
        description:
          '`document_unread`: nothing of it was read. `document_partly_read`: not all of it was. `document_language`: it holds text in a language that the reader cannot read. `document_without_claims`: it was read, and no claim was found in it. `comparison_incomplete`: not all claims of the scope were compared. `comparison_pending`: claims of the scope wait to be compared by a language model, see `comparisons_pending`. `comparison_not_permitted`: no policy permits that some of its documents are sent to the model that compares; they are compared when one does. `comparison_over_budget`: the token budget of the tenant is used up; what is left is compared in the next period, or when the budget is raised. The reading report of the document has the figures.',
      }),
    id: z.string().meta({
      description:
        'The id of the contradiction or document to act on; for kinds that begin with `comparison_`, the id of ' +
        'the scope.',
    }),
    severity: Severity.nullable().meta({
      description: 'The severity of a contradiction; null for every other kind.',
    }),
  })
  .meta({ id: 'ConvergenceBlocker' })

const Point = z
  .strictObject({
    seq: Seq.meta({ description: 'Position of `convergence.changed` in the log.' }),
    at: Timestamp,
    score: Share.meta({ description: 'How settled the scope was then, from 0 to 1.' }),
    parts: Parts,
    state: ConvergenceState,
    documents: Count.meta({
      description: 'Number of completed documents at that point, counting each completion.',
    }),
  })
  .meta({ id: 'ConvergencePoint' })

const standing = {
  score: Share.meta({ description: 'How settled the scope is, from 0 to 1.' }),
  state: ConvergenceState,
}
const figures = {
  ...standing,
  parts: Parts,
  claims: Count.meta({ description: 'Claims of the current versions.' }),
  claims_compared: Count.meta({
    description: 'Claims that were compared with at least one claim of another document.',
  }),
  comparisons_pending: Count.meta({
    description:
      'Comparisons that wait or run: by a language model, each of up to 100 statements, or of up to 100 groups of ' +
      'claims after a document was removed. While there are any, the scope is `working`.',
  }),
  comparisons_held: z
    .strictObject({
      not_permitted: Count.meta({
        description:
          'Comparisons that are held because no policy permits sending their document to the model. Permit it, or ' +
          'remove the document.',
      }),
      over_budget: Count.meta({
        description:
          'Comparisons that are held because the token budget of the tenant is used up, until the next period ' +
          'begins or the budget is raised.',
      }),
    })
    .meta({ description: 'Comparisons by a language model that are held, by reason.' }),
}

const BlockersTotal = Count.meta({
  description: 'Number of all blockers, including those that are not listed.',
})

const blockers = (max: number) => ({
  blockers: z
    .array(Blocker)
    .max(max)
    .meta({ description: 'What keeps the scope from being settled, worst first.' }),
  blockers_total: BlockersTotal,
})

/** In a list of scopes. */
export const ListedConvergence = z
  .strictObject(standing)
  .meta({ id: 'ListedConvergence', description: 'How settled the scope is, in brief.' })

/** At a glance. */
export const ConvergenceAtAGlance = z
  .strictObject({ ...figures, ...blockers(5) })
  .meta({ id: 'ConvergenceAtAGlance', description: 'How settled the scope is, with the first few blockers.' })

export const Convergence = z
  .strictObject({
    scope_id: ScopeId,
    ...figures,
    trend: Trend,
    ...blockers(100),
    seq: Seq.meta({ description: 'The position in the log that this state belongs to.' }),
    points: z.array(Point).max(50).meta({
      description:
        'The last 50 points, newest last. A point is added when the state changes, or the score by 0.01 or more.',
    }),
  })
  .meta({
    id: 'Convergence',
    description: 'How settled the scope is, what keeps it from being settled and how the score has moved.',
  })

export const ScopeConvergence = z
  .strictObject({
    tenant_id: TenantId,
    scope_id: ScopeId,
    ...figures,
    trend: Trend,
    blockers_total: BlockersTotal,
  })
  .meta({ id: 'ScopeConvergence' })

export const convergenceQuery = pageQuery.extend({
  tenant_id: TenantId.optional().meta({ description: 'Only scopes of this tenant.' }),
  scope_id: ScopeId.optional().meta({ description: 'Only scopes with this id.' }),
})
