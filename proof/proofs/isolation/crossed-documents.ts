/** What one twin has of documents, keys and positions, asked for by the other: it must be as if nobody had it. */
import { freshCanary } from './canary.ts'
import { castOf } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { Stage } from './stage.ts'
import { DOCUMENT_SCOPE_ID, QUIET_SCOPE_IDS } from './twin-documents.ts'
import type { Side } from './twin-documents.ts'
import type { Twin } from './twins.ts'
import { freshDocument } from './valid-values.ts'
import type { Header, WireRequest } from './wire.ts'

/** The same request with a foreign id and with an unknown one, and those two ids, which may come back. */
export interface Pair {
  readonly foreign: WireRequest
  readonly unknown: WireRequest
  readonly ids: readonly [foreign: string, unknown: string]
}

/** The caller's own credentials, as the route wants them. */
export function admitted(stage: Stage, route: ServedRoute, own: Side): Header[] {
  const { own: asker, admin, internals } = castOf(stage, own)
  const [tier = ''] = route.class.split(' ')
  const bearers: Readonly<Record<string, string>> = { open: '', api: asker.key, admin, internals }
  return [
    ['Authorization', `Bearer ${bearers[tier]}`],
    ...(route.class === 'api + tenant id' ? [['X-Tenant-ID', asker.tenantId] as const] : []),
    ...(route.class.endsWith('tenant key') ? [['X-Tenant-API-Key', asker.key] as const] : []),
  ]
}

export async function documentPairs(stage: Stage, own: Side): Promise<Pair[]> {
  return [
    await usedKeyPair(stage, own),
    await usedIdPair(stage, own, 'ingest'),
    await usedIdPair(stage, own, 'documents'),
    triggerPair(stage, own),
    ...positionPairs(stage, own),
  ]
}

/** An idempotency key that the other twin has used is as fresh as any: it must yield a document of the asker's own. */
async function usedKeyPair(stage: Stage, own: Side): Promise<Pair> {
  const { own: asker, other } = castOf(stage, own)
  const [used, unknown] = [`key-${freshCanary()}`, `key-${freshCanary()}`]
  const document = freshDocument()
  const ask = (twin: Twin, key: string) => ingestRequest(twin, { ...document, idempotency_key: key })
  await stage.send('key', 0, ask(other, used))
  return { foreign: ask(asker, used), unknown: ask(asker, unknown), ids: [used, unknown] }
}

/** The same document under the same id, in the other twin's scope of the same name, is not there yet. */
async function usedIdPair(stage: Stage, own: Side, route: 'ingest' | 'documents'): Promise<Pair> {
  const { own: asker, other } = castOf(stage, own)
  const [used, unknown] = [`id-${freshCanary()}`, `id-${freshCanary()}`]
  const document = freshDocument()
  const ask = (twin: Twin, id: string) => ingestRequest(twin, { ...document, document_id: id }, route)
  await stage.send('key', 0, ask(other, used))
  return { foreign: ask(asker, used), unknown: ask(asker, unknown), ids: [used, unknown] }
}

/** Into the scope of the documents; by `/api/ingest` where no other route is named. */
export function ingestRequest({ key, tenantId }: Twin, document: object, route = 'ingest'): WireRequest {
  return {
    method: 'POST',
    path: `/api/${route}`,
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['X-Tenant-ID', tenantId],
    ],
    body: JSON.stringify({ scope_id: DOCUMENT_SCOPE_ID, ...document }),
  }
}

/** A document that only the other twin has cannot be triggered, nor can it be found out that there is one. */
function triggerPair(stage: Stage, own: Side): Pair {
  const { own: asker, other, admin } = castOf(stage, own)
  const foreign = other.ownDocumentIds[0] ?? ''
  const unknown = stage.twins.nobody.documentId
  const ask = (id: string): WireRequest => ({
    method: 'POST',
    path: `/admin/scopes/${DOCUMENT_SCOPE_ID}/ingest`,
    headers: [
      ['Authorization', `Bearer ${admin}`],
      ['X-Tenant-API-Key', asker.key],
    ],
    body: JSON.stringify({ document_ids: [id] }),
  })
  return { foreign: ask(foreign), unknown: ask(unknown), ids: [foreign, unknown] }
}

/** Beyond the end of every log. */
const BEYOND = 900_000

/**
 * The last position of the other twin's log, where that is the longer one: the asker's own log ends before it, and the
 * answer is the same as for a position that no log has.
 */
function positionPairs(stage: Stage, own: Side): Pair[] {
  const other = own === 'left' ? 'right' : 'left'
  return QUIET_SCOPE_IDS.flatMap((scopeId, at) => {
    const [ends, foreign] = [stage.quietHeads[own][at] ?? 0, stage.quietHeads[other][at] ?? 0]
    if (foreign <= ends) return []
    return [streamRequest(stage, own, scopeId), adminStreamRequest(stage, own, scopeId)].map((ask) => ({
      foreign: ask(foreign),
      unknown: ask(BEYOND),
      ids: ['', ''] as const,
    }))
  })
}

type AskFrom = (position: number) => WireRequest

function streamRequest(stage: Stage, own: Side, scopeId: string): AskFrom {
  const bearer = `Bearer ${castOf(stage, own).own.key}`
  return (position) => ({
    method: 'GET',
    path: `/api/scopes/${scopeId}/events`,
    headers: [
      ['Authorization', bearer],
      ['Last-Event-ID', String(position)],
    ],
    awaitsEvent: true,
  })
}

function adminStreamRequest(stage: Stage, own: Side, scopeId: string): AskFrom {
  const { admin, own: asker } = castOf(stage, own)
  return (position) => ({
    method: 'GET',
    path: `/admin/scopes/${scopeId}/events?after=${position}`,
    headers: [
      ['Authorization', `Bearer ${admin}`],
      ['X-Tenant-API-Key', asker.key],
    ],
    awaitsEvent: true,
  })
}
