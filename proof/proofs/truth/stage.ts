/** The service as this proof uses it: documents go in over HTTP, and what is said of them is read back the same way. */
import { waitUntil } from '@concord/tools/launch'
import { CERTIFY_RULES } from '../../harness/certify-rules.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { requestAll, requestJson, send } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'

export interface TruthStage {
  readonly url: string
  readonly fleet: Fleet
  readonly patienceMs: number
}

export interface SentDocument {
  readonly place: Place
  readonly id: string
  readonly type?: string
  readonly text: string
}

export interface TruthReport {
  readonly reader: string
  readonly read: string
  readonly format: string
  readonly language: string
  readonly characters: number
  readonly characters_read: number
  readonly passages: number
  readonly passages_read: number
  readonly unread: readonly {
    readonly reason: string
    readonly characters: number
    readonly passages: number
  }[]
  readonly claims: number
  readonly claims_compared: number | null
  readonly quotes_dropped: number
}

export interface Convergence {
  readonly state: string
  readonly parts: { readonly coverage: number; readonly agreement: number }
  readonly blockers: readonly { readonly kind: string; readonly id: string }[]
}

export interface Declaration {
  readonly status: number
  readonly errors: readonly { readonly pointer: string; readonly code: string }[]
}

const AT_ONCE = 8
const READ_BY_RULES = `@id("read-by-rules")
forbid (principal, action == Concord::Action::"process_document", resource)
when { context.model != "rules" };`
const UNFINISHED = 'select (select count(*) from work) + (select count(*) from comparison_steps) as count'

/** From now on rules read the documents of these tenants, and everything can be certified though nothing else has read it. */
export async function permitRules({ fleet, url }: TruthStage, places: readonly Place[]): Promise<void> {
  const bearer = await createRootKey(fleet, 'admin')
  const keys = new Set(places.map(({ tenantKey }) => tenantKey))
  for (const tenantKey of keys) {
    const body = { text: `${READ_BY_RULES}\n${CERTIFY_RULES}` }
    await requestJson(url, { method: 'PUT', path: '/admin/policy', bearer, tenantKey, body })
  }
}

/** Sends them and waits until each is at its end, and its facts are compared. */
export async function sendAll(stage: TruthStage, documents: readonly SentDocument[]): Promise<void> {
  const { url, fleet, patienceMs } = stage
  await inParallel(documents, AT_ONCE, async ({ place, id, type = 'txt', text }) => {
    const body = { scope_id: place.scopeId, document_id: id, name: id, type, text }
    await requestJson(url, { ...asTenant(place, ''), path: '/api/ingest', body, timeoutMs: 60_000 })
  })
  await waitUntil(async () => (await fleet.count(UNFINISHED)) === 0, {
    what: 'reading and comparing everything',
    withinMs: patienceMs,
    everyMs: 200,
  })
}

export function asTenant({ scopeId, tenantKey, tenantId }: Place, path: string): HttpRequest {
  return { path: `/api/scopes/${scopeId}/${path}`, bearer: tenantKey, tenantId }
}

export interface Item {
  readonly document_id: string
  readonly status: string
  readonly reading: TruthReport | null
}

export async function readDocument({ url }: TruthStage, place: Place, id: string): Promise<Item> {
  return requestJson<Item>(url, asTenant(place, `documents/${id}`))
}

export async function listDocuments({ url }: TruthStage, place: Place): Promise<Item[]> {
  return requestAll<Item>(url, asTenant(place, 'documents'))
}

export async function readConvergence({ url }: TruthStage, place: Place): Promise<Convergence> {
  return requestJson<Convergence>(url, asTenant(place, 'convergence'))
}

/** Where the last claim of a document ends, in characters. */
export async function findLastClaim({ url }: TruthStage, place: Place, id: string): Promise<number> {
  const claims = await requestAll<{ end: number }>(url, asTenant(place, `claims?document_id=${id}`))
  return Math.max(0, ...claims.map(({ end }) => end))
}

export async function declare({ url }: TruthStage, place: Place): Promise<Declaration> {
  const body = { by: 'A. Auditor', reason: 'All is said.' }
  const { status, text } = await send(url, { ...asTenant(place, 'certificate'), body })
  const { errors = [] } = JSON.parse(text) as Partial<Declaration>
  return { status, errors }
}
