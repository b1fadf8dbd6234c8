/**
 * Lets pages of other origins call the service (CORS), where the operator names those origins. Credentials are headers that
 * a page sets itself, never cookies, so an allowed origin gains nothing that it has no key for.
 */
import type { FastifyRequest } from 'fastify'

/** The headers that a page may read of an answer, beyond the few headers that browsers show by themselves. */
const EXPOSED = [
  'X-Request-Id',
  'Location',
  'ETag',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ')

const HEADER_NAMES = /^[A-Za-z0-9-]+(?: *, *[A-Za-z0-9-]+)*$/

/** How long a browser may keep what a preflight said. */
const PREFLIGHT_SECONDS = '600'

export interface Cors {
  /** For every answer; empty where no origin is allowed. */
  headersFor(origin: string | undefined): Readonly<Record<string, string>>
  /** For a preflight of an allowed origin, given the methods of its path; undefined for any other request. */
  preflight(request: FastifyRequest, methods: readonly string[]): Readonly<Record<string, string>> | undefined
}

/** `*` among the origins stands for all of them. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins)
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (allowed.has('*') || allowed.has(origin))
  return {
    headersFor(origin) {
      if (allowed.size === 0) return {}
      if (!isAllowed(origin)) return { vary: 'Origin' }
      return {
        vary: 'Origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
      }
    },
    preflight({ method, headers }, methods) {
      if (method !== 'OPTIONS' || methods.length === 0 || !isAllowed(headers.origin)) return undefined
      if (headers['access-control-request-method'] === undefined) return undefined
      const asked = headers['access-control-request-headers'] ?? ''
      return {
        'access-control-allow-methods': methods.join(', '),
        ...(HEADER_NAMES.test(asked) && { 'access-control-allow-headers': asked }),
        'access-control-max-age': PREFLIGHT_SECONDS,
        vary: 'Origin, Access-Control-Request-Headers',
      }
    },
  }
}
