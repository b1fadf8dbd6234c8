/** A tenant that exists in the service under test, with what it is known to hold. */
import type { ExpendableScopes } from './expendable-scopes.ts'
import type { KnownDocuments } from './known-documents.ts'

/** One document lies here, so that it can be declared settled; nobody else is sent here. */
export const SETTLED_SCOPE = 'settled-scope'

export interface KnownContradiction {
  readonly scopeId: string
  readonly contradictionId: string
}

export interface KnownTenant {
  readonly id: string
  /** Proves the tenant; never rotated or revoked by the run. */
  readonly key: string
  readonly scopes: string[]
  readonly expendable: ExpendableScopes
  /** Ids of further live keys, to be read, rotated and revoked. */
  readonly keys: string[]
  readonly documents: KnownDocuments
  readonly contradictions: KnownContradiction[]
  live: number
}
