/** A tenant to fire at: with a scope, a few keys and a few documents, so that no operation has to wait for another. */
import { requestJson } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { CERTIFY_RULES } from '../../harness/certify-rules.ts'
import { expendableScopeIds } from './expendable-scopes.ts'
import { SETTLED_SCOPE } from './known-tenant.ts'
import type { NewTenant } from './known-tenant.ts'

export const FAILED_PREFIX = 'failed-'

const DOCUMENTS = 8
const SCOPE = 'first-scope'
/** Two documents that contradict each other lie here; nobody else is sent here, so that they stay. */
export const FOUND_SCOPE = 'found-scope'
const DISPUTED = ['EUR 12.4 million', 'EUR 15.1 million']

/** So many of its documents are to fail afterwards, and as many of its scopes are there to be deleted. */
export async function makeTenant(
  url: string,
  admin: string,
  name: string,
  expendables: number,
): Promise<NewTenant> {
  const post = (request: HttpRequest) =>
    requestJson<Readonly<Record<string, string>>>(url, { bearer: admin, ...request })
  const { tenant_id: id = '', api_key: key = '' } = await post({ path: '/admin/tenants', body: { name } })
  const issued = await Promise.all([1, 2, 3].map(() => post({ path: `/admin/tenants/${id}/keys`, body: {} })))
  const expendable = expendableScopeIds(expendables)
  for (const scopeId of [SCOPE, FOUND_SCOPE, ...expendable])
    await post({ path: '/admin/scopes', tenantKey: key, body: { scope_id: scopeId } })
  const settled = { scope_id: SETTLED_SCOPE, policy: CERTIFY_RULES }
  await post({ path: '/admin/scopes', tenantKey: key, body: settled })
  const named = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ scopeId: SCOPE, documentId: `${prefix}${at}` }))
  const tenant = { documents: named('document-', DOCUMENTS), failed: named(FAILED_PREFIX, expendables) }
  const documents = [
    ...[...tenant.documents, ...tenant.failed].map(({ documentId }) =>
      document(SCOPE, documentId, `Revenue of ${name} was EUR 12.4m in 2025.`),
    ),
    ...DISPUTED.map((amount, at) =>
      document(FOUND_SCOPE, `found-${at}`, `In 2025 the revenue of Borealis was ${amount}.`),
    ),
    ...['settled-0', 'settled-1'].map((documentId) =>
      document(SETTLED_SCOPE, documentId, 'In 2025 the revenue of Borealis was EUR 12.4 million.'),
    ),
  ]
  const body = { documents }
  await post({ path: '/api/ingest/batch', bearer: key, body })
  return { id, key, keys: issued.map(({ key_id = '' }) => key_id), scopes: [SCOPE], expendable, ...tenant }
}

function document(scope_id: string, id: string, text: string): object {
  return { scope_id, document_id: id, name: id, text }
}
