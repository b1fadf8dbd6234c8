/** The metrics of every process. */
import { createHistogram, numberFigure, SECONDS } from '../../platform/figures.ts'
import type { Figure } from '../../platform/figures.ts'
import type { Part } from '../../platform/lifecycle.ts'

export interface ProcessFigures extends Part {
  readonly figures: readonly Figure[]
}

const TICK_MS = 100

export function createProcessFigures(): ProcessFigures {
  const delays = createHistogram(SECONDS)
  let timer: NodeJS.Timeout | undefined
  let due = 0

  function tick(): void {
    const now = performance.now()
    delays.observe(Math.max(0, now - due) / 1_000)
    due = now + TICK_MS
  }

  return {
    name: 'process figures',
    figures: [
      numberFigure(
        'gauge',
        'concord_process_start_time_seconds',
        'When the process started, in seconds since 1970.',
        () => performance.timeOrigin / 1_000,
      ),
      numberFigure('counter', 'concord_process_cpu_seconds', 'Processor time that the process used.', () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1_000_000
      }),
      numberFigure(
        'gauge',
        'concord_process_resident_memory_bytes',
        'Memory that the process holds, its child processes left out.',
        () => process.memoryUsage.rss(),
      ),
      numberFigure(
        'gauge',
        'concord_process_heap_bytes',
        'Memory in use by JavaScript objects.',
        () => process.memoryUsage().heapUsed,
      ),
      {
        kind: 'histogram',
        name: 'concord_event_loop_delay_seconds',
        help: 'How late a timer came that was due every 100 ms.',
        read: () => [{ histogram: delays }],
      },
    ],
    async start() {
      due = performance.now() + TICK_MS
      timer = setInterval(tick, TICK_MS).unref()
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
