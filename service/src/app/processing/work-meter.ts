/**
 * Measures the throughput of work: arrivals by a counter in the database, completions and busy time by the heartbeats of
 * workers. These are rates over the last few seconds, never a single sample of the backlog.
 */
import type { Demand } from '../../domain/scaling.ts'
import type { WorkStats } from '../../store/processing/work-stats.ts'
import type { PresentProcess, Presence } from '../health/presence.ts'

export interface WorkMeterDeps {
  readonly presence: Pick<Presence, 'members'>
  readonly readWork: () => Promise<WorkStats>
  readonly monotonicMs: () => number
}

export interface RoleStats extends Demand {
  readonly oldestWaitMs: number | null
  /** The time since the last successful sample. */
  readonly ageMs: number
}

export interface WorkMeter {
  /** Call this about once a second. */
  sample(): Promise<void>
  /** Returns undefined until there are two samples. */
  read(): RoleStats | undefined
}

interface Sample {
  readonly at: number
  readonly arrivals: number
}

const WINDOW_MS = 5_000
/** The half-life of a completion in the throughput of a worker. */
const HALF_LIFE_MS = 8_000

export function createWorkMeter({ presence, readWork, monotonicMs }: WorkMeterDeps): WorkMeter {
  const pace = createPace()
  let samples: readonly Sample[] = []
  let latest: WorkStats | undefined

  return {
    async sample() {
      pace.hear(
        presence.members().filter(({ role }) => role === 'worker'),
        monotonicMs(),
      )
      latest = await readWork()
      const now = monotonicMs()
      const young = samples.filter(({ at }) => now - at <= WINDOW_MS)
      samples = [...young, { at: now, arrivals: latest.arrivals }]
    },
    read() {
      const [first] = samples
      const last = samples.at(-1)
      if (!latest || !first || !last || last.at === first.at) return undefined
      return {
        arrivalsPerSecond: Math.max(0, (last.arrivals - first.arrivals) / ((last.at - first.at) / 1_000)),
        waiting: latest.waiting,
        oldestWaitMs: latest.oldestWaitMs,
        perWorker: pace.perWorker(),
        utilisation: pace.utilisation(),
        ageMs: monotonicMs() - last.at,
      }
    },
  }
}

interface Stretch {
  readonly at: number
  readonly completed: number
  /** Milliseconds of full worker capacity. */
  readonly busy: number
  readonly there: number
}

/** Sums the differences between consecutive heartbeats of each worker. A worker that is gone subtracts nothing. */
function createPace() {
  const before = new Map<string, PresentProcess['heartbeat']>()
  let recent: readonly Stretch[] = []
  let completed = 0
  let busy = 0
  let heardAt: number | undefined

  function fade(now: number): void {
    const factor = heardAt === undefined ? 1 : 0.5 ** ((now - heardAt) / HALF_LIFE_MS)
    completed *= factor
    busy *= factor
    heardAt = now
  }

  return {
    hear(workers: readonly PresentProcess[], now: number): void {
      const stretches = workers.map(({ heartbeat }) => differenceOf(before.get(heartbeat.id), heartbeat, now))
      before.clear()
      for (const { heartbeat } of workers) before.set(heartbeat.id, heartbeat)
      const sum = stretches.reduce(
        (all, each) => ({
          at: now,
          completed: all.completed + each.completed,
          busy: all.busy + each.busy,
          there: all.there + each.there,
        }),
        { at: now, completed: 0, busy: 0, there: 0 },
      )
      fade(now)
      completed += sum.completed
      busy += sum.busy
      recent = [...recent.filter(({ at }) => now - at < WINDOW_MS), sum]
    },
    /** Null if workers were idle, because idle time says nothing about their throughput. */
    perWorker: () => (completed >= 1 && busy > 0 ? (completed / busy) * 1_000 : null),
    utilisation(): number | null {
      const there = recent.reduce((all, each) => all + each.there, 0)
      return there > 0 ? Math.min(1, recent.reduce((all, each) => all + each.busy, 0) / there) : null
    },
  }
}

function differenceOf(
  before: PresentProcess['heartbeat'] | undefined,
  now: PresentProcess['heartbeat'],
  at: number,
): Stretch {
  if (!before || now.capacity === 0) return { at, completed: 0, busy: 0, there: 0 }
  return {
    at,
    completed: Math.max(0, now.processed + now.failed - before.processed - before.failed),
    busy: Math.max(0, now.busyMs - before.busyMs) / now.capacity,
    there: Math.max(0, now.saidAt - before.saidAt),
  }
}
