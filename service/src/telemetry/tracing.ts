/**
 * Sends traces of requests and of their attempts to a collector, by OTLP over HTTP. The number of traces is limited, so
 * that neither a caller that wants every request traced nor heavy load makes tracing expensive.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as spans, TraceFlags } from '@opentelemetry/api'
import type { Context, Span, Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Metric } from '../platform/metrics.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { formatTraceparent, parseTraceparent } from '../platform/tracing.ts'
import type { TraceFacts, Trace, TraceContext, Tracing } from '../platform/tracing.ts'
import { countSpans } from './span-counts.ts'

export interface TracingOptions {
  /** The address of the collector, without `/v1/traces`. */
  readonly endpoint: string
  /** The maximum of traced requests a second: this many whose callers want a trace, and as many others. */
  readonly perSecond: number
  readonly process: string
  readonly version: string
  readonly log: Log
}

export interface RunningTracing extends Tracing, Part {
  readonly metrics: readonly Metric[]
}

const SEND_EVERY_MS = 1_000
const SEND_WITHIN_MS = 3_000
const MAX_WAITING = 4_096

export function createTracing({
  endpoint,
  perSecond,
  process,
  version,
  log,
}: TracingOptions): RunningTracing {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const counted = countSpans(new OTLPTraceExporter({ url, timeoutMillis: SEND_WITHIN_MS }), log)
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `concord-${process}`, 'service.version': version }),
    // The decision to trace a request was made before its spans.
    spanProcessors: [
      new BatchSpanProcessor(counted.exporter, {
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
        maxQueueSize: MAX_WAITING,
      }),
    ],
  })
  const tracer = provider.getTracer('concord')
  const wanted = createBudget(perSecond)
  const others = createBudget(perSecond)
  return {
    name: 'tracing',
    stopWithinMs: SEND_WITHIN_MS + 500,
    metrics: counted.metrics,
    begin(name, traceparent, startMs) {
      const parent = parseTraceparent(traceparent)
      if (parent && !parent.sampled) return undefined
      if (!(parent ? wanted : others)(startMs)) return undefined
      return startTrace(tracer, { name, kind: SpanKind.SERVER, startMs, parent })
    },
    join(name, traceparent, startMs) {
      const parent = parseTraceparent(traceparent)
      return parent && startTrace(tracer, { name, kind: SpanKind.CONSUMER, startMs, parent })
    },
    start: async () => undefined,
    // An unreachable collector was logged already, and must not fail the stop.
    stop: () => provider.shutdown().catch(() => undefined),
  }
}

/** Allows this many in each second of the monotonic clock. */
function createBudget(perSecond: number): (nowMs: number) => boolean {
  let second = -1
  let spent = 0
  return (nowMs) => {
    const now = Math.floor(nowMs / 1_000)
    if (now !== second) {
      second = now
      spent = 0
    }
    if (spent >= perSecond) return false
    spent += 1
    return true
  }
}

interface SpanRequest {
  readonly name: string
  readonly kind: SpanKind
  readonly startMs: number
  readonly parent: TraceContext | undefined
}

function startTrace(tracer: Tracer, { name, kind, startMs, parent }: SpanRequest): Trace {
  // The offset is read once, so that the spans of one trace keep their distances.
  const offset = Date.now() - performance.now()
  const span = tracer.startSpan(name, { kind, startTime: offset + startMs }, contextOf(parent))
  const { traceId, spanId } = span.spanContext()
  const within = spans.setSpan(ROOT_CONTEXT, span)
  return {
    traceparent: formatTraceparent({ traceId, spanId, sampled: true }),
    step(step, stepStartMs, stepEndMs, facts = {}) {
      const options = { startTime: offset + stepStartMs, attributes: { ...facts } }
      tracer.startSpan(step, options, within).end(offset + stepEndMs)
    },
    end: (endMs, facts) => endSpan(span, offset + endMs, facts),
  }
}

function contextOf(parent: TraceContext | undefined): Context {
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId } = parent
  return spans.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
}

function endSpan(span: Span, endTime: number, facts: TraceFacts): void {
  if (Number(facts['http.response.status_code'] ?? 0) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttributes({ ...facts })
  span.end(endTime)
}
