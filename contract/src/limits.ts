/** Which limits a request meets. One place, so that what is enforced and what is documented cannot differ. */
import type { Operation } from './operation.ts'

export interface ApplicableLimits {
  /** It acts for a tenant, whose requests are counted. */
  readonly tenant: boolean
  /** It stays open, and is counted among the streams instead of the requests at once. */
  readonly stream: boolean
  /** It may bring bytes. */
  readonly body: boolean
  /** It adds to the queue. An administrator's trigger does so on purpose, and is not refused. */
  readonly queue: boolean
  /** Work that a tenant can send again later: the first to be refused while the service cannot keep up. */
  readonly shed: boolean
}

export function limitsOf(operation: Operation): ApplicableLimits {
  const own = operation.tier === 'public' && operation.anonymous !== true
  return {
    tenant: own || operation.tenantKey === true || operation.tenantKeyOptional === true,
    stream: Object.values(operation.answers).includes('event-stream'),
    body: operation.method !== 'GET',
    queue: own && operation.queues === true,
    shed: own && operation.method === 'POST',
  }
}
