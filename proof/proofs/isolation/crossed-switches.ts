/** A scope that only the other twin has, named in the body of a move of the runtime: it must be as if nobody had it. */
import { admitted } from './crossed-documents.ts'
import type { Pair } from './crossed-documents.ts'
import { castOf, fill } from './requests.ts'
import type { Stage } from './stage.ts'
import type { Side } from './twin-documents.ts'
import { SWITCHED_SCOPES } from './twin-scopes.ts'

export function switchPairs(stage: Stage, own: Side): Pair[] {
  const foreign = castOf(stage, own).other.ownScopeIds[0] ?? ''
  const unknown = stage.twins.nobody.scopeId
  return stage.routes
    .filter(({ operation }) => SWITCHED_SCOPES.has(operation))
    .map((route) => {
      const ask = (scopeId: string) => ({
        ...fill(route, { params: {}, body: { scope_id: scopeId } }),
        headers: admitted(stage, route, own),
      })
      return { foreign: ask(foreign), unknown: ask(unknown), ids: [foreign, unknown] as const }
    })
}
