/** The caller of a request, once the credential has been checked. */
import type { KeyTier } from '../platform/api-key.ts'
import type { Trace } from '../platform/tracing.ts'

export interface Caller {
  readonly tier: KeyTier
  /** How the caller appears in logs and records: a key prefix, `gateway`, or an operator's name. */
  readonly actor: string
  /** The trace of this very request, if it is one that is followed. */
  readonly trace?: Trace
}

/** A caller who has also proved to act for a tenant. */
export interface TenantCaller extends Caller {
  readonly tenantId: string
}
