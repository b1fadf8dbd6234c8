/** The authenticated caller of a request. */
import type { KeyTier } from '../platform/api-key.ts'
import type { Trace } from '../platform/tracing.ts'

export interface Caller {
  readonly tier: KeyTier
  /** How the caller appears in logs and records: a key prefix, `gateway`, or an operator's name. */
  readonly actor: string
  /** The trace of the request, if it is traced. */
  readonly trace?: Trace
}

/** A caller that is authenticated for a tenant. */
export interface TenantCaller extends Caller {
  readonly tenantId: string
}
