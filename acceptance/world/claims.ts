/** Documents that claim something, and what was found in them. */
import { make } from './making.ts'
import type { Made } from './making.ts'
import { ingest, newDocumentId, untilEnded } from './documents.ts'
import { bearer } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type ReportedClaim = Made<'listClaims'>['items'][number]
export type Contradiction = Made<'listContradictions'>['items'][number]

/** Two characters of one code point before the first claim, so that code points and UTF-16 units differ. */
export const OPENING = '💠 Note 💠\n\n'

/** Two statements that cannot both be right. */
export const REVENUES = [
  'Borealis Ltd had revenue of EUR 12.4m in 2025.',
  'Borealis Ltd had revenue of EUR 11.9m in 2025.',
] as const

/** Another thing, of another kind, that two documents do not agree on. */
export const HEADCOUNTS = [
  'Borealis Ltd had 412 employees at the end of 2025.',
  'Borealis Ltd had 367 employees at the end of 2025.',
] as const

/** A document with this text, once everything was read in it. */
export async function tell(
  tenant: Tenant,
  scopeId: string,
  text: string,
  documentId = newDocumentId(),
): Promise<string> {
  await ingest(tenant, scopeId, { document_id: documentId, name: `Name of ${documentId}`, text })
  const { status } = await untilEnded(tenant, scopeId, documentId)
  if (status !== 'processed') throw new Error(`${documentId} ended as ${status}.`)
  return documentId
}

/** Two documents that contradict each other in what these texts say. */
export async function contradict(
  tenant: Tenant,
  scopeId: string,
  [one, other]: readonly [string, string] = REVENUES,
): Promise<readonly [string, string]> {
  return [await tell(tenant, scopeId, `${OPENING}${one}`), await tell(tenant, scopeId, `${OPENING}${other}`)]
}

export async function claimsOf(
  tenant: Tenant,
  scopeId: string,
  query = '',
): Promise<readonly ReportedClaim[]> {
  const call = { headers: bearer(tenant.key), params: { scopeId }, query }
  return (await make('listClaims', call)).items
}

export async function contradictionsOf(
  tenant: Tenant,
  scopeId: string,
  query = '',
): Promise<readonly Contradiction[]> {
  const call = { headers: bearer(tenant.key), params: { scopeId }, query }
  return (await make('listContradictions', call)).items
}

/** The characters of a text between two offsets, as the contract counts them. */
export function charactersOf(text: string, start: number | null, end: number | null): string {
  return Array.from(text)
    .slice(start ?? 0, end ?? 0)
    .join('')
}
