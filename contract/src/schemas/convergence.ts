/** Convergence: how settled a scope is, in parts, and what keeps it from being settled. */
import { z } from 'zod'
import { Share } from './claims.ts'
import { pageQuery, ScopeId, Seq, TenantId } from './identity.ts'

export const ConvergenceState = z
  .enum(['empty', 'working', 'contested', 'converging', 'settled'])
  .meta({ id: 'ConvergenceState' })

const Parts = z
  .strictObject({
    coverage: Share.meta({ description: 'Settled documents over accepted ones.' }),
    agreement: Share.meta({ description: 'Weight of the claims that no open contradiction touches.' }),
    resolution: Share.meta({ description: 'Closed contradictions over all, weighed by severity.' }),
    stability: Share.meta({ description: 'How little the last documents changed the picture.' }),
  })
  .meta({ id: 'ConvergenceParts' })

const Trend = z
  .strictObject({
    shape: z.enum(['rising', 'falling', 'plateau', 'oscillating']),
    rate: z.number().meta({ description: 'Change of the score for each document processed.' }),
  })
  .meta({ id: 'ConvergenceTrend' })

const Blocker = z
  .strictObject({
    kind: z.enum(['document_unfinished', 'document_held', 'document_failed', 'contradiction_open', 'policy']),
    id: z.string().meta({ description: 'The document, contradiction or decision to act on.' }),
  })
  .meta({ id: 'ConvergenceBlocker' })

const figures = { score: Share, parts: Parts, trend: Trend, state: ConvergenceState }

export const Convergence = z
  .strictObject({
    scope_id: ScopeId,
    ...figures,
    blockers: z.array(Blocker),
    seq: Seq.meta({ description: 'The position in the log at which this is true.' }),
  })
  .meta({ id: 'Convergence' })

export const ScopeConvergence = z
  .strictObject({ tenant_id: TenantId, scope_id: ScopeId, ...figures })
  .meta({ id: 'ScopeConvergence' })

export const convergenceQuery = pageQuery.extend({
  tenant_id: TenantId.optional(),
  scope_id: ScopeId.optional(),
})
