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
  ingestDocument: [
    'public/ingest-document.spec.ts',
    'public/idempotency.spec.ts',
    'public/versions.spec.ts',
    'public/document-isolation.spec.ts',
  ],
  ingestBatch: ['public/ingest-batch.spec.ts'],
  registerDocument: ['public/register-document.spec.ts'],
  listDocuments: ['public/list-documents.spec.ts', 'public/document-isolation.spec.ts'],
  getDocument: [
    'public/get-document.spec.ts',
    'public/versions.spec.ts',
    'public/document-isolation.spec.ts',
  ],
  removeDocument: ['public/remove-document.spec.ts', 'public/document-isolation.spec.ts'],
  retryDocument: ['public/retry-document.spec.ts'],
  streamOwnScopeEvents: ['public/stream-own-scope-events.spec.ts', 'public/document-isolation.spec.ts'],
  getAdminHealth: ['admin/get-admin-health.spec.ts'],
  getAdminControlPlaneHealth: ['admin/get-admin-control-plane-health.spec.ts'],
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
  attachDocument: ['admin/attach-document.spec.ts'],
  triggerIngest: ['admin/trigger-ingest.spec.ts', 'public/document-isolation.spec.ts'],
  streamScopeEvents: ['admin/stream-scope-events.spec.ts', 'public/document-isolation.spec.ts'],
  resetScope: ['admin/reset-scope.spec.ts'],
  deleteScope: ['admin/delete-scope.spec.ts'],
  startRuntime: ['admin/start-runtime.spec.ts', 'admin/service-runtime.spec.ts'],
  pauseRuntime: ['admin/pause-runtime.spec.ts', 'admin/service-runtime.spec.ts'],
  resumeRuntime: ['admin/resume-runtime.spec.ts', 'admin/service-runtime.spec.ts'],
  stopRuntime: ['admin/stop-runtime.spec.ts', 'admin/service-runtime.spec.ts'],
  restartRuntime: ['admin/restart-runtime.spec.ts', 'admin/service-runtime.spec.ts'],
  getInternalsHealth: ['internals/get-internals-health.spec.ts'],
  getKernelHealth: ['internals/get-kernel-health.spec.ts'],
  getControlPlaneHealth: ['internals/get-control-plane-health.spec.ts'],
  streamKernelEvents: ['internals/stream-kernel-events.spec.ts'],
  startTenantRuntime: ['internals/start-tenant-runtime.spec.ts'],
  pauseTenantRuntime: ['internals/pause-tenant-runtime.spec.ts'],
  resumeTenantRuntime: ['internals/resume-tenant-runtime.spec.ts'],
  stopTenantRuntime: ['internals/stop-tenant-runtime.spec.ts'],
  restartTenantRuntime: ['internals/restart-tenant-runtime.spec.ts'],
}

/** A deprecated path has a name of its own in the served document, and the spec of the operation it stands for. */
export const aliases: Readonly<Record<string, string>> = {
  streamKernelEventsDeprecated: 'streamKernelEvents',
  getControlPlaneHealthDeprecated: 'getControlPlaneHealth',
}

/** Specs about no operation in particular, and what they are about. */
export const beyondOperations: Readonly<Record<string, string>> = {
  'inventory.spec.ts': 'this list itself',
  'open/transport.spec.ts': 'requests that never become the call of an operation',
}
