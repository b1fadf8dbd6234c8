/** The RateLimit header fields (draft-ietf-httpapi-ratelimit-headers-11), and the faults that carry them. */
import type { ProblemCode } from '@concord/contract'
import { Fault } from '../../domain/fault.ts'
import type { Rate, TokenBucket } from '../../platform/token-bucket.ts'
import type { TenantLimits } from './tenant-usage.ts'

export const POLICY_FIELD = 'ratelimit-policy'
export const LIMIT_FIELD = 'ratelimit'

/** Says which policies apply to a route. */
export interface Applicable {
  readonly stream: boolean
  readonly body: boolean
}

/** Builds the RateLimit-Policy field, which is the same on every response of a route. Undefined if nothing is limited. */
export function policyField(
  { requests, bytes, requestsAtOnce, streams }: TenantLimits,
  { stream, body }: Applicable,
): string | undefined {
  const policies = [
    ratePolicy('requests', requests),
    ...(body ? [ratePolicy('content-bytes', bytes, ';qu="content-bytes"')] : []),
    stream ? concurrencyPolicy('streams', streams) : concurrencyPolicy('concurrent-requests', requestsAtOnce),
  ].filter((policy) => policy !== undefined)
  return policies.length === 0 ? undefined : policies.join(', ')
}

/** The window is the time in which an empty bucket refills, so the quota of the window is the size of the bucket. */
function ratePolicy(name: string, { perSecond, burst }: Rate, unit = ''): string | undefined {
  if (burst === Infinity) return undefined
  return `"${name}";q=${Math.floor(burst)}${unit};w=${Math.max(1, Math.round(burst / perSecond))}`
}

function concurrencyPolicy(name: string, limit: number): string | undefined {
  return limit === Infinity ? undefined : `"${name}";q=${limit};qu="concurrent-requests"`
}

/**
 * Builds the RateLimit field. The remaining requests are rounded to hundredths of the quota, so equal responses stay equal
 * while the tenant has plenty left, and the field reveals nothing about the tenant's other requests.
 */
export function limitField(requests: TokenBucket, { burst }: Rate): string {
  const step = Math.max(1, Math.floor(burst / 100))
  return `"requests";r=${Math.floor(requests.left / step) * step};t=${requests.secondsToFull()}`
}

/** Creates the fault of an exceeded limit. Its headers name the policy and say when to retry. */
export function overLimit(code: ProblemCode, policy: string, waitSeconds: number): Fault {
  return new Fault(code, {
    headers: { 'retry-after': String(waitSeconds), [LIMIT_FIELD]: `"${policy}";r=0;t=${waitSeconds}` },
  })
}
