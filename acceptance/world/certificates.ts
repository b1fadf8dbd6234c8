/** Scopes that are settled, and what is certified of them. */
import { CERTIFY_RULES } from '@concord/proof/certify-rules'
import { tell } from './claims.ts'
import { make } from './making.ts'
import type { Made } from './making.ts'
import { asAdminOf, bearer, createScope } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type Issued = Made<'getCertificate'>

/** Documents that say the same, so that they can be compared and do not contradict each other. */
export const AGREEING = [
  'Borealis Ltd had revenue of EUR 12.4m in 2025. The lease of Borealis Ltd ends on 30 June 2027.',
  'Borealis Ltd had revenue of EUR 12.4m in 2025.',
] as const

/** From now on the scope can be certified though only the rule reader has read it. */
export async function permitRules(tenant: Tenant, scopeId: string): Promise<void> {
  const body = { text: CERTIFY_RULES }
  await make('putScopePolicy', { headers: asAdminOf(tenant), params: { scopeId }, body })
}

/** A scope in which everything was read and nothing is open, and that may be certified. */
export async function settledScope(tenant: Tenant, scopeId?: string): Promise<string> {
  const { scope_id: settled } = await createScope(tenant, scopeId)
  await permitRules(tenant, settled)
  for (const [index, text] of AGREEING.entries()) await tell(tenant, settled, text, `document-${index}`)
  return settled
}

export async function declare(tenant: Tenant, scopeId: string): Promise<Issued> {
  return make('declareSettled', { headers: bearer(tenant.key), params: { scopeId } })
}
