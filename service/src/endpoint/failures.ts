/** How the failure of a request to a model endpoint is classed, in closed words; nothing that the endpoint wrote is passed on. */

/** The endpoint, or the way to it, is at fault; the same request may be answered later. */
export type EndpointFailure = 'timeout' | 'unreachable' | 'busy' | 'forbidden' | 'server_error'

/** For statuses of 300 and more that are not about the request itself. */
export function failureOfStatus(status: number): EndpointFailure {
  if (status === 429) return 'busy'
  if (status >= 500 || status === 408) return 'server_error'
  return 'forbidden'
}

/** The endpoint turned this request down, for its content or its length, unless the endpoint is configured wrongly. */
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

/** Milliseconds from a `Retry-After` header, which holds seconds or a date. Null where there is none that makes sense. */
export function parseRetryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : null
}
