/** Policies, and documents that they hold. */
import { ingest, newDocumentId, untilEnded } from './documents.ts'
import { make } from './making.ts'
import { asAdminOf } from './tenants.ts'
import type { Tenant } from './tenants.ts'

/** Holds drafts, and nothing else. */
export const NO_DRAFTS = `@id("no-drafts")
forbid (principal, action == Concord::Action::"admit_document", resource)
when { resource.type == "draft" };`

export async function holdDrafts(tenant: Tenant): Promise<void> {
  await make('putPolicy', { headers: asAdminOf(tenant), body: { text: NO_DRAFTS } })
}

/** Makes a held document of a tenant that holds drafts. */
export async function heldDocument(tenant: Tenant, scopeId: string): Promise<string> {
  const documentId = await ingestDraft(tenant, scopeId)
  await untilEnded(tenant, scopeId, documentId)
  return documentId
}

export async function ingestDraft(tenant: Tenant, scopeId: string): Promise<string> {
  const documentId = newDocumentId()
  await ingest(tenant, scopeId, { document_id: documentId, type: 'draft' })
  return documentId
}
