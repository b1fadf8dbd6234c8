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
import type { AttemptCourse, AttemptDeps } from '../worker/attempt.ts'
import type { Worker } from '../worker/worker.ts'
import type { Telemetry } from './telemetry.ts'

export interface WorkerTelemetrySources {
  readonly worker: Pick<Worker, 'counts' | 'inHand'>
  readonly sandbox: Pick<Sandbox<unknown>, 'stats'>
  readonly pool: Pool
  readonly log: Log
}

type Over = NonNullable<AttemptDeps['over']>

export interface ShownWorker extends Part {
  readonly over: Over
}

export function showWorker(telemetry: Telemetry, sources: WorkerTelemetrySources): ShownWorker {
  const { worker, sandbox, pool, log } = sources
  const { figures, attempted } = createWorkerFigures({
    attempts: worker.counts,
    inHand: worker.inHand,
    sandbox: sandbox.stats,
  })
  telemetry.add(figures)
  const { tracing } = telemetry
  const lookup = tracing && createTraceLookup({ pool, log })
  return {
    name: 'attempt traces',
    over(note, end, course) {
      const { startedMs, overMs = startedMs, readingMs, fault } = course
      attempted({ ms: overMs - startedMs, readingMs, fault })
      if (tracing && lookup) void follow(tracing, lookup, note, end, course)
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
  course: AttemptCourse,
): Promise<void> {
  const isOver = COMPLETIONS.has(end)
  if (!isOver && end !== 'retried') return
  const traceparent = await lookup.take({ ...note, isOver })
  const trace = traceparent && tracing.join('attempt', traceparent, course.startedMs)
  if (trace) tell(trace, note.ticket, end, course)
}

function tell(trace: Trace, ticket: string, end: AttemptEnd, course: AttemptCourse): void {
  const { startedMs, claimedMs = startedMs, readMs, overMs = claimedMs, fault } = course
  trace.step('claim', startedMs, claimedMs)
  if (readMs !== undefined) {
    trace.step('read', claimedMs, readMs, { ...(fault && { 'concord.fault': fault }) })
    trace.step('settle', readMs, overMs)
  }
  trace.end(overMs, { 'concord.end': end, 'concord.ticket': ticket })
}
