/** The values of one twin, such as documents, keys and positions, asked for by the other: it must be as if nobody had it. */
import type { HttpRequest } from '../../harness/http.ts'
import { castOf, fill } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { IsolationStage } from './stage.ts'
import { DOCUMENT_SCOPE_ID, freshCanary, QUIET_SCOPE_IDS, SWITCHED_SCOPES } from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import type { Twin } from './twins.ts'
import { freshDocument } from './valid-values.ts'

/** The same request with a foreign id and with an unknown one, and those two ids, which may come back. */
export interface CrossedPair {
  readonly foreign: HttpRequest
  readonly unknown: HttpRequest
  readonly ids: readonly [foreign: string, unknown: string]
}

export function pairOf(ask: (id: string) => HttpRequest, foreign: string, unknown: string): CrossedPair {
  return { foreign: ask(foreign), unknown: ask(unknown), ids: [foreign, unknown] }
}

/** The caller's own credentials, as the route wants them. */
export function admitted(stage: IsolationStage, route: ServedRoute, own: Side) {
  const { own: asker, admin, internals } = castOf(stage, own)
  const [tier = ''] = route.class.split(' ')
  const bearers: Readonly<Record<string, string>> = { open: '', api: asker.key, admin, internals }
  return {
    bearer: bearers[tier],
    ...(route.class === 'api + tenant id' && { tenantId: asker.tenantId }),
    ...(route.class.endsWith('tenant key') && { tenantKey: asker.key }),
  }
}

export async function documentPairs(stage: IsolationStage, own: Side): Promise<CrossedPair[]> {
  return [
    await usedPair(stage, own, 'idempotency_key', 'ingest'),
    await usedPair(stage, own, 'document_id', 'ingest'),
    await usedPair(stage, own, 'document_id', 'documents'),
    triggerPair(stage, own),
    ...positionPairs(stage, own),
  ]
}

/**
 * An idempotency key that the other twin has used is as fresh as any, and the same document under the same id is not
 * there yet: it must yield a document of the asker's own.
 */
async function usedPair(
  stage: IsolationStage,
  own: Side,
  member: 'idempotency_key' | 'document_id',
  route: 'ingest' | 'documents',
): Promise<CrossedPair> {
  const { own: asker, other } = castOf(stage, own)
  const used = `used-${freshCanary()}`
  const document = freshDocument()
  const ask = (twin: Twin, id: string) => ingestRequest(twin, { ...document, [member]: id }, route)
  await stage.send('key', 0, ask(other, used))
  return pairOf((id) => ask(asker, id), used, `used-${freshCanary()}`)
}

/** Into the scope of the documents; by `/api/ingest` where no other route is named. */
export function ingestRequest({ key, tenantId }: Twin, document: object, route = 'ingest'): HttpRequest {
  const body = { scope_id: DOCUMENT_SCOPE_ID, ...document }
  return { path: `/api/${route}`, bearer: key, tenantId, body }
}

/** A document that only the other twin has cannot be triggered, nor can it be found out that there is one. */
function triggerPair(stage: IsolationStage, own: Side): CrossedPair {
  const { own: asker, other, admin } = castOf(stage, own)
  const path = `/admin/scopes/${DOCUMENT_SCOPE_ID}/ingest`
  const ask = (id: string) => ({ path, bearer: admin, tenantKey: asker.key, body: { document_ids: [id] } })
  return pairOf(ask, other.ownDocumentIds[0] ?? '', stage.twins.nobody.documentId)
}

/** Beyond the end of every log. */
const BEYOND = '900000'

/**
 * The last position of the other twin's log, where that is the longer one: the asker's own log ends before it, and the
 * response is the same as for a position that no log has.
 */
function positionPairs(stage: IsolationStage, own: Side): CrossedPair[] {
  const other = own === 'left' ? 'right' : 'left'
  const { admin, own: asker } = castOf(stage, own)
  return QUIET_SCOPE_IDS.flatMap((scopeId, at) => {
    const [ends, foreign] = [stage.quietHeads[own][at] ?? 0, stage.quietHeads[other][at] ?? 0]
    if (foreign <= ends) return []
    const path = `scopes/${scopeId}/events`
    const asTenant = (after: string) => {
      return {
        path: `/api/${path}`,
        bearer: asker.key,
        headers: { 'Last-Event-ID': after },
        awaitsEvent: true,
      }
    }
    const asAdmin = (after: string) => {
      const keys = { bearer: admin, tenantKey: asker.key }
      return { path: `/admin/${path}?after=${after}`, ...keys, awaitsEvent: true }
    }
    return [asTenant, asAdmin].map((ask) => ({
      ...pairOf(ask, String(foreign), BEYOND),
      ids: ['', ''] as const,
    }))
  })
}

/** A scope that only the other twin has, named in the body of a move of the runtime. */
export function switchPairs(stage: IsolationStage, own: Side): CrossedPair[] {
  const foreign = castOf(stage, own).other.ownScopeIds[0] ?? ''
  return stage.routes
    .filter(({ operation }) => SWITCHED_SCOPES.has(operation))
    .map((route) => {
      const keys = admitted(stage, route, own)
      const ask = (scope_id: string) => ({ ...fill(route, { params: {}, body: { scope_id } }), ...keys })
      return pairOf(ask, foreign, stage.twins.nobody.scopeId)
    })
}
