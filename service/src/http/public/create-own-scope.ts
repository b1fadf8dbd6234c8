import { operations } from '@concord/contract'
import type { PoliciesDeps } from '../../app/access/policies.ts'
import { createScope } from '../../app/scopes/scopes.ts'
import type { ScopesDeps } from '../../app/scopes/scopes.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import { toCreatedScope } from '../records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

export function createOwnScope(deps: ScopesDeps & PoliciesDeps & IdempotencyDeps): Route {
  return replayableRoute(deps, operations.createOwnScope, async ({ who, body }, keeping) => {
    const { scope_id: scopeId, display_name: displayName = null } = body
    return toCreatedScope(await createScope(deps, who, { scopeId, displayName }, keeping(toCreatedScope)))
  })
}
