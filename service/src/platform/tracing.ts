/**
 * Traces, as the rest of the service sees them: something is followed or it is not, and what is followed has steps. Times
 * are milliseconds of the process' own clock. Facts are names and numbers, never content.
 */

export type TraceFacts = Readonly<Record<string, string | number>>

/** One request, or one attempt, that is followed. */
export interface Trace {
  /** The header by which another process joins it, in the form of W3C trace context. */
  readonly traceparent: string
  step(name: string, startMs: number, endMs: number, facts?: TraceFacts): void
  end(endMs: number, facts: TraceFacts): void
}

export interface Tracing {
  /**
   * For a request, by the `traceparent` it came with, if any. Undefined when it is not followed: its caller does not want
   * it, or enough are followed already.
   */
  begin(name: string, traceparent: string | undefined, startMs: number): Trace | undefined
  /** For what a followed request led to. Undefined when the `traceparent` is none. */
  join(name: string, traceparent: string, startMs: number): Trace | undefined
}

export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly sampled: boolean
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const NOTHING = /^0+$/

/** By the rules of W3C trace context; undefined for what is none, which then counts as not sent. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  // A later version may say more; the first one may not.
  if (version === '00' && rest !== undefined) return undefined
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}
