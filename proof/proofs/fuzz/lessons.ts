/** What a successful answer says about the things that exist now: keys that were made or ended, documents that came. */
import type { Operation } from './document.ts'
import type { KnownDocument } from './known-documents.ts'
import type { KnownTenant } from './known-tenant.ts'

type Seen = Readonly<Record<string, unknown>>

export function learnKey({ id }: Operation, seen: Seen, tenant: KnownTenant): void {
  if (id === 'createTenant' || typeof seen['api_key'] !== 'string') return
  tenant.keys.push(String(seen['key_id']))
  tenant.live += 1
  // Without an overlap the replaced key is dead, and nothing here says how long the overlap was.
  removeKey(tenant, seen['replaces'])
}

export function learnRevocation({ id }: Operation, seen: Seen, tenant: KnownTenant): void {
  if (id === 'revokeTenantKey' && removeKey(tenant, seen['key_id'])) tenant.live -= 1
}

function removeKey({ keys }: KnownTenant, keyId: unknown): boolean {
  const at = keys.indexOf(String(keyId))
  if (at !== -1) keys.splice(at, 1)
  return at !== -1
}

/** Documents that were taken in, each with its scope; of a batch those that were accepted. */
export function documentsIn({ id }: Operation, seen: Seen): KnownDocument[] {
  if (id === 'ingestBatch') {
    const results = (seen['results'] ?? []) as readonly { readonly document?: Seen }[]
    return results.flatMap(({ document = {} }) => toDocuments(document))
  }
  return ['ingestDocument', 'registerDocument', 'attachDocument'].includes(id) ? toDocuments(seen) : []
}

function toDocuments({ scope_id: scopeId, document_id: documentId }: Seen): KnownDocument[] {
  return typeof scopeId === 'string' && typeof documentId === 'string' ? [{ scopeId, documentId }] : []
}
