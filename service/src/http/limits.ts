/**
 * The rate limits and quotas of each tenant: requests and bytes per second, concurrent requests and streams, documents in the queue.
 * They are checked right after authentication and before the body is read. Each process counts for itself; only the queue
 * is counted across processes. DELETE requests, and requests of an administrator with a tenant's key, have counters of their own,
 * so a tenant that floods the service cannot block them.
 */
import { defaultBodyLimit, limitsOf } from '@concord/contract'
import type { Operation } from '@concord/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { QueueQuota, QuotaResult } from '../app/documents/queue-quota.ts'
import { Fault } from '../domain/fault.ts'
import type { Readable } from 'node:stream'
import { UsageTable, Permit } from './limits/tenant-usage.ts'
import type { TenantUsage, TenantLimits } from './limits/tenant-usage.ts'
import { ByteBudget, BodyBytes } from './limits/byte-budget.ts'
import type { ByteLimits } from './limits/byte-budget.ts'
import { countPieces } from './limits/counted-body.ts'
import { createRefusalPace } from './limits/refusal-pace.ts'
import type { RefusalPace } from './limits/refusal-pace.ts'
import type { FailedAttempts } from './limits/failed-attempts.ts'
import { LIMIT_FIELD, limitField, overLimit, POLICY_FIELD, policyField } from './limits/rate-limit-fields.ts'

export interface RequestLimits {
  /** Creates the limiter of one route. */
  limiterOf(operation: Operation): RouteLimiter
  readonly failedAttempts: FailedAttempts
}

export interface RouteLimiter {
  /**
   * Admits a request of a tenant, or throws the fault of the limit that it exceeds. Returns a promise only if the queue has to
   * be counted first, or if a refusal is held back. Sets the RateLimit fields of the response. Requests without a tenant are not limited here.
   */
  enter(request: LimitedRequest, reply: LimitedReply): Permit | Promise<Permit> | undefined
  /** Counts the bytes of a body without Content-Length as they arrive. Returns undefined if there is nothing to count. */
  countPieces(request: Pick<FastifyRequest, 'headers' | 'permit'>, body: Readable): Readable | undefined
  /** Debits the byte rate for a body without Content-Length, whose length is known only after it was read. */
  countBody(request: Pick<FastifyRequest, 'headers' | 'permit' | 'rawBody'>): void
}

export type LimitedRequest = Pick<FastifyRequest, 'caller' | 'headers' | 'raw'>
export type LimitedReply = Pick<FastifyReply, 'header'>

export interface LimitsDeps {
  readonly perTenant: TenantLimits
  /** Limits the bytes of request bodies in flight. */
  readonly bytesInFlight: ByteLimits
  readonly failedAttempts: FailedAttempts
  readonly queue: QueueQuota
  /** True while the event loop of this process is too delayed to accept more. */
  readonly isLate: () => boolean
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number
}

/** Sent as Retry-After by the limits that do not refill at a known time. */
const WAIT_SECONDS = { requestsAtOnce: 1, streams: 5, queue: 2 } as const

/** Requests of one category share the counters of their tenant. */
type UsageCategory = 'own' | 'removals' | 'administration'

export function createLimits(deps: LimitsDeps): RequestLimits {
  const usageTables: Readonly<Record<UsageCategory, UsageTable>> = {
    own: new UsageTable(deps.perTenant),
    removals: new UsageTable(deps.perTenant),
    administration: new UsageTable(deps.perTenant),
  }
  const shared = { budget: new ByteBudget(deps.bytesInFlight), pace: createRefusalPace() }
  return {
    failedAttempts: deps.failedAttempts,
    limiterOf: (operation) => createRouteLimiter(deps, usageTables[categoryOf(operation)], shared, operation),
  }
}

/** The counters that the limiters of all routes share. */
interface SharedLimits {
  readonly budget: ByteBudget
  readonly pace: RefusalPace
}

function categoryOf({ tier, method }: Operation): UsageCategory {
  if (tier !== 'public') return 'administration'
  return method === 'DELETE' ? 'removals' : 'own'
}

function createRouteLimiter(
  deps: LimitsDeps,
  usageTable: UsageTable,
  { budget, pace }: SharedLimits,
  operation: Operation,
): RouteLimiter {
  const { perTenant, queue, isLate, monotonicMs } = deps
  const applicable = limitsOf(operation)
  const usageKey = applicable.stream ? 'streams' : 'requestsAtOnce'
  const policy = policyField(perTenant, applicable)
  const counted = perTenant.requests.burst !== Infinity
  const maxBytes = operation.bodyLimit ?? defaultBodyLimit

  /** Checks the cheapest limit first. The byte bucket comes last, so that a refused request takes no bytes from it. */
  function refuse(usage: TenantUsage, tenantId: string, bytes: number, now: number): Fault | undefined {
    if (!usage.requests.take(1, now))
      return overLimit('rate_limited', 'requests', usage.requests.secondsToNext())
    if (usage[usageKey] >= perTenant[usageKey]) return tooMany(usageKey)
    if (applicable.shed && isLate()) return new Fault('overloaded', { internal: 'the event loop is late' })
    // @point http.bytes-in-flight
    if (applicable.shed && bytes > 0 && !budget.fits(tenantId, bytes))
      return new Fault('overloaded', { internal: 'the bytes in flight are used up' })
    if (bytes > 0 && !usage.bytes.take(bytes, now))
      return overLimit('byte_rate_exceeded', 'content-bytes', usage.bytes.secondsToNext())
    return undefined
  }

  return {
    enter({ caller, headers, raw }, reply) {
      if (caller === undefined || !('tenantId' in caller)) return undefined
      requireConnected(raw)
      const { tenantId } = caller
      const now = monotonicMs()
      const usage = usageTable.of(tenantId, now)
      if (policy !== undefined) reply.header(POLICY_FIELD, policy)
      const bytes = Math.min(Number(headers['content-length'] ?? 0), maxBytes)
      const fault = refuse(usage, tenantId, bytes, now)
      if (fault) return pace.refuse(usage.refusals, fault, now)
      if (counted) reply.header(LIMIT_FIELD, limitField(usage.requests, perTenant.requests))
      const bodyBytes = applicable.shed ? new BodyBytes(budget, tenantId) : undefined
      const permit = new Permit(usage, usageKey, bodyBytes)
      bodyBytes?.add(bytes)
      if (!applicable.queue) return permit
      const room = queue.check(tenantId)
      return typeof room === 'string'
        ? keepPermit(permit, room, raw)
        : room.then((each) => keepPermit(permit, each, raw))
    },
    countPieces({ headers, permit }, body) {
      const bodyBytes = permit?.bytes
      if (!bodyBytes || headers['transfer-encoding'] === undefined) return undefined
      return countPieces(body, (bytes) => bodyBytes.add(bytes))
    },
    countBody({ headers, permit, rawBody }) {
      if (permit && rawBody && headers['content-length'] === undefined)
        permit.usage.bytes.debit(rawBody.length)
    },
  }
}

function tooMany(usageKey: 'requestsAtOnce' | 'streams'): Fault {
  return usageKey === 'streams'
    ? overLimit('too_many_streams', 'streams', WAIT_SECONDS.streams)
    : overLimit('too_many_requests_at_once', 'concurrent-requests', WAIT_SECONDS.requestsAtOnce)
}

/** Fastify would wait forever for the body of a client that has disconnected, and the permit would never be released. */
function requireConnected({ destroyed }: LimitedRequest['raw']): void {
  if (destroyed) throw new Fault('malformed_request', { internal: 'the client is gone' })
}

function keepPermit(permit: Permit, room: QuotaResult, raw: LimitedRequest['raw']): Permit {
  try {
    requireRoom(room)
    requireConnected(raw)
    return permit
  } catch (error) {
    permit.release()
    throw error
  }
}

function requireRoom(room: QuotaResult): void {
  switch (room) {
    case 'room':
      return
    case 'tenant_full':
      throw overLimit('queue_quota_exceeded', 'queued-documents', WAIT_SECONDS.queue)
    case 'service_full':
      throw new Fault('queue_full', { headers: { 'retry-after': String(WAIT_SECONDS.queue) } })
  }
}
