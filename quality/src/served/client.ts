/** The few calls that a measurement makes, as any tenant's application would. */
import type { AnswerOf, operations } from '@concord/contract'
import { requestAll, requestJson } from '@concord/proof/http'

type Answer<Name extends keyof typeof operations> = AnswerOf<(typeof operations)[Name]>['body']

export type ServedContradiction = Answer<'listContradictions'>['items'][number]

export interface ServedClient {
  readonly tenantId: string
  /** Adds to the tenant's policies. */
  writePolicy(text: string): Promise<void>
  createScope(scopeId: string): Promise<void>
  ingest(
    scopeId: string,
    document: { readonly id: string; readonly name: string; readonly text: string },
  ): Promise<void>
  /** How many documents of the scope have each status. */
  statuses(scopeId: string): Promise<ReadonlyMap<string, number>>
  contradictions(scopeId: string): Promise<readonly ServedContradiction[]>
  countClaims(scopeId: string): Promise<number>
}

/** Makes a tenant of its own. */
export async function createClient(url: string, adminKey: string): Promise<ServedClient> {
  const { tenant_id: tenantId, api_key: key } = await requestJson<Answer<'createTenant'>>(url, {
    path: '/admin/tenants',
    bearer: adminKey,
    body: { name: 'quality' },
  })
  const asTenant = { bearer: key, tenantId }
  const asAdmin = { bearer: adminKey, tenantKey: key }
  const list = <Item>(path: string) => requestAll<Item>(url, { path, ...asTenant })
  return {
    tenantId,
    async writePolicy(text) {
      await requestJson(url, { method: 'PUT', path: '/admin/policy', ...asAdmin, body: { text } })
    },
    async createScope(scopeId) {
      await requestJson(url, { path: '/admin/scopes', ...asAdmin, body: { scope_id: scopeId } })
    },
    async ingest(scopeId, { id, name, text }) {
      const body = { scope_id: scopeId, document_id: id, name, text }
      await requestJson(url, { path: '/api/ingest', ...asTenant, body })
    },
    async statuses(scopeId) {
      const found = await list<Answer<'listDocuments'>['items'][number]>(`/api/scopes/${scopeId}/documents`)
      return new Map(
        [...Map.groupBy(found, ({ status }) => status)].map(([status, some]) => [status, some.length]),
      )
    },
    contradictions: async (scopeId) => list<ServedContradiction>(`/api/scopes/${scopeId}/contradictions`),
    countClaims: async (scopeId) => (await list(`/api/scopes/${scopeId}/claims`)).length,
  }
}
