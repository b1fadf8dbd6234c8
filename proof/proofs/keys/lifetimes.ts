/** A key works until its time and not beyond, whether the end was set when it was issued or by a rotation. */
import type { Figures } from '../../harness/figures.ts'
import type { Stage, KeysTenant } from './stage.ts'
import { acceptedAfter, acceptedBefore, refusedBefore, total, watchKey, watchUntil } from './watch.ts'
import type { Life } from './watch.ts'

const WITHIN_MS = 1_000
/**
 * A process counts the life of a key from before it asked for it, so on a busy machine it ends as much early as the
 * request took. That is the safe side; more than this would be a wrong clock.
 */
const EARLY_MS = 500

export async function proveLifetimes(stage: Stage, figures: Figures): Promise<void> {
  const tenant = await stage.createTenant()
  const [expired, atOnce, overlapped] = await Promise.all([
    expire(stage, tenant, 2_000),
    rotate(stage, tenant, 0),
    rotate(stage, tenant, 2),
  ])
  const old = [expired, atOnce.old, overlapped.old]
  const lasting = [expired, overlapped.old]
  const fresh = [atOnce.fresh, overlapped.fresh]
  const early = total(lasting, (watch, end) => refusedBefore(watch, end - EARLY_MS))
  const late = total(old, (watch, end) => acceptedAfter(watch, end + WITHIN_MS))
  const uses = total(fresh, ({ sightings }) => sightings.length)
  const refusals = total(fresh, (watch) => refusedBefore(watch, Number.POSITIVE_INFINITY))
  figures.atLeast('uses of keys before their end', total(lasting, acceptedBefore), 30)
  figures.atMost('refused more than half a second before the end', early, 0)
  figures.atMost('accepted later than 1 s after expiry', late, 0)
  figures.note('accepted at all after expiry', total(old, acceptedAfter))
  figures.atLeast('uses of the new keys', uses, 30)
  figures.exactly('refusals of the new keys', refusals, 0)
  await proveBornExpired(stage, tenant, figures)
}

async function expire(stage: Stage, tenant: KeysTenant, afterMs: number): Promise<Life> {
  const endsAt = Date.now() + afterMs
  const { api_key } = await stage.issueKey(tenant, { expires_at: new Date(endsAt).toISOString() })
  return watchEverywhere(stage, api_key, endsAt)
}

async function rotate(stage: Stage, tenant: KeysTenant, overlapSeconds: number) {
  const old = await stage.issueKey(tenant)
  // Used once everywhere, so that every process has something to forget.
  await Promise.all(stage.clients.map((client) => client.json({ path: '/api/scopes', bearer: old.api_key })))
  const rotated = await stage.rotate(tenant, old, overlapSeconds)
  const endsAt = Date.parse(rotated.replaced_expires_at)
  const [ending, fresh] = await Promise.all([
    watchEverywhere(stage, old.api_key, endsAt),
    watchEverywhere(stage, rotated.api_key, endsAt),
  ])
  return { old: ending, fresh }
}

function watchEverywhere({ clients }: Stage, key: string, endsAt: number): Promise<Life> {
  return watchUntil(
    clients.map((client) => watchKey(client, key)),
    endsAt,
  )
}

async function proveBornExpired(
  { clients: [first], admin }: Stage,
  { id }: KeysTenant,
  figures: Figures,
): Promise<void> {
  const bodies = [0, Date.now() - 1].map((at) => ({ expires_at: new Date(at).toISOString() }))
  const path = `/admin/tenants/${id}/keys`
  const responses = await Promise.all(bodies.map((body) => first.send({ path, bearer: admin, body })))
  const refused = responses.filter(({ status }) => status === 422).length
  figures.exactly('keys born expired that were refused (422)', refused, bodies.length)
}
