/** A tenant that exists in the service under test, with what it is known to hold. */
import { scopesByUse } from './expendable-scopes.ts'

/** Two documents that say the same lie here, so that it can be declared settled; nobody else is sent here. */
export const SETTLED_SCOPE = 'settled-scope'

export interface KnownDocument {
  readonly scopeId: string
  readonly documentId: string
}

export interface NewTenant {
  readonly id: string
  readonly key: string
  readonly keys?: readonly string[]
  readonly scopes?: readonly string[]
  /** Scopes without documents, for requests that change a scope itself. */
  readonly expendable?: readonly string[]
  readonly documents?: readonly KnownDocument[]
  readonly failed?: readonly KnownDocument[]
}

export type KnownTenant = ReturnType<typeof toKnownTenant>

export function toKnownTenant({ id, key, keys = [], scopes = [], ...tenant }: NewTenant) {
  return {
    id,
    /** Proves the tenant; never rotated or revoked by the run. */
    key,
    scopes: [...scopes],
    expendable: scopesByUse(tenant.expendable ?? []),
    /** Ids of further live keys, to be read, rotated and revoked. */
    keys: [...keys],
    live: 1 + keys.length,
    documents: [...(tenant.documents ?? [])],
    /** Documents whose processing failed; each can be tried again once. */
    failed: [...(tenant.failed ?? [])],
    contradictions: [] as { readonly scopeId: string; readonly contradictionId: string }[],
  }
}

type Seen = Readonly<Record<string, unknown>>

/** Takes into account what a successful response says about what exists now. */
export function learn(tenant: KnownTenant, operation: string, seen: Seen): void {
  if (operation !== 'createTenant' && typeof seen['api_key'] === 'string') {
    tenant.keys.push(String(seen['key_id']))
    tenant.live += 1
    // Without an overlap the replaced key is dead, and nothing here says how long the overlap was.
    removeKey(tenant, seen['replaces'])
  }
  if (operation === 'revokeTenantKey' && removeKey(tenant, seen['key_id'])) tenant.live -= 1
  if (['createScope', 'createOwnScope'].includes(operation) && typeof seen['scope_id'] === 'string')
    tenant.scopes.push(seen['scope_id'])
  tenant.documents.push(...documentsIn(operation, seen))
}

function removeKey({ keys }: KnownTenant, keyId: unknown): boolean {
  const at = keys.indexOf(String(keyId))
  if (at !== -1) keys.splice(at, 1)
  return at !== -1
}

/** Documents that were taken in, each with its scope; of a batch those that were accepted. */
function documentsIn(operation: string, seen: Seen): KnownDocument[] {
  const taken = ['ingestDocument', 'registerDocument', 'attachDocument'].includes(operation) ? [seen] : []
  const results = (operation === 'ingestBatch' ? (seen['results'] ?? []) : []) as { document?: Seen }[]
  return [...taken, ...results.map(({ document = {} }) => document)].flatMap(
    ({ scope_id: scopeId, document_id: documentId }) =>
      typeof scopeId === 'string' && typeof documentId === 'string' ? [{ scopeId, documentId }] : [],
  )
}
