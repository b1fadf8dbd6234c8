/** Every route by the name of its operation. The type makes it complete: one for each served operation, no other. */
import type { ServedName } from '@concord/contract'
import type { DeclarationDeps } from '../app/certificates/declarations.ts'
import type { ErasureDeps } from '../app/scopes/scope-erasure.ts'
import type { KeysDeps } from '../app/identity/keys.ts'
import type { PoliciesDeps } from '../app/access/policies.ts'
import type { RuntimeDeps } from '../app/processing/runtime.ts'
import type { ScopesDeps } from '../app/scopes/scopes.ts'
import type { DocumentsDeps } from '../app/documents/documents.ts'
import type { EventFeed } from '../app/events/event-feed.ts'
import type { FilesDeps } from '../app/documents/files.ts'
import type { Ingest } from '../app/documents/ingest.ts'
import { attachDocument } from './admin/attach-document.ts'
import { createScope } from './admin/create-scope.ts'
import { createTenant } from './admin/create-tenant.ts'
import { deleteScope } from './admin/delete-scope.ts'
import { getAdminControlPlaneHealth } from './admin/get-admin-control-plane-health.ts'
import { getAdminHealth } from './admin/get-admin-health.ts'
import { getScopeMetrics } from './admin/get-scope-metrics.ts'
import { getScopeSummary } from './admin/get-scope-summary.ts'
import { getTenantKey } from './admin/get-tenant-key.ts'
import { getTenant } from './admin/get-tenant.ts'
import { issueTenantKey } from './admin/issue-tenant-key.ts'
import { listScopes } from './admin/list-scopes.ts'
import { listTenantKeys } from './admin/list-tenant-keys.ts'
import { listTenants } from './admin/list-tenants.ts'
import { moveRuntime } from './admin/move-runtime.ts'
import { getPolicy } from './admin/get-policy.ts'
import { getScopePolicy } from './admin/get-scope-policy.ts'
import { putPolicy } from './admin/put-policy.ts'
import { putScopePolicy } from './admin/put-scope-policy.ts'
import { removePolicy } from './admin/remove-policy.ts'
import { removeScopePolicy } from './admin/remove-scope-policy.ts'
import { resetScope } from './admin/reset-scope.ts'
import { revokeTenantKey } from './admin/revoke-tenant-key.ts'
import { rotateTenantKey } from './admin/rotate-tenant-key.ts'
import { streamScopeEvents } from './admin/stream-scope-events.ts'
import { triggerIngest } from './admin/trigger-ingest.ts'
import type { HealthDeps } from './health.ts'
import { getControlPlaneHealth } from './internals/get-control-plane-health.ts'
import { getKernelConvergence } from './internals/get-kernel-convergence.ts'
import { getHatcherySnapshot } from './internals/get-hatchery-snapshot.ts'
import type { HatcherySnapshotDeps } from './internals/get-hatchery-snapshot.ts'
import { getInternalsHealth } from './internals/get-internals-health.ts'
import { getKernelHealth } from './internals/get-kernel-health.ts'
import { moveTenantRuntime } from './internals/move-tenant-runtime.ts'
import { streamKernelEvents } from './internals/stream-kernel-events.ts'
import type { KernelHealthRouteDeps } from './kernel-health.ts'
import { describeProblem } from './open/describe-problem.ts'
import { getLiveness } from './open/get-liveness.ts'
import { getOpenApi } from './open/get-open-api.ts'
import { getReadiness } from './open/get-readiness.ts'
import { getReference } from './open/get-reference.ts'
import { declareSettled } from './public/declare-settled.ts'
import { exportScope } from './public/export-scope.ts'
import { getCertificate } from './public/get-certificate.ts'
import { getContradiction } from './public/get-contradiction.ts'
import { getDocument } from './public/get-document.ts'
import { getDocumentText } from './public/get-document-text.ts'
import { createOwnScope } from './public/create-own-scope.ts'
import { getOwnScopeConvergence } from './public/get-own-scope-convergence.ts'
import { getOwnScopeMetrics } from './public/get-own-scope-metrics.ts'
import { getOwnScopeReport } from './public/get-own-scope-report.ts'
import { getOwnScope } from './public/get-own-scope.ts'
import { getPublicHealth } from './public/get-public-health.ts'
import { getReread } from './public/get-reread.ts'
import { ingestBatch } from './public/ingest-batch.ts'
import { ingestDocument } from './public/ingest-document.ts'
import { ingestFile } from './public/ingest-file.ts'
import { listCertificateEvidence } from './public/list-certificate-evidence.ts'
import { listCertificateKeys } from './public/list-certificate-keys.ts'
import { listCertificates } from './public/list-certificates.ts'
import { listClaims } from './public/list-claims.ts'
import { listContradictions } from './public/list-contradictions.ts'
import { listDecisions } from './public/list-decisions.ts'
import { listDocuments } from './public/list-documents.ts'
import { listOwnScopes } from './public/list-own-scopes.ts'
import { registerDocument } from './public/register-document.ts'
import { releaseDocument } from './public/release-document.ts'
import { removeDocuments } from './public/remove-documents.ts'
import { removeDocument } from './public/remove-document.ts'
import { reportContradiction } from './public/report-contradiction.ts'
import { resolveContradiction } from './public/resolve-contradiction.ts'
import { rereadScope } from './public/reread-scope.ts'
import { retryDocuments } from './public/retry-documents.ts'
import { retryDocument } from './public/retry-document.ts'
import { streamOwnScopeEvents } from './public/stream-own-scope-events.ts'
import { updateDocument } from './public/update-document.ts'
import type { Route } from './route.ts'

export interface RoutesDeps
  extends
    KeysDeps,
    ScopesDeps,
    HealthDeps,
    DocumentsDeps,
    PoliciesDeps,
    RuntimeDeps,
    ErasureDeps,
    DeclarationDeps,
    FilesDeps,
    KernelHealthRouteDeps,
    HatcherySnapshotDeps {
  readonly version: string
  readonly publicUrl: string
  readonly ingest: Ingest
  readonly feed: EventFeed
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
    createOwnScope: createOwnScope(deps),
    listOwnScopes: listOwnScopes(deps),
    getOwnScope: getOwnScope(deps),
    ...createViewRoutes(deps),
    ingestDocument: ingestDocument(deps.ingest),
    ingestBatch: ingestBatch(deps.ingest, deps.publicUrl),
    ingestFile: ingestFile(deps),
    ...createDocumentRoutes(deps),
    ...createRequeueRoutes(deps),
    listClaims: listClaims(deps),
    listContradictions: listContradictions(deps),
    getContradiction: getContradiction(deps),
    reportContradiction: reportContradiction(deps),
    resolveContradiction: resolveContradiction(deps),
    listDecisions: listDecisions(deps),
    declareSettled: declareSettled(deps),
    getCertificate: getCertificate(deps),
    listCertificates: listCertificates(deps),
    listCertificateEvidence: listCertificateEvidence(deps),
    listCertificateKeys: listCertificateKeys(deps),
    streamOwnScopeEvents: streamOwnScopeEvents(deps.feed),
    // Admin tier
    getAdminHealth: getAdminHealth(deps),
    getAdminControlPlaneHealth: getAdminControlPlaneHealth(deps),
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
    getScopeSummary: getScopeSummary(deps),
    getScopeMetrics: getScopeMetrics(deps),
    attachDocument: attachDocument(deps),
    triggerIngest: triggerIngest(deps),
    streamScopeEvents: streamScopeEvents(deps.feed),
    ...createPolicyRoutes(deps),
    resetScope: resetScope(deps),
    deleteScope: deleteScope(deps),
    // Internals tier
    getInternalsHealth: getInternalsHealth(deps),
    getKernelHealth: getKernelHealth(deps),
    getControlPlaneHealth: getControlPlaneHealth(deps),
    getHatcherySnapshot: getHatcherySnapshot(deps),
    getKernelConvergence: getKernelConvergence(deps),
    streamKernelEvents: streamKernelEvents(deps),
    // Admin and internals tier
    ...createRuntimeRoutes(deps),
  }
  return Object.values(routes)
}

function createPolicyRoutes(deps: RoutesDeps) {
  return {
    getPolicy: getPolicy(deps),
    putPolicy: putPolicy(deps),
    removePolicy: removePolicy(deps),
    getScopePolicy: getScopePolicy(deps),
    putScopePolicy: putScopePolicy(deps),
    removeScopePolicy: removeScopePolicy(deps),
  }
}

/** The switches of scopes and of tenants. */
function createRuntimeRoutes(deps: RoutesDeps) {
  return {
    startRuntime: moveRuntime(deps, 'start'),
    pauseRuntime: moveRuntime(deps, 'pause'),
    resumeRuntime: moveRuntime(deps, 'resume'),
    stopRuntime: moveRuntime(deps, 'stop'),
    restartRuntime: moveRuntime(deps, 'restart'),
    startTenantRuntime: moveTenantRuntime(deps, 'start'),
    pauseTenantRuntime: moveTenantRuntime(deps, 'pause'),
    resumeTenantRuntime: moveTenantRuntime(deps, 'resume'),
    stopTenantRuntime: moveTenantRuntime(deps, 'stop'),
    restartTenantRuntime: moveTenantRuntime(deps, 'restart'),
  }
}

/** Views of a whole scope, and the text of a document. */
function createViewRoutes(deps: RoutesDeps) {
  return {
    getOwnScopeMetrics: getOwnScopeMetrics(deps),
    getOwnScopeConvergence: getOwnScopeConvergence(deps),
    getOwnScopeReport: getOwnScopeReport(deps),
    exportScope: exportScope(deps),
    getDocumentText: getDocumentText(deps),
  }
}

/** Documents at rest. */
function createDocumentRoutes(deps: RoutesDeps) {
  return {
    registerDocument: registerDocument(deps),
    listDocuments: listDocuments(deps),
    getDocument: getDocument(deps),
    updateDocument: updateDocument(deps),
    removeDocument: removeDocument(deps),
    removeDocuments: removeDocuments(deps, deps.publicUrl),
  }
}

/** Documents that are read once more. */
function createRequeueRoutes(deps: RoutesDeps) {
  return {
    retryDocument: retryDocument(deps),
    retryDocuments: retryDocuments(deps, deps.publicUrl),
    releaseDocument: releaseDocument(deps),
    rereadScope: rereadScope(deps),
    getReread: getReread(deps),
  }
}
