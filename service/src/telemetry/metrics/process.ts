/** The metrics of every process. */
import { createHistogram, numberMetric, SECONDS } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'
import type { Part } from '../../platform/lifecycle.ts'

export interface ProcessMetrics extends Part {
  readonly metrics: readonly Metric[]
}

const TICK_MS = 100

export function createProcessMetrics(): ProcessMetrics {
  const delays = createHistogram(SECONDS)
  let timer: NodeJS.Timeout | undefined
  let due = 0

  function tick(): void {
    const now = performance.now()
    delays.observe(Math.max(0, now - due) / 1_000)
    due = now + TICK_MS
  }

  return {
    name: 'process metrics',
    metrics: [
      numberMetric(
        'gauge',
        'concord_process_start_time_seconds',
        'When the process started, in seconds since 1970.',
        () => performance.timeOrigin / 1_000,
      ),
      numberMetric('counter', 'concord_process_cpu_seconds', 'Processor time that the process used.', () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1_000_000
      }),
      numberMetric(
        'gauge',
        'concord_process_resident_memory_bytes',
        'Resident memory of the process, without its child processes.',
        () => process.memoryUsage.rss(),
      ),
      numberMetric(
        'gauge',
        'concord_process_heap_bytes',
        'Memory in use by JavaScript objects.',
        () => process.memoryUsage().heapUsed,
      ),
      {
        kind: 'histogram',
        name: 'concord_event_loop_delay_seconds',
        help: 'Delay of a timer that is due every 100 ms.',
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
