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
    coverage: Share.meta({ description: 'Characters that were read, over those of all accepted documents.' }),
    agreement: Share.meta({
      description:
        'Compared claims that no open contradiction is about, over all compared ones; 0 where none was compared. See `claims` and `claims_compared`.',
    }),
    resolution: Share.meta({
      description:
        'Closed contradictions over all. One weighs twice as much as one of the severity below; those that tell of a change weigh nothing.',
    }),
    stability: Share.meta({
      description: 'Documents that no open contradiction is about, over all accepted.',
    }),
  })
  .meta({ id: 'ConvergenceParts', description: 'The four shares that make up the score, each from 0 to 1.' })

const Trend = z
  .strictObject({
    shape: z.enum(['rising', 'falling', 'plateau', 'oscillating']).meta({
      description:
        'Where the score is heading: `plateau` where it hardly moves, `oscillating` where it turned round three times or more.',
    }),
    rate: z.number().meta({ description: 'Change of the score for each document that came to its end.' }),
    documents_to_go: Count.nullable().meta({
      description:
        'At this rate, until the scope is settled; null unless documents are being read and the score rises by them.',
    }),
  })
  .meta({ id: 'ConvergenceTrend', description: 'Of the last ten points and of now.' })

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
        'The contradiction or document to act on; of the kinds that begin with `comparison_` the scope.',
    }),
    severity: Severity.nullable().meta({
      description: 'The severity of a contradiction; null for every other kind.',
    }),
  })
  .meta({ id: 'ConvergenceBlocker' })

const Point = z
  .strictObject({
    seq: Seq.meta({ description: 'Where `convergence.changed` stands in the log.' }),
    at: Timestamp,
    score: Share.meta({ description: 'How settled the scope was then, from 0 to 1.' }),
    parts: Parts,
    state: ConvergenceState,
    documents: Count.meta({ description: 'How often a document had come to its end by then.' }),
  })
  .meta({ id: 'ConvergencePoint' })

const standing = {
  score: Share.meta({ description: 'How settled the scope is, from 0 to 1.' }),
  state: ConvergenceState,
}
const figures = {
  ...standing,
  parts: Parts,
  claims: Count.meta({ description: 'Claims of the versions that are in force.' }),
  claims_compared: Count.meta({
    description: 'Claims that were compared with at least one claim of another document.',
  }),
  comparisons_pending: Count.meta({
    description:
      'Comparisons that wait or are under way: by a language model, each of up to 100 statements, or of up to 100 groups of claims that a removed document left. While there are any, the scope is `working`.',
  }),
  comparisons_held: z
    .strictObject({
      not_permitted: Count.meta({
        description:
          'Held because no policy permits that their document is sent to the model. Permit it, or remove the document.',
      }),
      over_budget: Count.meta({
        description:
          'Held because the token budget of the tenant is used up, until the next period begins or the budget is raised.',
      }),
    })
    .meta({ description: 'Comparisons by a language model that are held, by reason.' }),
}

const BlockersTotal = Count.meta({
  description:
    'How many things keep the scope from being settled, also those beyond the ones that are listed.',
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
    seq: Seq.meta({ description: 'The position in the log at which this is true.' }),
    points: z.array(Point).max(50).meta({
      description:
        'The last 50, newest last. There is one where the state changed, or the score by a hundredth or more.',
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
