/** A revoked key is refused by every process within a second of the response, whichever way it was revoked. */
import { waitUntil } from '@concord/tools/launch'
import type { Figures } from '../../harness/figures.ts'
import { percentile } from '../../harness/statistics.ts'
import type { Stage, KeysTenant } from './stage.ts'
import {
  acceptedAfter,
  acceptedAgain,
  acceptedBefore,
  refusedFrom,
  total,
  watchKey,
  watchUntil,
} from './watch.ts'
import type { Life } from './watch.ts'

/** The promise: one second. */
const WITHIN_MS = 1_000
const USES_BEFORE = 10
/** Below the number of live keys that a tenant may have. */
const KEYS_PER_TENANT = 16
/** The clients of the stage, in order. */
const PROCESSES = ['process 1', 'process 2', 'process 3 (no broker)']
/** A few keys at a time: more would measure how busy the machine is. */
const TOGETHER = ['revoke', 'revokeByCommand', 'revoke', 'revokeByCommand'] as const

export async function proveRevocation(stage: Stage, figures: Figures, keys: number): Promise<void> {
  const lives: Life[] = []
  let tenant = await stage.createTenant()
  for (let made = 0; made < keys; made += TOGETHER.length) {
    if (made % KEYS_PER_TENANT === 0) tenant = await stage.createTenant()
    lives.push(...(await Promise.all(TOGETHER.map((way) => tryKey(stage, tenant, way)))))
  }
  lives.push(await tryRootKey(stage))
  report(figures, lives)
}

async function tryKey(stage: Stage, tenant: KeysTenant, way: (typeof TOGETHER)[number]): Promise<Life> {
  const key = await stage.issueKey(tenant)
  return observe(stage, key.api_key, () =>
    way === 'revoke' ? stage.revoke(tenant, key) : stage.revokeByCommand(key, tenant),
  )
}

/** Keys of the upper tiers are revoked by command only, and are held to the same second. */
async function tryRootKey(stage: Stage): Promise<Life> {
  const key = await stage.createRootKey('admin')
  return observe(stage, key.api_key, () => stage.revokeByCommand(key), '/admin/health')
}

async function observe(
  { clients }: Stage,
  key: string,
  revoke: () => Promise<unknown>,
  path?: string,
): Promise<Life> {
  const watches = clients.map((client) => watchKey(client, key, path))
  // A key that was never used would have nothing to be forgotten.
  const used = () => watches.every(({ sightings }) => sightings.length >= USES_BEFORE)
  await waitUntil(used, { what: 'use of the key on every process' })
  await revoke()
  return watchUntil(watches, Date.now())
}

function report(figures: Figures, lives: readonly Life[]): void {
  const each = lives.flatMap(({ watches, endsAt }) => watches.map((watch) => ({ watch, endsAt })))
  const requests = total(lives, ({ sightings }) => sightings.length)
  figures.note('keys revoked', lives.length)
  figures.note('requests with them', requests)
  const uses = each.map(({ watch, endsAt }) => acceptedBefore(watch, endsAt))
  figures.atLeast('uses before revocation, fewest by key and process', Math.min(...uses), USES_BEFORE)
  const late = total(lives, (watch, at) => acceptedAfter(watch, at + WITHIN_MS))
  figures.atMost('accepted later than 1 s after the revocation', late, 0)
  figures.exactly('accepted again after a refusal', total(lives, acceptedAgain), 0)
  const never = each.filter(({ watch }) => refusedFrom(watch, 0) === Number.POSITIVE_INFINITY)
  figures.exactly('keys that some process never refused', never.length, 0)
  for (const [at, name] of PROCESSES.entries()) {
    const times = lives.flatMap(({ watches, endsAt }) =>
      watches.slice(at, at + 1).map((watch) => refusedFrom(watch, endsAt)),
    )
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
    figures.note(`until refusal on ${name}`, `p50 ${p50} ms, p99 ${p99} ms`)
  }
}
