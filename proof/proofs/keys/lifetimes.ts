/** A key works until its time and not beyond, whether the end was set when it was issued or by a rotation. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Figures } from '../../harness/figures.ts'
import type { IssuedKey, Stage, Tenant } from './stage.ts'
import { acceptedAfter, acceptedBefore, refusedBefore, watchKey } from './watch.ts'
import type { Watch } from './watch.ts'

interface Life {
  readonly watches: readonly Watch[]
  readonly endsAt: number
}

interface Rotation extends IssuedKey {
  readonly replaced_expires_at: string
}

const WITHIN_MS = 1_000
const WATCH_AFTER_MS = 1_400
/**
 * A process counts the life of a key from before it asked for it, so on a busy machine it ends as much early as the
 * question took. That is the safe side; more than this would be a wrong clock.
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
  figures.atLeast('uses of keys before their end', sum([expired, overlapped.old], acceptedBefore), 30)
  figures.atMost(
    'refused more than half a second before the end',
    sum([expired, overlapped.old], (watch, end) => refusedBefore(watch, end - EARLY_MS)),
    0,
  )
  figures.atMost(
    'accepted later than 1 s after expiry',
    sum(old, (watch, end) => acceptedAfter(watch, end + WITHIN_MS)),
    0,
  )
  figures.note('accepted at all after expiry', sum(old, acceptedAfter))
  const fresh = [atOnce.fresh, overlapped.fresh]
  figures.atLeast(
    'uses of the new keys',
    fresh.flat().reduce((total, { sightings }) => total + sightings.length, 0),
    30,
  )
  figures.exactly(
    'refusals of the new keys',
    fresh.flat().reduce((total, watch) => total + refusedBefore(watch, Number.POSITIVE_INFINITY), 0),
    0,
  )
  await proveBornExpired(stage, tenant, figures)
}

function sum(lives: readonly Life[], count: (watch: Watch, endsAt: number) => number): number {
  const counts = lives.flatMap(({ watches, endsAt }) => watches.map((watch) => count(watch, endsAt)))
  return counts.reduce((total, each) => total + each, 0)
}

async function expire(stage: Stage, tenant: Tenant, afterMs: number): Promise<Life> {
  const endsAt = Date.now() + afterMs
  const { api_key } = await stage.issueKey(tenant, { expires_at: new Date(endsAt).toISOString() })
  return { watches: await watchUntil(stage, [api_key], endsAt), endsAt }
}

async function rotate(
  stage: Stage,
  tenant: Tenant,
  overlap_seconds: number,
): Promise<{ readonly old: Life; readonly fresh: readonly Watch[] }> {
  const { callers, admin } = stage
  const old = await stage.issueKey(tenant)
  // Used once everywhere, so that every process has something to forget.
  await Promise.all(callers.map((caller) => caller.json({ path: '/api/scopes', bearer: old.api_key })))
  const fresh = await callers[0].json<Rotation>({
    method: 'POST',
    path: `/admin/tenants/${tenant.id}/keys/${old.key_id}/rotate`,
    bearer: admin,
    body: { overlap_seconds },
  })
  const endsAt = Date.parse(fresh.replaced_expires_at)
  const watches = await watchUntil(stage, [old.api_key, fresh.api_key], endsAt)
  const half = watches.length / 2
  return { old: { watches: watches.slice(0, half), endsAt }, fresh: watches.slice(half) }
}

async function watchUntil({ callers }: Stage, keys: readonly string[], endsAt: number): Promise<Watch[]> {
  const watches = keys.flatMap((key) => callers.map((caller) => watchKey(caller, key)))
  await delay(endsAt - Date.now() + WATCH_AFTER_MS)
  await Promise.all(watches.map((watch) => watch.stop()))
  return watches
}

async function proveBornExpired(
  { callers: [first], admin }: Stage,
  { id }: Tenant,
  figures: Figures,
): Promise<void> {
  const instants = [new Date(0), new Date(Date.now() - 1)].map((instant) => instant.toISOString())
  const replies = await Promise.all(
    instants.map((expires_at) =>
      first.send({ method: 'POST', path: `/admin/tenants/${id}/keys`, bearer: admin, body: { expires_at } }),
    ),
  )
  figures.exactly(
    'keys born expired that were refused (422)',
    replies.filter(({ status }) => status === 422).length,
    instants.length,
  )
}
