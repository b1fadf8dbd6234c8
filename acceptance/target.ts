/** The access to the service under test: where it listens, and keys to enter with. */
import { inject } from 'vitest'
import type { Reply } from './http/exchange.ts'

export interface AcceptanceTarget {
  /** One address for each process that serves; they are used in turn, as a load balancer would. */
  readonly urls: readonly string[]
  readonly adminKey: string
  readonly internalsKey: string
  /** One more process, whose limits are low; nobody else is served by it. */
  readonly limited?: string
  /** Internals keys that no longer open anything; only the command line makes keys of that tier. */
  readonly dead?: { readonly expired: string; readonly revoked: string }
  /** The answers of the two tiers while no key existed at all. */
  readonly unclaimed?: { readonly admin: Reply; readonly internals: Reply }
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly target: AcceptanceTarget
  }
}

export function theTarget(): AcceptanceTarget {
  return inject('target')
}
