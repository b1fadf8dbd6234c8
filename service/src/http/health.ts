/** The common part of the three health routes. */
import type { Readiness } from '../app/health/readiness.ts'
import type { AuthMode } from '../platform/config.ts'

export interface HealthDeps {
  readonly readiness: Readiness
  readonly authMode: AuthMode
}

export function readHealth({ readiness, authMode }: HealthDeps): {
  readonly code: 200 | 503
  readonly body: { readonly status: string; readonly auth_mode?: string }
} {
  const { status } = readiness.read()
  return {
    code: status === 'unavailable' ? 503 : 200,
    // Loud on purpose: a deployment that trusts a bare header should be seen to do so.
    body: { status, ...(authMode === 'insecure-tenant-id' && { auth_mode: authMode }) },
  }
}
