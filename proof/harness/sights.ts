/** Looks at the hatchery's snapshot through the API, as an operator does, and keeps what it saw. */
import type { HatcherySnapshot } from '@concord/client'
import { requestJson } from './http.ts'
import { repeat } from './loop.ts'

export interface Sight {
  /** In seconds since the looking began. */
  readonly at: number
  readonly wanted: number
  /** Workers that are up and take work. */
  readonly running: number
  readonly waiting: number
  readonly serviceRate: number | null
  readonly snapshot: HatcherySnapshot
}

export type Looking = ReturnType<typeof startLooking>

const EVERY_MS = 250

export function startLooking(url: string, internalsKey: string) {
  const sights: Sight[] = []
  const started = performance.now()
  const now = () => (performance.now() - started) / 1_000

  async function look(): Promise<void> {
    const snapshot = await readSnapshot(url, internalsKey).catch(() => undefined)
    if (snapshot) sights.push(toSight(snapshot, now()))
  }

  const { stop } = repeat(look, { pauseMs: EVERY_MS })
  return { sights, now, stop }
}

export async function readSnapshot(url: string, key: string): Promise<HatcherySnapshot> {
  return requestJson<HatcherySnapshot>(url, {
    path: '/internals/kernel/hatchery/snapshot',
    bearer: key,
    timeoutMs: 5_000,
  })
}

function toSight(snapshot: HatcherySnapshot, at: number): Sight {
  const role = snapshot.roles.find((each) => each.role === 'worker')
  return {
    at,
    wanted: role?.wanted ?? 0,
    running: role?.running ?? 0,
    waiting: role?.waiting ?? 0,
    serviceRate: role?.service_rate ?? null,
    snapshot,
  }
}
