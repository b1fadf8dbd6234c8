/** The metrics of a worker, and the traces of its attempts. */
import { createTraceLookup } from '../app/processing/work-traces.ts'
import type { TraceLookup } from '../app/processing/work-traces.ts'
import { COMPLETIONS } from '../domain/attempt-end.ts'
import type { AttemptEnd } from '../domain/attempt-end.ts'
import type { Sandbox } from '../hatchery/sandbox.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Trace, Tracing } from '../platform/tracing.ts'
import type { Pool } from '../store/pools.ts'
import { createWorkerMetrics } from '../telemetry/metrics/worker.ts'
import type { AttemptTimeline, AttemptDeps } from '../worker/attempt.ts'
import type { Worker } from '../worker/worker.ts'
import type { Telemetry } from './telemetry.ts'

export interface WorkerTelemetrySources {
  readonly worker: Pick<Worker, 'counts' | 'inFlight'>
  readonly sandbox: Pick<Sandbox<unknown>, 'stats'>
  readonly pool: Pool
  readonly log: Log
}

type OnEnd = NonNullable<AttemptDeps['onEnd']>

export interface ObservedWorker extends Part {
  readonly onEnd: OnEnd
}

export function observeWorker(telemetry: Telemetry, sources: WorkerTelemetrySources): ObservedWorker {
  const { worker, sandbox, pool, log } = sources
  const { metrics, attempted } = createWorkerMetrics({
    attempts: worker.counts,
    inFlight: worker.inFlight,
    sandbox: sandbox.stats,
  })
  telemetry.add(metrics)
  const { tracing } = telemetry
  const lookup = tracing && createTraceLookup({ pool, log })
  return {
    name: 'attempt traces',
    onEnd(message, end, timeline) {
      const { startedMs, endedMs = startedMs, readingMs, fault } = timeline
      attempted({ ms: endedMs - startedMs, readingMs, fault })
      if (tracing && lookup) void recordTrace(tracing, lookup, message, end, timeline)
    },
    start: async () => undefined,
    stop: async () => lookup?.drain(),
  }
}

/** Looks up the trace after the commit, so that no attempt waits for it. */
async function recordTrace(
  tracing: Tracing,
  lookup: TraceLookup,
  message: Parameters<OnEnd>[0],
  end: AttemptEnd,
  timeline: AttemptTimeline,
): Promise<void> {
  const isOver = COMPLETIONS.has(end)
  if (!isOver && end !== 'retried') return
  const traceparent = await lookup.take({ ...message, isOver })
  const trace = traceparent && tracing.join('attempt', traceparent, timeline.startedMs)
  if (trace) addSpans(trace, message.ticket, end, timeline)
}

function addSpans(trace: Trace, ticket: string, end: AttemptEnd, timeline: AttemptTimeline): void {
  const { startedMs, claimedMs = startedMs, readMs, endedMs = claimedMs, fault } = timeline
  trace.step('claim', startedMs, claimedMs)
  if (readMs !== undefined) {
    trace.step('read', claimedMs, readMs, { ...(fault && { 'concord.fault': fault }) })
    trace.step('settle', readMs, endedMs)
  }
  trace.end(endedMs, { 'concord.end': end, 'concord.ticket': ticket })
}
