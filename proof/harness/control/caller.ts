/** The requests of the sequences, each to one of several API processes. */
import type { Fleet } from '../fleet.ts'
import { send } from '../http.ts'
import type { HttpRequest } from '../http.ts'
import type { RootKeys } from '../places.ts'
import type { ControlOperation } from './model.ts'

export interface ControlReply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A request of an administrator or an operator, of a tenant by its number. */
export type ControlCall = { readonly api: number } & (
  | {
      readonly kind: 'move'
      readonly op: ControlOperation
      readonly internals: boolean
      readonly tenant?: number
      readonly scopeId?: string
    }
  | ({ readonly kind: 'trigger' | 'reset' | 'createScope' | 'deleteScope' | 'list' } & OnScope)
  | ({ readonly kind: 'ingest' | 'attach' | 'remove'; readonly documentId: string } & OnScope)
)

interface OnScope {
  readonly tenant: number
  readonly scopeId: string
}

export interface ControlTenant {
  readonly tenantId: string
  readonly key: string
}

export interface ControlCaller {
  readonly tenants: readonly ControlTenant[]
  call(call: ControlCall): Promise<ControlReply>
}

const TEXT = 'The audit ended on 3 May 2026. The report has two parts.'
const TIMEOUT_MS = 15_000

export async function createCaller(fleet: Fleet, count: number, keys: RootKeys): Promise<ControlCaller> {
  const ask = async (api: number, request: HttpRequest): Promise<ControlReply> => {
    const urls = fleet.urls()
    const { status, text } = await send(urls[api % urls.length] ?? '', { ...request, timeoutMs: TIMEOUT_MS })
    return { status, body: JSON.parse(text) as ControlReply['body'] }
  }
  const tenants: ControlTenant[] = []
  for (let number = 0; number < count; number += 1) {
    const tenant = { path: '/admin/tenants', bearer: keys.admin, body: { name: `tenant ${number}` } }
    const { body } = await ask(0, tenant)
    tenants.push({ tenantId: String(body['tenant_id']), key: String(body['api_key']) })
  }
  return { tenants, call: (call) => ask(call.api, requestOf(call, keys, tenants[call.tenant ?? -1])) }
}

function requestOf(
  call: ControlCall,
  { admin, internals }: RootKeys,
  tenant: ControlTenant | undefined,
): HttpRequest {
  const asAdmin = { method: 'POST', bearer: admin, tenantKey: tenant?.key }
  const asTenant = { bearer: tenant?.key, tenantId: tenant?.tenantId }
  const scope = `scopes/${call.scopeId}`
  switch (call.kind) {
    case 'move': {
      const body = call.scopeId === undefined ? undefined : { scope_id: call.scopeId }
      const [tier, bearer] = call.internals ? ['internals/kernel', internals] : ['admin', admin]
      return { ...asAdmin, path: `/${tier}/runtime/${call.op}`, bearer, body }
    }
    case 'ingest':
      return { ...asTenant, path: '/api/ingest', body: { scope_id: call.scopeId, ...documentOf(call) } }
    case 'attach':
      return { ...asAdmin, path: `/admin/${scope}/documents`, body: documentOf(call) }
    case 'remove':
      return { ...asTenant, method: 'DELETE', path: `/api/${scope}/documents/${call.documentId}` }
    case 'trigger':
      return { ...asAdmin, path: `/admin/${scope}/ingest` }
    case 'reset':
      return { ...asAdmin, path: `/admin/${scope}/reset` }
    case 'createScope':
      return { ...asAdmin, path: '/admin/scopes', body: { scope_id: call.scopeId } }
    case 'deleteScope':
      return { ...asAdmin, method: 'DELETE', path: `/admin/${scope}` }
    case 'list':
      return { ...asTenant, path: `/api/${scope}/documents?limit=100` }
  }
}

function documentOf({ documentId }: { readonly documentId: string }): object {
  return { document_id: documentId, name: documentId, text: TEXT }
}
