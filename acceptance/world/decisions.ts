/** Makes reports and decisions of people. */
import { make } from './making.ts'
import type { Made } from './making.ts'
import { contradict, contradictionsOf } from './claims.ts'
import type { Contradiction } from './claims.ts'
import { bearer } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type ReportedDecision = Made<'listDecisions'>['items'][number]

export const DISMISSED = { outcome: 'dismissed', reason: 'Two different things.' } as const
export const REOPENED = { outcome: 'reopened', reason: 'We were too quick.' } as const

/** Two documents that contradict each other, and what was found. */
export async function openOne(tenant: Tenant, scopeId: string): Promise<Contradiction> {
  await contradict(tenant, scopeId)
  const [found] = await contradictionsOf(tenant, scopeId)
  if (!found) throw new Error('Two documents that contradict each other were found to agree.')
  return found
}

export async function decide(
  tenant: Tenant,
  scopeId: string,
  contradictionId: string,
  body: unknown,
): Promise<Contradiction> {
  const params = { scopeId, contradictionId }
  return make('resolveContradiction', { headers: bearer(tenant.key), params, body })
}

export async function decisionsOf(
  tenant: Tenant,
  scopeId: string,
  query = '',
): Promise<readonly ReportedDecision[]> {
  return (await make('listDecisions', { headers: bearer(tenant.key), params: { scopeId }, query })).items
}
