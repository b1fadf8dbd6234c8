/** Limits for servers of tests: none, unless a test says which. */
import { createLimits } from '../../src/http/limits.ts'
import type { RequestLimits, LimitsDeps } from '../../src/http/limits.ts'
import { createFailedAttempts } from '../../src/http/limits/failed-attempts.ts'
import { UNLIMITED } from '../../src/platform/token-bucket.ts'

export function noLimits(but: Partial<LimitsDeps> = {}): RequestLimits {
  const monotonicMs = () => performance.now()
  return createLimits({
    perTenant: { requests: UNLIMITED, bytes: UNLIMITED, requestsAtOnce: Infinity, streams: Infinity },
    bytesInFlight: { perTenant: Infinity, total: Infinity },
    failedAttempts: createFailedAttempts(UNLIMITED, monotonicMs),
    queue: { check: () => 'room' },
    isLate: () => false,
    monotonicMs,
    ...but,
  })
}
