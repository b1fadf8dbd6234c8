/**
 * The facts about the service under test. No schema can say which tenant, key, scope, document or cursor is a real one,
 * so valid requests take theirs from here; answers add to it as the run goes on. An operation whose parameters are
 * not known here gets generated ones, which shows as a falling share of successes: teach this file about them.
 */
import { readFrames } from '../../harness/http/event-frames.ts'
import type { OpenapiOperation } from '../../harness/openapi.ts'
import { hasScope, takeScope } from './expendable-scopes.ts'
import { learn, SETTLED_SCOPE, toKnownTenant } from './known-tenant.ts'
import type { KnownDocument, KnownTenant, NewTenant } from './known-tenant.ts'

export interface FuzzKeys {
  readonly admin: string
  readonly internals: string
}

/** Values by the name of the parameter that they fit, and the credentials that go with them. */
export interface Facts {
  readonly values: Readonly<Record<string, string>>
  /** Documents of the scope in `values`. */
  readonly documentIds: readonly string[]
  readonly tenantId: string
  readonly tenantKey: string
  readonly root: FuzzKeys
  /** Another one each time, for ids that must not have been used before. */
  readonly nonce: string
}

/** Below the service's own bound, because several requests are under way at a time. */
const ROOM_FOR_KEYS = 15
const KEPT = 20
/** Ids of documents that one request names. */
const IDS = 5

export function createWorld(root: FuzzKeys, problemCodes: readonly string[]) {
  const tenants: KnownTenant[] = []
  const cursors = new Map<string, string[]>()
  const positions = new Map<string, string[]>()
  const tags = new Map<string, string[]>()
  let chosen = 0
  const recent = recentTime()

  return {
    addTenant: (tenant: NewTenant) => void tenants.push(toKnownTenant(tenant)),
    addContradiction: (tenantId: string, contradiction: KnownTenant['contradictions'][number]) =>
      void tenants.find(({ id }) => id === tenantId)?.contradictions.push(contradiction),
    /** The same draw on the same world gives the same facts. */
    choose(operation: OpenapiOperation, draw: number): Facts {
      chosen += 1
      const tenant = pick(fitting(tenants, operation), draw)
      const document = documentFor(operation, tenant, draw)
      const contradiction = needs(operation, 'contradictionId')
        ? pick(tenant.contradictions, draw)
        : undefined
      const place = document ?? contradiction
      const scopeId = place?.scopeId ?? scopeFor(operation, tenant, draw)
      const documentIds = tenant.documents
        .filter((each) => each.scopeId === scopeId)
        .slice(-IDS)
        .map(({ documentId }) => documentId)
      const position = isKernelStream(operation) ? pick(positions.get(KERNEL) ?? [], draw) : undefined
      const values = {
        tenantId: tenant.id,
        'X-Tenant-ID': tenant.id,
        keyId: pick(tenant.keys, draw),
        scopeId,
        documentId: document?.documentId,
        document_id: pick(documentIds, draw),
        contradictionId: contradiction?.contradictionId,
        code: pick(problemCodes, draw),
        cursor: pick(cursors.get(operation.id) ?? [], draw),
        ...recent,
        'If-None-Match': document && tags.get(placeOf(tenant.id, document))?.at(-1),
        ...(position !== undefined && { after: position, 'Last-Event-ID': position }),
      }
      const nonce = chosen.toString(36)
      const { id: tenantId, key: tenantKey } = tenant
      return { values: dropMissing(values), documentIds, tenantId, tenantKey, root, nonce }
    },
    /** Takes what a successful response says into account. */
    learn(
      operation: OpenapiOperation,
      facts: Facts,
      answer: unknown,
      headers: ReadonlyMap<string, string>,
    ): void {
      const seen = answer as Readonly<Record<string, unknown>>
      const tenant = tenants.find((each) => each.id === facts.tenantId)
      const tag = headers.get('etag')
      const { scopeId = '', documentId } = facts.values
      if (tag !== undefined && documentId !== undefined)
        keep(tags, placeOf(facts.tenantId, { scopeId, documentId }), tag)
      if (typeof seen['next_cursor'] === 'string') keep(cursors, operation.id, seen['next_cursor'])
      if (operation.id === 'createTenant' && typeof seen['api_key'] === 'string')
        tenants.push(toKnownTenant({ id: String(seen['tenant_id']), key: seen['api_key'] }))
      if (tenant) learn(tenant, operation.id, seen)
    },
    /** Takes over the positions that the stream of all scopes showed. */
    learnStream(operation: OpenapiOperation, text: string): void {
      const last = isKernelStream(operation) ? readFrames(text).at(-1) : undefined
      if (last?.id !== undefined) keep(positions, KERNEL, last.id)
    },
  }
}

/** A time of figures over time: no schema can say that they end by now. */
function recentTime(): { readonly from: string; readonly to: string } {
  const now = Date.now()
  return { from: new Date(now - 30 * 60_000).toISOString(), to: new Date(now).toISOString() }
}

function placeOf(tenantId: string, { scopeId, documentId }: KnownDocument): string {
  return [tenantId, scopeId, documentId].join('/')
}

/** Positions of the stream of all scopes are opaque, like cursors; those of a scope are plain numbers. */
export function isOpaque(operation: OpenapiOperation, parameter: string): boolean {
  if (parameter === 'cursor' || parameter === 'versions_cursor') return true
  // A number of a document that has few of them, and not before a start that is drawn apart.
  if (operation.id === 'getDocumentText' && (parameter === 'version' || parameter === 'end')) return true
  return isKernelStream(operation) && (parameter === 'after' || parameter === 'Last-Event-ID')
}

const KERNEL = 'kernel'

function isKernelStream({ id }: OpenapiOperation): boolean {
  return id.startsWith('streamKernelEvents')
}

/** A document of its own, since nobody else must think that it is as it was. */
function documentFor(
  operation: OpenapiOperation,
  tenant: KnownTenant,
  draw: number,
): KnownDocument | undefined {
  if (!needs(operation, 'documentId')) return undefined
  if (operation.id === 'retryDocument') return tenant.failed.pop()
  const document: KnownDocument | undefined = pick(tenant.documents, draw)
  if (operation.id === 'removeDocument') tenant.documents.splice(tenant.documents.indexOf(document), 1)
  return document
}

/** Tenants on which the operation can succeed; any, where none can. */
function fitting(tenants: readonly KnownTenant[], operation: OpenapiOperation): readonly KnownTenant[] {
  const makesKeys = operation.method === 'POST' && operation.path.includes('/keys')
  const needsDocument = needs(operation, 'documentId')
  const documentsFor = ({ documents, failed }: KnownTenant) =>
    operation.id === 'retryDocument' ? failed : documents
  const fit = tenants.filter(
    (tenant) =>
      (!needs(operation, 'keyId') || tenant.keys.length > 0) &&
      (!needsScope(operation) || tenant.scopes.length > 0) &&
      hasScope(tenant.expendable, operation) &&
      (!needsDocument || documentsFor(tenant).length > 0) &&
      (!needsFindings(operation) || tenant.contradictions.length > 0) &&
      (!makesKeys || tenant.live < ROOM_FOR_KEYS),
  )
  return fit.length > 0 ? fit : tenants
}

function scopeFor(operation: OpenapiOperation, { expendable, scopes }: KnownTenant, draw: number): string {
  if (isOfCertificate(operation)) return SETTLED_SCOPE
  return takeScope(expendable, operation) ?? pick(scopes, draw)
}

/** Made when the run began, together with a certificate; tenants that were born since have neither. */
function needsFindings(operation: OpenapiOperation): boolean {
  return needs(operation, 'contradictionId') || isOfCertificate(operation)
}

function isOfCertificate({ path }: OpenapiOperation): boolean {
  return path.includes('/certificate') && path.includes('{scopeId}')
}

function needs(operation: OpenapiOperation, name: string): boolean {
  return operation.parameters.some((each) => each.in === 'path' && each.name === name)
}

/** In the path, or in a body that speaks of documents. */
function needsScope(operation: OpenapiOperation): boolean {
  return (
    needs(operation, 'scopeId') ||
    ['ingestDocument', 'ingestBatch', 'registerDocument'].includes(operation.id)
  )
}

function pick<Item>(items: readonly Item[], draw: number): Item {
  // An empty list gives undefined, which the caller drops.
  return items[draw % Math.max(1, items.length)] as Item
}

function dropMissing(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function keep(lists: Map<string, string[]>, id: string, value: string): void {
  lists.set(id, [...(lists.get(id) ?? []), value].slice(-KEPT))
}
