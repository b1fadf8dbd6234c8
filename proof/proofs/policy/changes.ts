/** Policies changed on one process, and documents sent to the other as soon as the change is answered. */
import { waitUntil } from '@concord/tools/launch'
import type { Fleet } from '../../harness/fleet.ts'
import { requestJson } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { createPlaces, createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'

export interface HoldGround {
  readonly fleet: Fleet
  readonly place: Place
  readonly admin: string
}

export type PolicyChange = Awaited<ReturnType<typeof change>>

const TIMEOUT_MS = 60_000
const TYPE = 'draft'
const FORBIDDING = `@id("no-drafts")
forbid (principal, action == Concord::Action::"admit_document", resource)
when { resource.type == "${TYPE}" };
`

export async function openGround(fleet: Fleet): Promise<HoldGround> {
  const [place] = await createPlaces(fleet, { tenants: 1, scopes: 1 })
  return { fleet, place, admin: await createRootKey(fleet, 'admin') }
}

/** Every worker has decided something before anything changes: what is remembered is what could be wrong. */
export async function warmUp(ground: HoldGround, documents: number): Promise<void> {
  await untilEnded(ground, await send(ground, 0, 'warm', documents))
}

/** Forbids and takes back in turn, now for the tenant, now for the scope, each time on the other process. */
export async function change(ground: HoldGround, round: number, documents: number) {
  const { scopeId, tenantKey } = ground.place
  const holds = round % 2 === 0
  const { policy_hash: hash } = await call<{ policy_hash: string }>(ground, round, {
    path: round % 4 < 2 ? '/admin/policy' : `/admin/scopes/${scopeId}/policy`,
    method: holds ? 'PUT' : 'DELETE',
    bearer: ground.admin,
    tenantKey,
    ...(holds && { body: { text: FORBIDDING } }),
  })
  const answeredAt = Date.now()
  const sent = await send(ground, round + 1, `round-${round}`, documents)
  await untilEnded(ground, sent)
  const ended = await endsOf(ground, sent)
  const decided = ended.flatMap(({ hashes, decidedAt }) =>
    hashes.includes(hash) && decidedAt ? [decidedAt.getTime()] : [],
  )
  return {
    documents: ended.length,
    /** Documents that ended otherwise than the policy in force says, and decisions of another set than that. */
    astray: ended.filter(({ status }) => status !== (holds ? 'held' : 'processed')).length,
    ofOthers: ended.filter(({ hashes }) => hashes.length !== 1 || hashes[0] !== hash).length,
    /** From the answer to the first document that the new set decided. */
    delayMs: Math.max(0, Math.min(...decided) - answeredAt),
  }
}

async function send(ground: HoldGround, api: number, name: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${name}-${index}`)
  const { scopeId: scope_id, tenantKey: bearer } = ground.place
  await Promise.all(
    ids.map((id) => {
      const text = `Borealis reported revenue of EUR 12 million for 2025. This is ${id}.`
      const body = { scope_id, document_id: id, name: id, type: TYPE, text }
      return call(ground, api, { path: '/api/ingest', bearer, body })
    }),
  )
  return ids
}

async function call<Body>({ fleet, place }: HoldGround, api: number, request: HttpRequest): Promise<Body> {
  const urls = fleet.urls()
  return requestJson(urls[api % urls.length] ?? '', { ...request, tenantId: place.tenantId })
}

async function untilEnded({ fleet, place }: HoldGround, ids: readonly string[]): Promise<void> {
  const statement = `select count(*) from documents
    where tenant_id = $1 and scope_id = $2 and document_id = any($3) and status in ('queued', 'processing')`
  const countOpen = () => fleet.count(statement, [place.tenantId, place.scopeId, ids])
  await waitUntil(async () => (await countOpen()) === 0, { what: 'documents ending', withinMs: TIMEOUT_MS })
}

interface End {
  readonly status: string
  /** The hashes of the sets that decided on it. */
  readonly hashes: readonly string[]
  readonly decidedAt: Date | null
}

async function endsOf({ fleet, place }: HoldGround, ids: readonly string[]): Promise<End[]> {
  return fleet.ask<End>(
    `select d.status, array_remove(array_agg(distinct encode(c.policy_hash, 'hex')), null) as hashes,
            min(c.decided_at) as "decidedAt"
       from documents d
       left join decisions c on c.tenant_id = d.tenant_id and c.scope_id = d.scope_id
                            and d.document_id = any(c.document_ids)
      where d.tenant_id = $1 and d.scope_id = $2 and d.document_id = any($3)
      group by d.document_id, d.status`,
    [place.tenantId, place.scopeId, ids],
  )
}
