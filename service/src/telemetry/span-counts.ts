/** Counts the spans that the collector accepted and those that were lost. Losses are logged, but not every time. */
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base'
import { numberMetric } from '../platform/metrics.ts'
import type { Metric } from '../platform/metrics.ts'
import type { Log } from '../platform/log.ts'

export interface CountedSpans {
  readonly exporter: SpanExporter
  readonly metrics: readonly Metric[]
}

const QUIET_MS = 60_000
const SUCCESS = 0

export function countSpans(exporter: SpanExporter, log: Log): CountedSpans {
  let sent = 0
  let lost = 0
  let saidAt = -Infinity

  function noteLost(count: number, error: Error | undefined): void {
    lost += count
    if (performance.now() - saidAt < QUIET_MS) return
    saidAt = performance.now()
    log.warn({ err: error, lost }, 'traces were not taken by the collector; work is not affected')
  }

  return {
    exporter: {
      export(batch: ReadableSpan[], report) {
        exporter.export(batch, (result) => {
          const code: number = result.code
          if (code === SUCCESS) sent += batch.length
          else noteLost(batch.length, result.error)
          report(result)
        })
      },
      shutdown: () => exporter.shutdown(),
      forceFlush: async () => exporter.forceFlush?.(),
    },
    metrics: [
      numberMetric('counter', 'concord_spans_sent', 'Spans that the collector accepted.', () => sent),
      numberMetric('counter', 'concord_spans_lost', 'Spans that the collector did not accept.', () => lost),
    ],
  }
}
