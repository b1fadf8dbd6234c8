/** A tenant to fire at: with a scope, a few keys and a few documents, so that no operation has to wait for another. */
import { expendableScopeIds } from './expendable-scopes.ts'
import { SETTLED_SCOPE } from './known-tenant.ts'
import type { NewTenant } from './world.ts'

export interface TenantWish {
  readonly url: string
  readonly admin: string
  readonly name: string
  /** So many of its documents are to fail afterwards, and are named for it. */
  readonly failed: number
  /** So many of its scopes are there to be deleted. */
  readonly deletions: number
}

export const FAILED_PREFIX = 'failed-'

const DOCUMENTS = 8
const SCOPE = 'first-scope'
/** Two documents that contradict each other lie here; nobody else is sent here, so that they stay. */
export const FOUND_SCOPE = 'found-scope'
const DISPUTED = ['EUR 12.4 million', 'EUR 15.1 million']

export async function makeTenant({ url, admin, name, failed, deletions }: TenantWish): Promise<NewTenant> {
  const asAdmin = { authorization: `Bearer ${admin}` }
  const { tenant_id: id = '', api_key: key = '' } = await post(url, '/admin/tenants', asAdmin, { name })
  const issued = await Promise.all([1, 2, 3].map(() => post(url, `/admin/tenants/${id}/keys`, asAdmin, {})))
  const expendable = expendableScopeIds(deletions)
  for (const scopeId of [SCOPE, FOUND_SCOPE, SETTLED_SCOPE, ...expendable])
    await post(url, '/admin/scopes', { ...asAdmin, 'x-tenant-api-key': key }, { scope_id: scopeId })
  const named = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ scopeId: SCOPE, documentId: `${prefix}${at}` }))
  const tenant = { documents: named('document-', DOCUMENTS), failed: named(FAILED_PREFIX, failed) }
  const documents = [...tenant.documents, ...tenant.failed].map(({ documentId }) => ({
    scope_id: SCOPE,
    document_id: documentId,
    name: documentId,
    text: `Revenue of ${name} was EUR 12.4m in 2025.`,
  }))
  const disputed = DISPUTED.map((amount, at) => ({
    scope_id: FOUND_SCOPE,
    document_id: `found-${at}`,
    name: 'Report',
    text: `In 2025 the revenue of Borealis was ${amount}.`,
  }))
  const settled = {
    scope_id: SETTLED_SCOPE,
    document_id: 'settled-0',
    name: 'Lease',
    text: 'The lease of Borealis runs until 31 May 2031.',
  }
  const asTenant = { authorization: `Bearer ${key}` }
  await post(url, '/api/ingest/batch', asTenant, { documents: [...documents, ...disputed, settled] })
  return { id, key, keys: issued.map(({ key_id = '' }) => key_id), scopes: [SCOPE], expendable, ...tenant }
}

async function post(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<Readonly<Record<string, string>>> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Readonly<Record<string, string>>
}
