/** Values with which a route succeeds when the caller is admitted, so that a refusal can only be about the caller. */
import { keyIdOf } from '../../harness/forged-keys.ts'
import type { Values } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { Expendable, IsolationStage } from './stage.ts'
import {
  changesScope,
  DOCUMENT_SCOPE_ID,
  EMPTIED_SCOPE_ID,
  freshCanary,
  REPORTED,
  SETTLED_SCOPE_ID,
  SHARED_DOCUMENT_IDS,
  SWITCHED_SCOPES,
} from './twin-documents.ts'
import type { Twin } from './twins.ts'

/** Bodies by operation. A route with a body that is not named here cannot be attacked, and the run says so. */
const bodies: Readonly<Record<string, () => unknown>> = {
  createTenant: () => ({ name: `Bystander ${freshCanary()}` }),
  issueTenantKey: () => ({ name: 'nightly job' }),
  rotateTenantKey: () => ({ overlap_seconds: 60 }),
  createScope: newScope,
  createOwnScope: newScope,
  ingestDocument: () => ({ scope_id: DOCUMENT_SCOPE_ID, ...freshDocument() }),
  ingestBatch: () => ({ documents: [{ scope_id: DOCUMENT_SCOPE_ID, ...freshDocument() }] }),
  ingestFile: () => Buffer.from(freshDocument().text),
  registerDocument: () => ({ scope_id: DOCUMENT_SCOPE_ID, ...freshDocument() }),
  attachDocument: () => freshDocument(),
  updateDocument: () => ({ tags: ['seen'] }),
  removeDocuments: () => ({ document_ids: [NO_DOCUMENT] }),
  retryDocuments: () => ({ document_ids: [NO_DOCUMENT] }),
  triggerIngest: () => ({}),
  rereadScope: () => ({}),
  reportContradiction: () => REPORTED,
  resolveContradiction: () => ({ outcome: 'dismissed', reason: 'Not the same thing.' }),
  releaseDocument: () => ({ by: 'j.doe', reason: 'Checked.' }),
  declareSettled: () => ({}),
  putPolicy: () => ({ text: HARMLESS_POLICY }),
  putScopePolicy: () => ({ text: HARMLESS_POLICY }),
  ...Object.fromEntries([...SWITCHED_SCOPES].map(([move, scope_id]) => [move, () => ({ scope_id })])),
}

/** Each document of a list has an answer of its own, so the request succeeds. */
const NO_DOCUMENT = 'no-such-document'

function newScope(): unknown {
  return { scope_id: `fresh-${freshCanary()}`, display_name: 'Case file' }
}

/** Holds no document that there is. */
const HARMLESS_POLICY = `@id("nothing-of-that-type")
forbid (principal, action == Concord::Action::"admit_document", resource)
when { resource.type == "no such type" };`

/** Tells values of a certificate, where there is one. */
export function isOfCertificate(operation: string): boolean {
  return ['declareSettled', 'getCertificate', 'listCertificates', 'listCertificateEvidence'].includes(
    operation,
  )
}

/** Its id is left to the service, so that it is a new one each time. */
export function freshDocument(): { readonly name: string; readonly text: string } {
  return { name: 'Nightly report', text: `Revenue was EUR 3 million. ${freshCanary()}` }
}

export function validBody(route: ServedRoute): unknown {
  const body = bodies[plainName(route)]
  if (body) return body()
  if (!route.hasBody) return undefined
  throw new Error(
    `${route.operation} takes a body that nobody wrote down; add a valid one to valid-values.ts.`,
  )
}

/** A deprecated alias is the same route under another path. */
function plainName({ operation }: ServedRoute): string {
  return operation.replace(/Deprecated$/, '')
}

/** Before everything that ever happened, on the stream of all scopes: its positions name a transaction first. */
export const KERNEL_START = '0.00000000-0000-0000-0000-000000000000.0.a'

/** A stream from its beginning: what is told from now on only might be nothing. */
function queryOf(route: ServedRoute): { readonly query?: string } {
  if (plainName(route) === 'ingestFile') return { query: 'name=report.txt' }
  if (!route.isStream) return {}
  return { query: `after=${route.class === 'internals' ? KERNEL_START : '0'}` }
}

/** About things that exist and belong to this twin. */
export function existingValues(route: ServedRoute, twin: Twin): Values {
  const known: Readonly<Record<string, string>> = {
    scopeId: existingScope(plainName(route)),
    documentId: SHARED_DOCUMENT_IDS[0],
    tenantId: twin.tenantId,
    keyId: twin.targetKeyIds[0] ?? '',
    contradictionId: twin.contradictionIds[0] ?? '',
    code: 'not_found',
  }
  return { params: pick(route, known), body: validBody(route), ...queryOf(route) }
}

function existingScope(operation: string): string {
  if (changesScope(operation)) return EMPTIED_SCOPE_ID
  return isOfCertificate(operation) ? SETTLED_SCOPE_ID : DOCUMENT_SCOPE_ID
}

/** For a request that is admitted: what it uses up or changes is its own. */
export async function expendableValues(
  stage: IsolationStage,
  route: ServedRoute,
  twin: Twin,
): Promise<Values> {
  const { method, operation, parameters } = route
  const values = (known: Readonly<Record<string, string>>) => {
    return { params: pick(route, known), body: validBody(route) }
  }
  if (method === 'GET') return existingValues(route, twin)
  if (parameters.includes('tenantId')) return values(await freshTenant(stage))
  if (parameters.includes('documentId'))
    return values({ scopeId: DOCUMENT_SCOPE_ID, documentId: stage.takeDocument(twin, spentBy(route)) })
  if (parameters.includes('contradictionId')) return values(await freshContradiction(stage, twin))
  if (operation === 'deleteScope') return values(await freshScope(stage, twin))
  return existingValues(route, stage.twins.left)
}

function spentBy(route: ServedRoute): Expendable {
  const kinds: Readonly<Record<string, Expendable>> = { retryDocument: 'failed', releaseDocument: 'held' }
  return kinds[plainName(route)] ?? 'removable'
}

/** A key can be revoked once, and a tenant holds so many. */
async function freshTenant({ seed }: IsolationStage) {
  const body = { name: `Bystander ${freshCanary()}` }
  const made = await seed<{ tenant_id: string; key_prefix: string }>({ path: '/admin/tenants', body })
  return { tenantId: made.tenant_id, keyId: keyIdOf(made.key_prefix) }
}

/** It can be dismissed once. */
async function freshContradiction({ seed }: IsolationStage, { key: bearer }: Twin) {
  const body = { ...REPORTED, source_b: freshCanary() }
  const made = await seed<{ contradiction_id: string }>({ path: '/api/contradictions', bearer, body })
  return { scopeId: DOCUMENT_SCOPE_ID, contradictionId: made.contradiction_id }
}

async function freshScope({ seed }: IsolationStage, { key: tenantKey }: Twin) {
  const scopeId = `expendable-${freshCanary()}`
  await seed({ path: '/admin/scopes', tenantKey, body: { scope_id: scopeId } })
  return { scopeId }
}

function pick(route: ServedRoute, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    route.parameters.map((name) => {
      const value = known[name]
      if (value === undefined)
        throw new Error(`{${name}} of ${route.path} has no value yet; add one to valid-values.ts.`)
      return [name, value]
    }),
  )
}
