/** Looks at the hatchery's snapshot through the API, as an operator does, and keeps what it saw. */
import { requestJson } from './http.ts'
import { repeat } from './loop.ts'

export interface SnapshotWorker {
  readonly worker_id: string
  readonly role: string
  readonly pid: number
  readonly hatchery_id: string | null
  readonly state: string
  readonly processed: number
}

export interface Snapshot {
  readonly roles: readonly {
    readonly role: string
    readonly wanted: number | null
    readonly running: number
    readonly waiting: number | null
    readonly oldest_wait_ms: number | null
    readonly arrival_rate: number | null
    readonly service_rate: number | null
    readonly utilisation: number | null
    readonly decisions: readonly { readonly from: number; readonly to: number; readonly reason: string }[]
  }[]
  readonly workers: readonly SnapshotWorker[]
  readonly hatcheries: readonly {
    readonly hatchery_id: string
    readonly alive: boolean
    readonly decides: boolean
  }[]
}

export interface Sight {
  /** In seconds since the looking began. */
  readonly at: number
  readonly wanted: number
  /** Workers that are up and take work. */
  readonly running: number
  readonly waiting: number
  readonly serviceRate: number | null
  readonly snapshot: Snapshot
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

export async function readSnapshot(url: string, key: string): Promise<Snapshot> {
  return requestJson<Snapshot>(url, {
    path: '/internals/kernel/hatchery/snapshot',
    bearer: key,
    timeoutMs: 5_000,
  })
}

function toSight(snapshot: Snapshot, at: number): Sight {
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
