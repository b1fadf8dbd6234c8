/** Every route by the name of its operation. The type makes it complete: one for each served operation, no other. */
import type { ServedName } from '@concord/contract'
import type { KeysDeps } from '../app/keys.ts'
import type { ScopesDeps } from '../app/scopes.ts'
import { createScope } from './admin/create-scope.ts'
import { createTenant } from './admin/create-tenant.ts'
import { getAdminHealth } from './admin/get-admin-health.ts'
import { getTenantKey } from './admin/get-tenant-key.ts'
import { getTenant } from './admin/get-tenant.ts'
import { issueTenantKey } from './admin/issue-tenant-key.ts'
import { listScopes } from './admin/list-scopes.ts'
import { listTenantKeys } from './admin/list-tenant-keys.ts'
import { listTenants } from './admin/list-tenants.ts'
import { revokeTenantKey } from './admin/revoke-tenant-key.ts'
import { rotateTenantKey } from './admin/rotate-tenant-key.ts'
import type { HealthDeps } from './health.ts'
import { getInternalsHealth } from './internals/get-internals-health.ts'
import { describeProblem } from './open/describe-problem.ts'
import { getLiveness } from './open/get-liveness.ts'
import { getOpenApi } from './open/get-open-api.ts'
import { getReadiness } from './open/get-readiness.ts'
import { getReference } from './open/get-reference.ts'
import { getOwnScope } from './public/get-own-scope.ts'
import { getPublicHealth } from './public/get-public-health.ts'
import { listOwnScopes } from './public/list-own-scopes.ts'
import type { Route } from './route.ts'

export interface RoutesDeps extends KeysDeps, ScopesDeps, HealthDeps {
  readonly version: string
}

export function createRoutes(deps: RoutesDeps): readonly Route[] {
  const routes: Record<ServedName, Route> = {
    // Anyone
    getLiveness: getLiveness(),
    getReadiness: getReadiness(deps.readiness),
    getOpenApi: getOpenApi(deps.version),
    getReference: getReference(),
    describeProblem: describeProblem(),
    // Public tier
    getPublicHealth: getPublicHealth(deps),
    listOwnScopes: listOwnScopes(deps),
    getOwnScope: getOwnScope(deps),
    // Admin tier
    getAdminHealth: getAdminHealth(deps),
    createTenant: createTenant(deps),
    listTenants: listTenants(deps),
    getTenant: getTenant(deps),
    listTenantKeys: listTenantKeys(deps),
    issueTenantKey: issueTenantKey(deps),
    getTenantKey: getTenantKey(deps),
    rotateTenantKey: rotateTenantKey(deps),
    revokeTenantKey: revokeTenantKey(deps),
    listScopes: listScopes(deps),
    createScope: createScope(deps),
    // Internals tier
    getInternalsHealth: getInternalsHealth(deps),
  }
  return Object.values(routes)
}
