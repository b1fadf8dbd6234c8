/** Whoever runs a command on the server itself. */
import type { KeysDeps } from '../app/keys.ts'
import type { ScopesDeps } from '../app/scopes.ts'
import type { Caller } from '../domain/caller.ts'

export interface Operator extends KeysDeps, ScopesDeps {
  readonly caller: Caller
}

export type WithOperator = (work: (operator: Operator) => Promise<void>) => Promise<void>
