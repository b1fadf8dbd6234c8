/**
 * Classifies failures of requests to a model endpoint. The classes are a closed set, and no text of the endpoint is
 * passed on.
 */

/** The endpoint or the network is the cause. A retry may succeed. */
export type EndpointFailure = 'timeout' | 'unreachable' | 'busy' | 'forbidden' | 'server_error'

/** For statuses from 300 that are not about the request itself. */
export function failureOfStatus(status: number): EndpointFailure {
  if (status === 429) return 'busy'
  if (status >= 500 || status === 408) return 'server_error'
  return 'forbidden'
}

/** Whether the endpoint refused this request for its content or length, or is configured wrongly. */
export function isRefusalStatus(status: number): boolean {
  return status === 400 || status === 413 || status === 422
}

export function isAbort(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'AbortError' || cause.name === 'TimeoutError')
}

/** Whether a condition holds for an error or for one of its causes. */
export function isCausedBy(error: unknown, holds: (cause: unknown) => boolean): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (holds(cause)) return true
  return false
}

/** Parses a `Retry-After` header, in seconds or as a date, into milliseconds. Returns null if there is no valid one. */
export function parseRetryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : null
}
