/** The RateLimit header fields (draft-ietf-httpapi-ratelimit-headers-11), and the faults that carry them. */
import type { ProblemCode } from '@concord/contract'
import { Fault } from '../../domain/fault.ts'
import type { Rate, TokenBucket } from '../../platform/token-bucket.ts'
import type { TenantLimits } from './accounts.ts'

export const POLICY_FIELD = 'ratelimit-policy'
export const LIMIT_FIELD = 'ratelimit'

/** Which policies hold for a kind of request. */
export interface Applicable {
  readonly stream: boolean
  readonly body: boolean
}

/** The same on every answer of a route, so made once; undefined where nothing is limited. */
export function policyField(
  { requests, bytes, requestsAtOnce, streams }: TenantLimits,
  { stream, body }: Applicable,
): string | undefined {
  const policies = [
    ratePolicy('requests', requests),
    ...(body ? [ratePolicy('content-bytes', bytes, ';qu="content-bytes"')] : []),
    stream ? placePolicy('streams', streams) : placePolicy('concurrent-requests', requestsAtOnce),
  ].filter((policy) => policy !== undefined)
  return policies.length === 0 ? undefined : policies.join(', ')
}

/** The bucket is full again after the window: the quota of the window is what it holds. */
function ratePolicy(name: string, { perSecond, burst }: Rate, unit = ''): string | undefined {
  if (burst === Infinity) return undefined
  return `"${name}";q=${Math.floor(burst)}${unit};w=${Math.max(1, Math.round(burst / perSecond))}`
}

function placePolicy(name: string, limit: number): string | undefined {
  return limit === Infinity ? undefined : `"${name}";q=${limit};qu="concurrent-requests"`
}

/**
 * The remaining requests, in hundredths of the whole: answers that are equal otherwise stay equal while the tenant
 * has plenty, and nothing can be read from them about what else goes on.
 */
export function limitField(requests: TokenBucket, { burst }: Rate): string {
  const step = Math.max(1, Math.floor(burst / 100))
  return `"requests";r=${Math.floor(requests.left / step) * step};t=${requests.secondsToFull()}`
}

/** A limit is used up; the caller is told which, and when to come again. */
export function overLimit(code: ProblemCode, policy: string, waitSeconds: number): Fault {
  return new Fault(code, {
    headers: { 'retry-after': String(waitSeconds), [LIMIT_FIELD]: `"${policy}";r=0;t=${waitSeconds}` },
  })
}
