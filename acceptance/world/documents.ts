/** Documents for a spec to work with, and waiting for what becomes of them. */
import { randomUUID } from 'node:crypto'
import { terminalDocumentStatuses } from '@concord/contract'
import { waitUntil } from '@concord/tools/launch'
import { theTarget } from '../target.ts'
import { make } from './making.ts'
import type { Made } from './making.ts'
import { asAdminOf, bearer, createScope, createTenant } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type Detail = Made<'getDocument'>
type Listed = Made<'listDocuments'>['items'][number]

/** The fields of a document; everything that is left out is up to the service or to the functions below. */
export interface DocumentFields {
  readonly document_id?: string
  readonly name?: string
  readonly type?: string
  readonly text?: string
  readonly source?: string
  readonly provenance?: string
  readonly tags?: readonly string[]
  readonly metadata?: Readonly<Record<string, string | null>>
  readonly idempotency_key?: string
}

/** Claims nothing, so that the log tells of the document alone. */
const plain = { name: 'Annual report', text: 'The report follows.' }

/** Long enough for a worker that has others to serve on a busy machine. */
const TIMEOUT_MS = 12_000

/** The credentials of POST /api/ingest: the key, and the tenant it belongs to. */
export function asTenant({ key, tenantId }: Tenant) {
  return { ...bearer(key), 'x-tenant-id': tenantId }
}

export function newDocumentId(): string {
  return `document-${randomUUID()}`
}

/** The body of an ingestion that is accepted. */
export function documentBody(scopeId: string, fields: DocumentFields = {}) {
  return { scope_id: scopeId, ...plain, ...fields }
}

export async function ingest(tenant: Tenant, scopeId: string, fields: DocumentFields = {}) {
  return make('ingestDocument', { headers: asTenant(tenant), body: documentBody(scopeId, fields) })
}

/** Without text, unless some is given. */
export async function register(
  tenant: Tenant,
  scopeId: string,
  fields: DocumentFields = {},
  url = theTarget().urls[0],
) {
  const body = { scope_id: scopeId, name: plain.name, ...fields }
  return make('registerDocument', { headers: bearer(tenant.key), body, ...(url && { url }) })
}

export async function attach(tenant: Tenant, scopeId: string, fields: DocumentFields = {}) {
  return make('attachDocument', {
    headers: asAdminOf(tenant),
    params: { scopeId },
    body: { ...plain, ...fields },
  })
}

export async function trigger(tenant: Tenant, scopeId: string, body: object = {}) {
  return make('triggerIngest', { headers: asAdminOf(tenant), params: { scopeId }, body })
}

export async function remove(tenant: Tenant, scopeId: string, documentId: string) {
  return make('removeDocument', { headers: bearer(tenant.key), params: { scopeId, documentId } })
}

export async function readDocument(tenant: Tenant, scopeId: string, documentId: string): Promise<Detail> {
  return make('getDocument', { headers: bearer(tenant.key), params: { scopeId, documentId } })
}

/** The document at the address that an answer named in `Location`. */
export async function readAt(tenant: Tenant, location: string): Promise<Detail> {
  return make('getDocument', { headers: bearer(tenant.key), path: location })
}

/** The document once it goes no further by itself. */
export async function untilEnded(tenant: Tenant, scopeId: string, documentId: string): Promise<Detail> {
  return waitUntil(
    async () => {
      const document = await readDocument(tenant, scopeId, documentId)
      return hasEnded(document) && document
    },
    { what: `${documentId} coming to an end (do a dispatcher and a worker run?)`, withinMs: TIMEOUT_MS },
  )
}

/** So that something was completed, whoever's it is. */
export async function completeDocument(): Promise<void> {
  const tenant = await createTenant()
  const { scope_id: scopeId } = await createScope(tenant)
  const documentId = newDocumentId()
  await ingest(tenant, scopeId, { document_id: documentId })
  await untilEnded(tenant, scopeId, documentId)
}

/** Every document of the scope, once none of them is on its way any more. */
export async function untilAllEnded(tenant: Tenant, scopeId: string): Promise<readonly Listed[]> {
  return waitUntil(
    async () => {
      const documents = await listAll(tenant, scopeId)
      return documents.every((each) => hasEnded(each) || isWaiting(each)) && documents
    },
    { what: `all documents of ${scopeId} coming to an end`, withinMs: 2 * TIMEOUT_MS, everyMs: 250 },
  )
}

async function listAll(tenant: Tenant, scopeId: string): Promise<readonly Listed[]> {
  const documents: Listed[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? 'limit=100' : `limit=100&cursor=${cursor}`
    const page: Made<'listDocuments'> = await make('listDocuments', {
      headers: bearer(tenant.key),
      params: { scopeId },
      query,
    })
    documents.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return documents
}

function hasEnded({ status }: Pick<Listed, 'status'>): boolean {
  return (terminalDocumentStatuses as readonly string[]).includes(status)
}

/** Nothing happens to it until somebody asks for it. */
function isWaiting({ status }: Pick<Listed, 'status'>): boolean {
  return status === 'registered' || status === 'attached'
}
