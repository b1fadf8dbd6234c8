import { operations } from '@concord/contract'
import { createScope as create } from '../../app/scopes/scopes.ts'
import type { ScopesDeps } from '../../app/scopes/scopes.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import type { PoliciesDeps } from '../../app/access/policies.ts'
import { toCreatedScope } from '../records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

export function createScope(deps: ScopesDeps & PoliciesDeps & IdempotencyDeps): Route {
  return replayableRoute(deps, operations.createScope, async ({ who, body }, keeping) => {
    const { scope_id: scopeId, display_name: displayName = null, policy } = body
    return toCreatedScope(await create(deps, who, { scopeId, displayName, policy }, keeping(toCreatedScope)))
  })
}
