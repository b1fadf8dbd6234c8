/** Which spec file holds which operation. A spec compares this with what the service says it serves. */

export const inventory: Readonly<Record<string, readonly string[]>> = {
  getLiveness: ['open/get-liveness.spec.ts'],
  getReadiness: ['open/get-readiness.spec.ts'],
  getOpenApi: ['open/get-open-api.spec.ts'],
  getReference: ['open/get-reference.spec.ts'],
  describeProblem: ['open/describe-problem.spec.ts'],
  getPublicHealth: ['public/get-public-health.spec.ts'],
  listOwnScopes: ['public/list-own-scopes.spec.ts', 'public/isolation.spec.ts'],
  getOwnScope: ['public/get-own-scope.spec.ts', 'public/isolation.spec.ts'],
  getAdminHealth: ['admin/get-admin-health.spec.ts'],
  createTenant: ['admin/create-tenant.spec.ts'],
  listTenants: ['admin/list-tenants.spec.ts'],
  getTenant: ['admin/get-tenant.spec.ts'],
  listTenantKeys: ['admin/list-tenant-keys.spec.ts'],
  issueTenantKey: ['admin/issue-tenant-key.spec.ts'],
  getTenantKey: ['admin/get-tenant-key.spec.ts'],
  rotateTenantKey: ['admin/rotate-tenant-key.spec.ts'],
  revokeTenantKey: ['admin/revoke-tenant-key.spec.ts'],
  listScopes: ['admin/list-scopes.spec.ts', 'public/isolation.spec.ts'],
  createScope: ['admin/create-scope.spec.ts'],
  getInternalsHealth: ['internals/get-internals-health.spec.ts'],
}

/** Specs about no operation in particular, and what they are about. */
export const beyondOperations: Readonly<Record<string, string>> = {
  'inventory.spec.ts': 'this list itself',
  'open/transport.spec.ts': 'requests that never become the call of an operation',
}
