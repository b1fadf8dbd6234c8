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
import { createWorkerFigures } from '../telemetry/figures/worker.ts'
import type { AttemptTimeline, AttemptDeps } from '../worker/attempt.ts'
import type { Worker } from '../worker/worker.ts'
import type { Telemetry } from './telemetry.ts'

export interface WorkerTelemetrySources {
  readonly worker: Pick<Worker, 'counts' | 'inFlight'>
  readonly sandbox: Pick<Sandbox<unknown>, 'stats'>
  readonly pool: Pool
  readonly log: Log
}

type Over = NonNullable<AttemptDeps['onEnd']>

export interface ShownWorker extends Part {
  readonly onEnd: Over
}

export function showWorker(telemetry: Telemetry, sources: WorkerTelemetrySources): ShownWorker {
  const { worker, sandbox, pool, log } = sources
  const { figures, attempted } = createWorkerFigures({
    attempts: worker.counts,
    inFlight: worker.inFlight,
    sandbox: sandbox.stats,
  })
  telemetry.add(figures)
  const { tracing } = telemetry
  const lookup = tracing && createTraceLookup({ pool, log })
  return {
    name: 'attempt traces',
    onEnd(note, end, timeline) {
      const { startedMs, endedMs = startedMs, readingMs, fault } = timeline
      attempted({ ms: endedMs - startedMs, readingMs, fault })
      if (tracing && lookup) void follow(tracing, lookup, note, end, timeline)
    },
    start: async () => undefined,
    stop: async () => lookup?.drain(),
  }
}

/** Asked only now, when all is committed: an attempt waits for no trace. */
async function follow(
  tracing: Tracing,
  lookup: TraceLookup,
  note: Parameters<Over>[0],
  end: AttemptEnd,
  timeline: AttemptTimeline,
): Promise<void> {
  const isOver = COMPLETIONS.has(end)
  if (!isOver && end !== 'retried') return
  const traceparent = await lookup.take({ ...note, isOver })
  const trace = traceparent && tracing.join('attempt', traceparent, timeline.startedMs)
  if (trace) tell(trace, note.ticket, end, timeline)
}

function tell(trace: Trace, ticket: string, end: AttemptEnd, timeline: AttemptTimeline): void {
  const { startedMs, claimedMs = startedMs, readMs, endedMs = claimedMs, fault } = timeline
  trace.step('claim', startedMs, claimedMs)
  if (readMs !== undefined) {
    trace.step('read', claimedMs, readMs, { ...(fault && { 'concord.fault': fault }) })
    trace.step('settle', readMs, endedMs)
  }
  trace.end(endedMs, { 'concord.end': end, 'concord.ticket': ticket })
}
