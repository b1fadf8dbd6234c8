/**
 * How fast work comes and goes, measured: arrivals by a counter in the database, completions and the time that workers
 * were busy by what they say of themselves. Rates over the last few seconds, never a single look at the backlog.
 */
import type { Demand } from '../../domain/scaling.ts'
import type { WorkFigures } from '../../store/processing/work-figures.ts'
import type { PresentProcess, Presence } from '../health/presence.ts'

export interface WorkMeterDeps {
  readonly presence: Pick<Presence, 'members'>
  readonly readWork: () => Promise<WorkFigures>
  readonly monotonicMs: () => number
}

export interface RoleFigures extends Demand {
  readonly oldestWaitMs: number | null
  /** Since the database was last asked with success. */
  readonly ageMs: number
}

export interface WorkMeter {
  /** To be called about once a second. */
  sample(): Promise<void>
  /** Undefined until there were two samples. */
  read(): RoleFigures | undefined
}

interface Sample {
  readonly at: number
  readonly arrivals: number
}

const WINDOW_MS = 5_000
/** A completion of this age counts half in the pace of a worker. */
const HALF_LIFE_MS = 8_000

export function createWorkMeter({ presence, readWork, monotonicMs }: WorkMeterDeps): WorkMeter {
  const pace = createPace()
  let samples: readonly Sample[] = []
  let latest: WorkFigures | undefined

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
  /** In milliseconds of whole workers. */
  readonly busy: number
  readonly there: number
}

/** From the differences between what each worker says now and said before; one that is gone takes nothing away. */
function createPace() {
  const before = new Map<string, PresentProcess['said']>()
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
      const stretches = workers.map(({ said }) => differenceOf(before.get(said.id), said, now))
      before.clear()
      for (const { said } of workers) before.set(said.id, said)
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
    /** Nothing is known of what workers can do from times when they did nothing. */
    perWorker: () => (completed >= 1 && busy > 0 ? (completed / busy) * 1_000 : null),
    utilisation(): number | null {
      const there = recent.reduce((all, each) => all + each.there, 0)
      return there > 0 ? Math.min(1, recent.reduce((all, each) => all + each.busy, 0) / there) : null
    },
  }
}

function differenceOf(
  before: PresentProcess['said'] | undefined,
  now: PresentProcess['said'],
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
