/**
 * The parent's watch over its children: the one that kills. Memory is its own business, because V8's limits do not
 * cover buffers; time only where the child could not interrupt itself.
 */
import type { SandboxChild } from './child.ts'
import type { Limits } from './job.ts'
import { createMeter } from './meter.ts'
import type { Meter } from './meter.ts'

type Watched = Pick<SandboxChild<never>, 'gauge' | 'isDoomed'> & {
  inFlight(): readonly { readonly budgetMs: number }[]
}

export interface WatchOptions<Each extends Watched> {
  readonly limits: Limits
  /** A task that hardly gets a core is given up after this time by the clock, however little of its own it has used. */
  readonly maxWallMs: number
  children(): Iterable<Each>
  condemn(child: Each, reason: 'time_exceeded' | 'memory_exceeded'): void
}

export interface ChildWatch {
  start(): void
  stop(): void
}

/** Memory can be filled at about 2 GB/s, so this is what may be taken beyond the limit before anyone looks: 50 MB. */
const TICK_MS = 25

/** For the child's own interrupt to take effect and its answer to arrive. */
const GRACE_MS = 50

export function createWatch<Each extends Watched>({
  limits,
  maxWallMs,
  children,
  condemn,
}: WatchOptions<Each>): ChildWatch {
  const meters = new WeakMap<Each, Meter>()
  let timer: NodeJS.Timeout | undefined

  function meterOf(child: Each): Meter {
    const meter = meters.get(child) ?? createMeter(child.gauge, TICK_MS)
    meters.set(child, meter)
    return meter
  }

  function lookAt(child: Each): void {
    const [reading] = child.inFlight()
    if (!reading || child.isDoomed()) return
    const { ranMs, usedMs, wallMs, residentMb } = meterOf(child).look(reading, performance.now())
    if (residentMb > limits.memoryMb) return condemn(child, 'memory_exceeded')
    const { budgetMs } = reading
    const overdue =
      ranMs > budgetMs + GRACE_MS ||
      usedMs > Math.max(budgetMs, limits.sliceMs) + GRACE_MS ||
      wallMs > maxWallMs
    if (overdue) condemn(child, 'time_exceeded')
  }

  return {
    start() {
      timer = setInterval(() => {
        for (const child of children()) lookAt(child)
      }, TICK_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
