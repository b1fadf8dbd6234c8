/** The claims and contradictions of a scope: every page of its claims and of its contradictions, as a tenant reads them. */
import { requestAll } from '../http.ts'
import type { Place } from '../places.ts'

export interface ListedClaim {
  readonly claim_id: string
  readonly document_id: string
  readonly quote: string
  readonly start: number
  readonly end: number
}

export function listClaims(url: string, { scopeId, tenantKey }: Place): Promise<ListedClaim[]> {
  return requestAll(url, { path: `/api/scopes/${scopeId}/claims`, bearer: tenantKey })
}

export function listContradictions(
  url: string,
  { scopeId, tenantKey }: Place,
): Promise<Readonly<Record<string, unknown>>[]> {
  return requestAll(url, { path: `/api/scopes/${scopeId}/contradictions`, bearer: tenantKey })
}
