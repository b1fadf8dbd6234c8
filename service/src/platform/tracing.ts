/**
 * The interface of tracing. A request or an attempt is traced or not, and a trace has steps. Times are milliseconds of
 * the monotonic clock. Attributes are names and numbers, never content.
 */

export type TraceFacts = Readonly<Record<string, string | number>>

/** The trace of one request or one attempt. */
export interface Trace {
  /** The W3C `traceparent` header with which another process joins the trace. */
  readonly traceparent: string
  step(name: string, startMs: number, endMs: number, facts?: TraceFacts): void
  end(endMs: number, facts: TraceFacts): void
}

export interface Tracing {
  /**
   * Starts the trace of a request, with its `traceparent` if it has one. Returns undefined if the request is not
   * traced, because its caller does not want it or the limit is reached.
   */
  begin(name: string, traceparent: string | undefined, startMs: number): Trace | undefined
  /** Starts the trace of an attempt of a traced request. Returns undefined if the `traceparent` is invalid. */
  join(name: string, traceparent: string, startMs: number): Trace | undefined
}

export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const NOTHING = /^0+$/

/** Parses a header by the rules of W3C trace context. Returns undefined for an invalid header, which is ignored. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  // A later version may have more fields; version 00 may not.
  if (version === '00' && rest !== undefined) return undefined
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}
