/** The requests of the sequences, each to one of several API processes. */
import type { Fleet } from '../fleet.ts'
import { createRootKey } from '../places.ts'
import type { Op } from './model.ts'

export interface Reply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

interface Place {
  readonly api: number
  readonly tenant: number
  readonly scopeId: string
}

export interface Tenant {
  readonly tenantId: string
  readonly key: string
}

export interface Caller {
  readonly tenants: readonly Tenant[]
  move(what: { api: number; op: Op; internals: boolean; tenant?: number; scopeId?: string }): Promise<Reply>
  ingest(what: Place & { documentId: string }): Promise<Reply>
  attach(what: Place & { documentId: string }): Promise<Reply>
  trigger(what: Place): Promise<Reply>
  reset(what: Place): Promise<Reply>
  createScope(what: Place): Promise<Reply>
  deleteScope(what: Place): Promise<Reply>
  remove(what: Place & { documentId: string }): Promise<Reply>
  list(what: Place): Promise<Reply>
}

interface Sent {
  readonly bearer: string
  readonly tenantKey?: string | undefined
  readonly tenantId?: string | undefined
  readonly body?: object | undefined
}

const TEXT = 'The audit ended on 3 May 2026. The report has two parts.'
const TIMEOUT_MS = 15_000

export interface RootKeys {
  readonly admin: string
  readonly internals: string
}

export async function createRootKeys(fleet: Fleet): Promise<RootKeys> {
  return { admin: await createRootKey(fleet, 'admin'), internals: await createRootKey(fleet, 'internals') }
}

export async function createCaller(
  fleet: Fleet,
  count: number,
  { admin, internals }: RootKeys,
): Promise<Caller> {
  const send = async (
    api: number,
    method: string,
    path: string,
    { bearer, tenantKey, tenantId, body }: Sent,
  ): Promise<Reply> => {
    const urls = fleet.urls()
    const answer = await fetch(`${urls[api % urls.length] ?? ''}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(tenantKey !== undefined && { 'x-tenant-api-key': tenantKey }),
        ...(tenantId !== undefined && { 'x-tenant-id': tenantId }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: answer.status, body: (await answer.json()) as Reply['body'] }
  }
  const tenants: Tenant[] = []
  for (let number = 0; number < count; number += 1) {
    const { body } = await send(0, 'POST', '/admin/tenants', {
      bearer: admin,
      body: { name: `tenant ${number}` },
    })
    tenants.push({ tenantId: String(body['tenant_id']), key: String(body['api_key']) })
  }
  const keyOf = (tenant: number) => tenants[tenant]?.key ?? ''
  const asAdmin = (method: string, path: string, { api, tenant }: Place, body?: object) =>
    send(api, method, path, { bearer: admin, tenantKey: keyOf(tenant), body })
  const asTenant = (method: string, path: string, { api, tenant }: Place) =>
    send(api, method, path, { bearer: keyOf(tenant) })

  return {
    tenants,
    move: ({ api, op, internals: byOperator, tenant, scopeId }) =>
      send(api, 'POST', `${byOperator ? '/internals/kernel' : '/admin'}/runtime/${op}`, {
        bearer: byOperator ? internals : admin,
        tenantKey: tenant === undefined ? undefined : keyOf(tenant),
        body: scopeId === undefined ? undefined : { scope_id: scopeId },
      }),
    ingest: ({ api, tenant, scopeId, documentId }) =>
      send(api, 'POST', '/api/ingest', {
        bearer: keyOf(tenant),
        tenantId: tenants[tenant]?.tenantId,
        body: { scope_id: scopeId, document_id: documentId, name: documentId, text: TEXT },
      }),
    attach: (what) =>
      asAdmin('POST', `/admin/scopes/${what.scopeId}/documents`, what, {
        name: what.documentId,
        document_id: what.documentId,
        text: TEXT,
      }),
    trigger: (what) => asAdmin('POST', `/admin/scopes/${what.scopeId}/ingest`, what),
    reset: (what) => asAdmin('POST', `/admin/scopes/${what.scopeId}/reset`, what),
    createScope: (what) => asAdmin('POST', '/admin/scopes', what, { scope_id: what.scopeId }),
    deleteScope: (what) => asAdmin('DELETE', `/admin/scopes/${what.scopeId}`, what),
    remove: (what) => asTenant('DELETE', `/api/scopes/${what.scopeId}/documents/${what.documentId}`, what),
    list: (what) => asTenant('GET', `/api/scopes/${what.scopeId}/documents?limit=100`, what),
  }
}
