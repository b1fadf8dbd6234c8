/** Scopes that are settled, and what is certified of them. */
import { tell } from './claims.ts'
import { make } from './making.ts'
import type { Made } from './making.ts'
import { bearer, createScope } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type Issued = Made<'getCertificate'>

/** Documents that do not contradict each other. */
export const AGREEING = [
  'Borealis Ltd had revenue of EUR 12.4m in 2025.',
  'The lease of Borealis Ltd ends on 30 June 2027.',
] as const

/** A scope in which everything was read and nothing is open. */
export async function settledScope(tenant: Tenant, scopeId?: string): Promise<string> {
  const { scope_id: settled } = await createScope(tenant, scopeId)
  for (const [index, text] of AGREEING.entries()) await tell(tenant, settled, text, `document-${index}`)
  return settled
}

export async function declare(tenant: Tenant, scopeId: string): Promise<Issued> {
  return make('declareSettled', { headers: bearer(tenant.key), params: { scopeId } })
}
