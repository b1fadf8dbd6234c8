/** The metrics of an API process, collected from its parts. */
import type { DocumentsDeps } from '../app/documents/documents.ts'
import { watchIngest, watchQueued } from '../app/documents/ingest-watch.ts'
import type { Ingest } from '../app/documents/ingest.ts'
import type { Presence } from '../app/health/presence.ts'
import type { Readiness } from '../app/health/readiness.ts'
import { createTraceRecorder } from '../app/processing/work-traces.ts'
import type { EventStreams } from '../http/event-streams.ts'
import type { RequestWatch } from '../http/request-watch.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Pools } from '../store/pools.ts'
import { createApiMetrics } from '../telemetry/metrics/api.ts'
import type { Telemetry } from './telemetry.ts'

export interface ApiTelemetrySources {
  readonly pools: Pools
  readonly presence: Pick<Presence, 'silenceMs' | 'members'>
  readonly readiness: Pick<Readiness, 'read'>
  readonly streams: Pick<EventStreams, 'count'>
  readonly log: Log
}

export interface ApiTelemetry {
  readonly parts: readonly Part[]
  readonly recordBatch: (documents: number, ms: number) => void
  /** Add it to the dependencies of the document routes. */
  readonly queueing: Pick<DocumentsDeps, 'noteQueued'>
  /**
   * Without metrics and traces this returns `ingest` unchanged and `requests` is undefined, so requests have no
   * overhead.
   */
  watchIngest(ingest: Ingest): Ingest
  readonly requests: RequestWatch | undefined
}

export function showApi(telemetry: Telemetry, sources: ApiTelemetrySources): ApiTelemetry {
  const { pools, presence, readiness, streams, log } = sources
  const { tracing, servesMetrics } = telemetry
  const { metrics, answered, ingested, flushed } = createApiMetrics({
    openStreams: streams.count,
    checks: () => readiness.read().checks,
    silenceMs: presence.silenceMs,
    alive: (role) => presence.members().filter((member) => member.role === role && member.alive).length,
  })
  telemetry.add(metrics)
  const notes = tracing && createTraceRecorder({ pool: pools.tenant, log })
  const isWatched = servesMetrics || tracing !== undefined
  return {
    parts: telemetry.parts,
    recordBatch: flushed,
    queueing: notes ? { noteQueued: watchQueued(notes) } : {},
    watchIngest: (ingest) => (isWatched ? watchIngest(ingest, { ingested, notes }) : ingest),
    requests: isWatched ? { answered, tracing } : undefined,
  }
}
