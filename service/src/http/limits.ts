/**
 * The limits of each tenant at the door: requests and bytes a second, requests and streams at once, documents in the queue.
 * They are asked right after the credential is known and before a body is read. What is counted is counted in this
 * process; only the queue is everybody's. Removals, and what an administrator does beside a tenant's key, are counted apart,
 * so that a tenant's own flood takes nothing away from them.
 */
import { defaultBodyLimit, limitsOf } from '@concord/contract'
import type { Operation } from '@concord/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { QueueQuota, Room } from '../app/documents/queue-quota.ts'
import { Fault } from '../domain/fault.ts'
import type { Readable } from 'node:stream'
import { Accounts, Pass } from './limits/accounts.ts'
import type { Account, TenantLimits } from './limits/accounts.ts'
import { ByteBudget, HeldBytes } from './limits/byte-budget.ts'
import type { ByteLimits } from './limits/byte-budget.ts'
import { countPieces } from './limits/counted-body.ts'
import type { FailedAttempts } from './limits/failed-attempts.ts'
import { LIMIT_FIELD, limitField, overLimit, POLICY_FIELD, policyField } from './limits/rate-limit-fields.ts'

export interface RequestLimits {
  /** The door of one route. */
  gateOf(operation: Operation): RouteLimiter
  readonly failedAttempts: FailedAttempts
}

export interface RouteLimiter {
  /**
   * Lets a request of a tenant in, or throws the limit that it meets; a promise only where the queue has to be counted
   * first. Sets the RateLimit fields of the answer. Whoever acts for no tenant has no limits here.
   */
  enter(request: Entering, reply: Leaving): Pass | Promise<Pass> | undefined
  /** Counts the bytes of a body without Content-Length as they come; undefined where there is nothing to count. */
  countPieces(request: Pick<FastifyRequest, 'headers' | 'pass'>, body: Readable): Readable | undefined
  /** The length of a body that came in pieces is known only afterwards. */
  countBody(request: Pick<FastifyRequest, 'headers' | 'pass' | 'rawBody'>): void
}

export type Entering = Pick<FastifyRequest, 'caller' | 'headers' | 'raw'>
export type Leaving = Pick<FastifyReply, 'header'>

export interface LimitsDeps {
  readonly perTenant: TenantLimits
  /** Bytes of bodies in flight. */
  readonly bytesInFlight: ByteLimits
  readonly failedAttempts: FailedAttempts
  readonly queue: QueueQuota
  /** True while this process is too late to take on more. */
  readonly isLate: () => boolean
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number
}

/** How long to wait where no clock tells when a place becomes free. */
const WAIT_SECONDS = { requestsAtOnce: 1, streams: 5, queue: 2 } as const

/** Whose requests are counted together. */
type Ledger = 'own' | 'removals' | 'administration'

export function createLimits(deps: LimitsDeps): RequestLimits {
  const ledgers: Readonly<Record<Ledger, Accounts>> = {
    own: new Accounts(deps.perTenant),
    removals: new Accounts(deps.perTenant),
    administration: new Accounts(deps.perTenant),
  }
  const budget = new ByteBudget(deps.bytesInFlight)
  return {
    failedAttempts: deps.failedAttempts,
    gateOf: (operation) => createGate(deps, ledgers[ledgerOf(operation)], budget, operation),
  }
}

function ledgerOf({ tier, method }: Operation): Ledger {
  if (tier !== 'public') return 'administration'
  return method === 'DELETE' ? 'removals' : 'own'
}

function createGate(
  deps: LimitsDeps,
  accounts: Accounts,
  budget: ByteBudget,
  operation: Operation,
): RouteLimiter {
  const { perTenant, queue, isLate, monotonicMs } = deps
  const applicable = limitsOf(operation)
  const place = applicable.stream ? 'streams' : 'requestsAtOnce'
  const policy = policyField(perTenant, applicable)
  const counted = perTenant.requests.burst !== Infinity
  const maxBytes = operation.bodyLimit ?? defaultBodyLimit

  /** In the order in which it costs least to say no; what is taken from a bucket is taken last. */
  function refuse(account: Account, tenantId: string, bytes: number, now: number): Fault | undefined {
    if (!account.requests.take(1, now))
      return overLimit('rate_limited', 'requests', account.requests.secondsToNext())
    if (account[place] >= perTenant[place]) return noPlace(place)
    if (applicable.shed && isLate()) return new Fault('overloaded', { internal: 'the event loop is late' })
    // @point http.bytes-in-flight
    if (applicable.shed && bytes > 0 && !budget.fits(tenantId, bytes))
      return new Fault('overloaded', { internal: 'the bytes in flight are used up' })
    if (bytes > 0 && !account.bytes.take(bytes, now))
      return overLimit('byte_rate_exceeded', 'content-bytes', account.bytes.secondsToNext())
    return undefined
  }

  return {
    enter({ caller, headers, raw }, reply) {
      if (caller === undefined || !('tenantId' in caller)) return undefined
      requirePresent(raw)
      const { tenantId } = caller
      const now = monotonicMs()
      const account = accounts.of(tenantId, now)
      if (policy !== undefined) reply.header(POLICY_FIELD, policy)
      const bytes = Math.min(Number(headers['content-length'] ?? 0), maxBytes)
      const fault = refuse(account, tenantId, bytes, now)
      if (fault) throw fault
      if (counted) reply.header(LIMIT_FIELD, limitField(account.requests, perTenant.requests))
      const held = applicable.shed ? new HeldBytes(budget, tenantId) : undefined
      const pass = new Pass(account, place, held)
      held?.add(bytes)
      if (!applicable.queue) return pass
      const room = queue.check(tenantId)
      return typeof room === 'string' ? keepIn(pass, room, raw) : room.then((each) => keepIn(pass, each, raw))
    },
    countPieces({ headers, pass }, body) {
      const held = pass?.bytes
      if (!held || headers['transfer-encoding'] === undefined) return undefined
      return countPieces(body, (bytes) => held.add(bytes))
    },
    countBody({ headers, pass, rawBody }) {
      if (pass && rawBody && headers['content-length'] === undefined) pass.account.bytes.owe(rawBody.length)
    },
  }
}

function noPlace(place: 'requestsAtOnce' | 'streams'): Fault {
  return place === 'streams'
    ? overLimit('too_many_streams', 'streams', WAIT_SECONDS.streams)
    : overLimit('too_many_requests_at_once', 'concurrent-requests', WAIT_SECONDS.requestsAtOnce)
}

/** The framework would wait for ever for the body of a client that is gone already, and its place with it. */
function requirePresent({ destroyed }: Entering['raw']): void {
  if (destroyed) throw new Fault('malformed_request', { internal: 'the client is gone' })
}

function keepIn(pass: Pass, room: Room, raw: Entering['raw']): Pass {
  try {
    requireRoom(room)
    requirePresent(raw)
    return pass
  } catch (error) {
    pass.leave()
    throw error
  }
}

function requireRoom(room: Room): void {
  switch (room) {
    case 'room':
      return
    case 'tenant_full':
      throw overLimit('queue_quota_exceeded', 'queued-documents', WAIT_SECONDS.queue)
    case 'service_full':
      throw new Fault('queue_full', { headers: { 'retry-after': String(WAIT_SECONDS.queue) } })
  }
}
