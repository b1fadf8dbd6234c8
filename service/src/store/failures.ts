/** Classifies database errors: outages, timeouts, conflicts and faulty statements. */
import { FairQueueTimeout } from '../platform/fair-queue.ts'

/** The codes of a read-only server: a standby, or a primary in read-only mode. */
const READ_ONLY = '25006'

/**
 * Connection exceptions, insufficient resources, operator intervention (shutdown, restart, cancelled), lock timeouts, timeouts of
 * idle transactions, and read-only servers.
 */
const UNAVAILABLE_STATES = /^(?:08|53|57|25P03|55P03|25006)/
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
/** The codes of network errors, and of a server that is starting, stopping or out of connections. */
const REFUSALS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', '57P03', '53300'])
/** Errors of the driver without a code. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** True if a later retry may succeed: the database is unavailable, or the statement timed out. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return (
    error instanceof FairQueueTimeout ||
    NETWORK_CODES.has(code) ||
    (code.length === 5 && UNAVAILABLE_STATES.test(code)) ||
    DRIVER_MESSAGES.test(error.message)
  )
}

const TIMEOUT_STATES = new Set(['25P03', '55P03', '57014'])

/** True for timeouts of statements, locks and idle transactions. The database is available but overloaded. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && TIMEOUT_STATES.has(String(error.code))
}

/** True if the database is unavailable, so that no other statement would succeed either. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) && !isTimeout(error)
}

/** True if the connection was refused, so that nothing was executed. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return REFUSALS.has(code) || error.message.startsWith('timeout exceeded when trying to connect')
}

/** True if the connection did not answer in time. It must not be used any more. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** True if the server is read-only. After a failover, a new connection may lead to the primary. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY
}

export class ReadOnlyServer extends Error {
  readonly code = READ_ONLY

  constructor() {
    super('Postgres is read-only: it is a standby, or default_transaction_read_only is on')
    this.name = 'ReadOnlyServer'
  }
}

/** True for a conflict of two transactions (deadlock or serialization failure). A retry will succeed. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
}

/** True if the role lacks a privilege, or if row-level security would hide rows from a statement that needs all. */
export function isNotAllowed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}
