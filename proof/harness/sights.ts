/** Looks at the hatchery's snapshot through the API, as an operator does, and keeps what it saw. */
import { setTimeout as delay } from 'node:timers/promises'

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

export interface Looking {
  readonly sights: readonly Sight[]
  now(): number
  stop(): Promise<void>
}

const EVERY_MS = 250

export function startLooking(url: string, internalsKey: string): Looking {
  const sights: Sight[] = []
  const stopping = new AbortController()
  const started = performance.now()
  const now = () => (performance.now() - started) / 1_000

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      const snapshot = await readSnapshot(url, internalsKey).catch(() => undefined)
      if (snapshot) sights.push(toSight(snapshot, now()))
      await delay(EVERY_MS)
    }
  }

  const looking = keepLooking()
  return {
    sights,
    now,
    async stop() {
      stopping.abort()
      await looking
    },
  }
}

export async function readSnapshot(url: string, key: string): Promise<Snapshot> {
  const answer = await fetch(`${url}/internals/kernel/hatchery/snapshot`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(5_000),
  })
  if (!answer.ok) throw new Error(`The snapshot was answered with ${answer.status}`)
  return (await answer.json()) as Snapshot
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
