/**
 * The watch of the parent over its children, which kills a child that breaks a limit. The watch enforces the memory
 * limit, because the limits of V8 do not cover buffers. It enforces the time limit only where the child could not
 * interrupt itself.
 */
import type { SandboxChild } from './child.ts'
import type { Limits } from './job.ts'
import { createMeter } from './meter.ts'
import type { Meter } from './meter.ts'

type Watched = Pick<SandboxChild<never>, 'gauge' | 'isKilled'> & {
  inFlight(): readonly { readonly budgetMs: number }[]
}

export interface WatchOptions<Each extends Watched> {
  readonly limits: Limits
  /** The wall-clock limit of a task, which also ends a task that hardly gets a core. */
  readonly maxWallMs: number
  children(): Iterable<Each>
  kill(child: Each, reason: 'time_exceeded' | 'memory_exceeded'): void
}

export interface ChildWatch {
  start(): void
  stop(): void
}

/** A process can fill memory at about 2 GB/s, so it may exceed the limit by 50 MB between two ticks. */
const TICK_MS = 25

/** Time for the interrupt of the child to take effect and for its answer to arrive. */
const GRACE_MS = 50

export function createWatch<Each extends Watched>({
  limits,
  maxWallMs,
  children,
  kill,
}: WatchOptions<Each>): ChildWatch {
  const meters = new WeakMap<Each, Meter>()
  let timer: NodeJS.Timeout | undefined

  function meterOf(child: Each): Meter {
    const meter = meters.get(child) ?? createMeter(child.gauge, TICK_MS)
    meters.set(child, meter)
    return meter
  }

  function check(child: Each): void {
    const [reading] = child.inFlight()
    if (!reading || child.isKilled()) return
    const { ranMs, usedMs, wallMs, residentMb } = meterOf(child).look(reading, performance.now())
    if (residentMb > limits.memoryMb) return kill(child, 'memory_exceeded')
    const { budgetMs } = reading
    const overdue =
      ranMs > budgetMs + GRACE_MS ||
      usedMs > Math.max(budgetMs, limits.sliceMs) + GRACE_MS ||
      wallMs > maxWallMs
    if (overdue) kill(child, 'time_exceeded')
  }

  return {
    start() {
      timer = setInterval(() => {
        for (const child of children()) check(child)
      }, TICK_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}
