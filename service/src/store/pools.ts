/**
 * Connection pools for Postgres. A process uses three roles: `concord_api` works inside one tenant at a time; the registrar finds
 * keys and tenants before a tenant is known; the kernel sees the work and the logs of all tenants. The last two cannot read
 * content.
 */
import { Pool as PgPool } from 'pg'
import type { PoolClient } from 'pg'
import { FairQueue } from '../platform/fair-queue.ts'
import type { Log } from '../platform/log.ts'

/** With `turns`, a transaction waits for its turn in that queue before it takes a connection. */
export type Pool = PgPool & { readonly turns?: FairQueue }
export type PoolConnection = PoolClient

export interface Pools {
  /** Role concord_api: every statement runs in a transaction of one tenant. */
  readonly tenant: Pool
  /** The same role, for the statements that accept documents: each has documents of many tenants. */
  readonly ingest: Pool
  /** The same role, for the runtime switches and the readiness probe, so that they do not wait behind the load of tenants. */
  readonly control: Pool
  /** Role concord_registrar: tenants by name, keys by id. */
  readonly registry: Pool
  /** Role concord_kernel: the work and the logs of all tenants, ids only. */
  readonly kernel: Pool
  /** The kernel role with one connection, so that the audit chain never waits for a connection behind the dispatcher. */
  readonly auditChain: Pool
  close(): Promise<void>
}

export interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly log: Log
  /** Pipelines the tenants' connections: independent statements are sent without waiting for the previous answer. */
  readonly pipelined?: boolean
  /** Gives each tenant a share of the connections, of which at most one waits for the lock of a scope. */
  readonly shared?: boolean
  readonly timeouts?: Timeouts
}

interface Timeouts {
  readonly statementMs: number
  readonly idleInTransactionMs: number
}

const TIMEOUTS: Timeouts = {
  /** No statement should take seconds. One that does is stuck, and its caller gets an error. */
  statementMs: 5_000,
  /**
   * A process that stalls between two statements may hold the lock of a scope, and a request that waits for it has less
   * than 5 s.
   */
  idleInTransactionMs: 2_000,
}

/**
 * The estimated cost of short statements over many partitions exceeds the JIT threshold, and compiling takes longer than
 * running them.
 */
const NO_JIT = '-c jit=off'

/**
 * The statements over all tenants are few, long and always the same. By default Postgres plans them again each time, and planning
 * a dispatch takes three times as long as executing it.
 */
const GENERIC_PLAN = '-c plan_cache_mode=force_generic_plan'

/** A generic plan may be made while tables are empty, when a sequential scan looks as cheap as an index scan. */
const NO_SEQ_SCAN = '-c enable_seqscan=off'

/** The maximum number of document batches that are written at the same time. */
export const INGEST_CONNECTIONS = 4
/** One of these is reserved for the readiness probe. */
const CONTROL_CONNECTIONS = 4
/** Equals the deadline of a request: a caller that waits this long behind its own tenant's requests gets 503. */
const TURN_WAIT_MS = 5_000

export function openPools(options: PoolOptions): Pools {
  const { pipelined = false, shared = false, ...others } = options
  const share = (pool: Pool, slots: number) =>
    shared ? Object.assign(pool, { turns: new FairQueue({ slots, waitMs: TURN_WAIT_MS }) }) : pool
  const tenant = share(openPool({ ...others, pipelined }, options.size, ''), options.size)
  const ingest = openPool(others, INGEST_CONNECTIONS, '')
  const control = share(openPool(others, CONTROL_CONNECTIONS, ''), CONTROL_CONNECTIONS - 1)
  const registry = openPool(others, Math.max(2, Math.ceil(options.size / 4)), '-c role=concord_registrar')
  const asKernel = `-c role=concord_kernel ${GENERIC_PLAN} ${NO_SEQ_SCAN}`
  const kernel = openPool(others, 2, asKernel)
  const auditChain = openPool(others, 1, asKernel)
  const all = { tenant, ingest, control, registry, kernel, auditChain }
  let closing: Promise<void> | undefined
  return {
    ...all,
    close: () =>
      (closing ??= Promise.all(Object.values(all).map((pool) => pool.end())).then(() => undefined)),
  }
}

function openPool(
  { url, log, pipelined = false, timeouts = TIMEOUTS }: PoolOptions,
  size: number,
  options: string,
): Pool {
  const pool = new PgPool({
    connectionString: url,
    max: size,
    options: `${options} ${NO_JIT}`,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: timeouts.statementMs,
    // A timer of the client, because a server-side timeout cannot reach a half-open connection.
    query_timeout: timeouts.statementMs + 1_000,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    keepAlive: true,
    pipeline: pipelined,
    application_name: 'concord',
  })
  // A Postgres restart raises 'error' on checked-out and idle clients. Without a listener on each client, the event would end
  // the process.
  pool.on('connect', (client) => {
    // @point database.connection-error
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  return pool
}
