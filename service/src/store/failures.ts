/** Tells a database that is away from a statement that is wrong. */
import { FairQueueTimeout } from '../platform/fair-queue.ts'

/** A server that only reads: a standby, or a primary that was told to refuse writes. */
const READ_ONLY = '25006'

/**
 * Connection exceptions, insufficient resources, operator intervention (shutdown, restart, cancelled), a lock that was not to be had
 * in time, a transaction that was given up because its process did not go on with it, and a server that only reads.
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
/** Errors of the network, and of a server that starts, stops or has too many guests. */
const REFUSALS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', '57P03', '53300'])
/** The driver gives these no code. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** True when trying again later may help: the database is away, or a timeout ended the statement. */
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

/** Statement and lock timeouts, and transactions that stood idle for too long. The database is there; it was asked for too much at once. */
const TIMEOUT_STATES = new Set(['25P03', '55P03', '57014'])

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && TIMEOUT_STATES.has(String(error.code))
}

/** The database is away, for everybody and everything: neither another statement nor a smaller one would do better. */
export function isOutage(error: unknown): boolean {
  return isUnavailable(error) && !isTimeout(error)
}

/** Refused at the door, or never there: nothing that was asked has happened. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return REFUSALS.has(code) || error.message.startsWith('timeout exceeded when trying to connect')
}

/** The connection has not said a word in time, and may never again: nothing more should be asked on it. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** The connection leads to a server that only reads. Another connection may lead to the one that took its place. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY
}

export class ReadOnlyServer extends Error {
  readonly code = READ_ONLY

  constructor() {
    super('Postgres only reads: it is a standby, or default_transaction_read_only is on')
    this.name = 'ReadOnlyServer'
  }
}

/** Two transactions stood in each other's way and this one gave in: the same again will do. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
}

/** The role lacks a right, or row-level security would hide rows from one who asked for all of them. */
export function isNotAllowed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}
