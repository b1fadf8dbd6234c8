/** Policies changed on one process, and documents sent to the other as soon as the change is answered. */
import { waitUntil } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { Fleet } from '../../harness/fleet.ts'
import { createPlaces, createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { askDatabase } from '../../harness/database.ts'

export interface Ground {
  readonly services: Services
  readonly fleet: Fleet
  readonly place: Place
  readonly admin: string
}

export interface Change {
  /** Whether documents are held from then on. */
  readonly holds: boolean
  readonly documents: number
  /** Documents that ended otherwise than the policy in force says, and decisions of another set than that. */
  readonly astray: number
  readonly ofOthers: number
  /** From the answer to the first document that the new set decided. */
  readonly delayMs: number
}

const PATIENCE_MS = 60_000
const TYPE = 'draft'
const FORBIDDING = `@id("no-drafts")
forbid (principal, action == Concord::Action::"admit_document", resource)
when { resource.type == "${TYPE}" };
`

export async function openGround(services: Services, fleet: Fleet): Promise<Ground> {
  const [place] = await createPlaces(fleet, { tenants: 1, scopes: 1 })
  if (!place) throw new Error('There is no scope.')
  return { services, fleet, place, admin: await createRootKey(fleet, 'admin') }
}

/** Every worker has decided something before anything changes: what is remembered is what could be wrong. */
export async function warmUp(ground: Ground, documents: number): Promise<void> {
  await untilEnded(ground, await send(ground, 0, 'warm', documents))
}

/** Forbids and takes back in turn, now for the tenant, now for the scope, each time on the other process. */
export async function change(ground: Ground, round: number, documents: number): Promise<Change> {
  const holds = round % 2 === 0
  const { scopeId } = ground.place
  const path = round % 4 < 2 ? '/admin/policy' : `/admin/scopes/${scopeId}/policy`
  const { policy_hash: hash } = await call<{ policy_hash: string }>(ground, round, {
    method: holds ? 'PUT' : 'DELETE',
    path,
    key: ground.admin,
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
    holds,
    documents: ended.length,
    astray: ended.filter(({ status }) => status !== (holds ? 'held' : 'processed')).length,
    ofOthers: ended.filter(({ hashes }) => hashes.length !== 1 || hashes[0] !== hash).length,
    delayMs: Math.max(0, Math.min(...decided) - answeredAt),
  }
}

async function send(ground: Ground, api: number, name: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${name}-${index}`)
  const { scopeId: scope_id, tenantKey: key } = ground.place
  await Promise.all(
    ids.map(async (id) => {
      const text = `Borealis reported revenue of EUR 12 million for 2025. This is ${id}.`
      const body = { scope_id, document_id: id, name: id, type: TYPE, text }
      await call(ground, api, { method: 'POST', path: '/api/ingest', key, body })
    }),
  )
  return ids
}

async function call<Answer>(
  { fleet, place }: Ground,
  api: number,
  {
    method,
    path,
    key,
    body,
  }: { readonly method: string; readonly path: string; readonly key: string; readonly body?: object },
): Promise<Answer> {
  const urls = fleet.urls()
  const answer = await fetch(`${urls[api % urls.length] ?? ''}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-tenant-id': place.tenantId,
      ...(path.startsWith('/admin') && { 'x-tenant-api-key': place.tenantKey }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as Answer
}

async function untilEnded({ services, fleet, place }: Ground, ids: readonly string[]): Promise<void> {
  const open = async () => {
    const [row] = await askDatabase<{ open: number }>(
      services,
      fleet.deployment.databaseName,
      `select count(*)::int as open from documents
        where tenant_id = $1 and scope_id = $2 and document_id = any($3) and status in ('queued', 'processing')`,
      [place.tenantId, place.scopeId, ids],
    )
    return row?.open
  }
  await waitUntil(async () => (await open()) === 0, { what: 'documents ending', withinMs: PATIENCE_MS })
}

interface End {
  readonly status: string
  /** Of the sets that decided on it. */
  readonly hashes: readonly string[]
  readonly decidedAt: Date | null
}

async function endsOf({ services, fleet, place }: Ground, ids: readonly string[]): Promise<End[]> {
  return askDatabase<End>(
    services,
    fleet.deployment.databaseName,
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
