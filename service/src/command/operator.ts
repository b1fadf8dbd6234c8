/** Whoever runs a command on the server itself. */
import type { DeclaringDeps } from '../app/declaring.ts'
import type { ContradictionsDeps } from '../app/contradictions.ts'
import type { ErasingDeps } from '../app/erasing.ts'
import type { KeysDeps } from '../app/keys.ts'
import type { PoliciesDeps } from '../app/policies.ts'
import type { RuntimeDeps } from '../app/runtime.ts'
import type { ScopesDeps } from '../app/scopes.ts'
import type { Caller } from '../domain/caller.ts'

export interface Operator
  extends KeysDeps, ScopesDeps, RuntimeDeps, ErasingDeps, ContradictionsDeps, DeclaringDeps, PoliciesDeps {
  readonly caller: Caller
}

export type WithOperator = (work: (operator: Operator) => Promise<void>) => Promise<void>
