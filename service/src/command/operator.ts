/** The operator who runs a command on the server itself. */
import type { DeclarationDeps } from '../app/certificates/declarations.ts'
import type { ContradictionsDeps } from '../app/contradictions/contradictions.ts'
import type { ErasureDeps } from '../app/scopes/scope-erasure.ts'
import type { KeysDeps } from '../app/identity/keys.ts'
import type { PoliciesDeps } from '../app/access/policies.ts'
import type { RuntimeDeps } from '../app/processing/runtime.ts'
import type { ScopesDeps } from '../app/scopes/scopes.ts'
import type { Caller } from '../domain/caller.ts'

export interface Operator
  extends KeysDeps, ScopesDeps, RuntimeDeps, ErasureDeps, ContradictionsDeps, DeclarationDeps, PoliciesDeps {
  readonly caller: Caller
}

export type WithOperator = (work: (operator: Operator) => Promise<void>) => Promise<void>
