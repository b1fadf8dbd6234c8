/** A revoked key is refused by every process within a second of the answer, whichever way it was revoked. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@concord/tools/launch'
import type { Figures } from '../../harness/figures.ts'
import type { IssuedKey, Stage, Tenant } from './stage.ts'
import { percentile } from '../../harness/statistics.ts'
import { acceptedAfter, acceptedAgain, acceptedBefore, refusedFrom, watchKey } from './watch.ts'
import type { Watch } from './watch.ts'

interface Trial {
  readonly watches: readonly Watch[]
  /** When the answer to the revocation had arrived. */
  readonly revokedAt: number
}

/** The promise: one second. */
const WITHIN_MS = 1_000
const USES_BEFORE = 10
const WATCH_AFTER_MS = 1_400
/** The callers of the stage, in order. */
const PROCESSES = ['process 1', 'process 2', 'process 3 (no broker)']
/** Below the number of live keys that a tenant may have. */
const KEYS_PER_TENANT = 16

export async function proveRevocation(stage: Stage, figures: Figures, keys: number): Promise<void> {
  const trials: Trial[] = []
  let tenant = await stage.createTenant()
  // A few at a time: more would measure how busy the machine is.
  for (let made = 0; made < keys; made += TOGETHER.length) {
    if (made % KEYS_PER_TENANT === 0) tenant = await stage.createTenant()
    trials.push(...(await Promise.all(TOGETHER.map((revoke) => tryKey(stage, tenant, revoke)))))
  }
  trials.push(await tryRootKey(stage))
  report(figures, trials)
}

type Revoke = (stage: Stage, tenant: Tenant, key: IssuedKey) => Promise<void>

const byRoute: Revoke = async ({ callers: [first], admin }, { id }, { key_id }) =>
  void (await first.json({
    method: 'POST',
    path: `/admin/tenants/${id}/keys/${key_id}/revoke`,
    bearer: admin,
  }))

const byCommand: Revoke = (stage, { id }, { key_id }) => stage.revokeByCommand(key_id, id)

const TOGETHER: readonly Revoke[] = [byRoute, byCommand, byRoute, byCommand]

async function tryKey(stage: Stage, tenant: Tenant, revoke: Revoke): Promise<Trial> {
  const key = await stage.issueKey(tenant)
  const watches = stage.callers.map((caller) => watchKey(caller, key.api_key))
  return observe(watches, () => revoke(stage, tenant, key))
}

/** Keys of the upper tiers are revoked by command only, and are held to the same second. */
async function tryRootKey(stage: Stage): Promise<Trial> {
  const key = await stage.createRootKey('admin')
  const watches = stage.callers.map((caller) => watchKey(caller, key.api_key, '/admin/health'))
  return observe(watches, () => stage.revokeByCommand(key.key_id))
}

async function observe(watches: readonly Watch[], revoke: () => Promise<void>): Promise<Trial> {
  // A key that nobody had used would have nothing to be forgotten.
  const used = () => watches.every(({ sightings }) => sightings.length >= USES_BEFORE)
  await waitUntil(used, { what: 'use of the key on every process' })
  await revoke()
  const revokedAt = Date.now()
  await delay(WATCH_AFTER_MS)
  await Promise.all(watches.map((watch) => watch.stop()))
  return { watches, revokedAt }
}

function report(figures: Figures, trials: readonly Trial[]): void {
  const each = trials.flatMap(({ watches, revokedAt }) => watches.map((watch) => ({ watch, revokedAt })))
  const sum = (count: (watch: Watch, revokedAt: number) => number) =>
    each.reduce((total, { watch, revokedAt }) => total + count(watch, revokedAt), 0)
  figures.note('keys revoked', trials.length)
  figures.note(
    'requests with them',
    sum(({ sightings }) => sightings.length),
  )
  const uses = each.map(({ watch, revokedAt }) => acceptedBefore(watch, revokedAt))
  figures.atLeast('uses before revocation, fewest by key and process', Math.min(...uses), USES_BEFORE)
  figures.atMost(
    'accepted later than 1 s after the revocation',
    sum((watch, at) => acceptedAfter(watch, at + WITHIN_MS)),
    0,
  )
  figures.exactly('accepted again after a refusal', sum(acceptedAgain), 0)
  figures.exactly(
    'keys that some process never refused',
    each.filter(({ watch }) => refusedFrom(watch, 0) === Infinity).length,
    0,
  )
  for (const [at, name] of PROCESSES.entries()) {
    const times = trials.flatMap(({ watches, revokedAt }) =>
      watches[at] ? [refusedFrom(watches[at], revokedAt)] : [],
    )
    figures.note(
      `until refusal on ${name}`,
      `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`,
    )
  }
}
