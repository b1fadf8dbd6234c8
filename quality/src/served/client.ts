/** The few calls that a measurement makes, as any tenant's application would. */
import type { AnswerOf, operations } from '@concord/contract'

type Answer<Name extends keyof typeof operations> = AnswerOf<(typeof operations)[Name]>['body']

export type Contradiction = Answer<'listContradictions'>['items'][number]

interface Tenant {
  readonly tenantId: string
  readonly key: string
}

export interface Client {
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
  contradictions(scopeId: string): Promise<readonly Contradiction[]>
  countClaims(scopeId: string): Promise<number>
}

const PAGE = 100

/** Makes a tenant of its own. */
export async function createClient(url: string, adminKey: string): Promise<Client> {
  const admin = { authorization: `Bearer ${adminKey}` }
  const made = await send<Answer<'createTenant'>>(url, '/admin/tenants', admin, { name: 'quality' })
  const tenant: Tenant = { tenantId: made.tenant_id, key: made.api_key }
  const headers = { authorization: `Bearer ${tenant.key}`, 'x-tenant-id': tenant.tenantId }
  const list = <Item>(path: string) => listAll<Item>(url, path, headers)
  const asTenant = { ...admin, 'x-tenant-api-key': tenant.key }
  return {
    tenantId: tenant.tenantId,
    async writePolicy(text) {
      await send(url, '/admin/policy', asTenant, { text }, 'PUT')
    },
    async createScope(scopeId) {
      await send(url, '/admin/scopes', asTenant, { scope_id: scopeId })
    },
    async ingest(scopeId, { id, name, text }) {
      await send(url, '/api/ingest', headers, { scope_id: scopeId, document_id: id, name, text })
    },
    async statuses(scopeId) {
      const found = await list<Answer<'listDocuments'>['items'][number]>(`/api/scopes/${scopeId}/documents`)
      return new Map(
        [...Map.groupBy(found, ({ status }) => status)].map(([status, some]) => [status, some.length]),
      )
    },
    contradictions: async (scopeId) => list<Contradiction>(`/api/scopes/${scopeId}/contradictions`),
    countClaims: async (scopeId) => (await list(`/api/scopes/${scopeId}/claims`)).length,
  }
}

async function listAll<Item>(url: string, path: string, headers: Headers): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: Page<Item> = await send(url, `${path}?limit=${PAGE}${next}`, headers)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

type Headers = Readonly<Record<string, string>>

async function send<Result>(
  url: string,
  path: string,
  headers: Headers,
  body?: object,
  method = 'POST',
): Promise<Result> {
  const post = {
    method,
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  }
  const answer = await fetch(`${url}${path}`, body === undefined ? { headers } : post)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Result
}
