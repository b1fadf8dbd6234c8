/**
 * Connections to Postgres. A process has several hats: as itself it works inside one tenant at a
 * time; as the registrar it finds keys and tenants before a tenant is known; as the kernel it sees the work and the
 * logs of all tenants. The last two can touch no content.
 */
import { Pool as PgPool } from 'pg'
import type { PoolClient } from 'pg'
import { FairQueue } from '../platform/fair-queue.ts'
import type { Log } from '../platform/log.ts'

/** With `turns`, transactions ask there for their turn before they take a connection. */
export type Pool = PgPool & { readonly turns?: FairQueue }
export type PoolConnection = PoolClient

export interface Pools {
  /** Role concord_api: every statement runs in a transaction of one tenant. */
  readonly tenant: Pool
  /** The same role, for the statements that accept documents: each holds those of many tenants. */
  readonly ingest: Pool
  /** The same role, for the runtime switches and the readiness probe: no tenant's load keeps them waiting. */
  readonly control: Pool
  /** Role concord_registrar: tenants by name, keys by id. */
  readonly registry: Pool
  /** Role concord_kernel: the work and the logs of all tenants, ids only. */
  readonly kernel: Pool
  /** The same role, one connection: the audit chain never waits for a connection behind the dispatch. */
  readonly auditChain: Pool
  close(): Promise<void>
}

export interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly log: Log
  /** Set for the tenants' connections: statements that do not wait for each other are sent without waiting for an answer. */
  readonly pipelined?: boolean
  /** Each tenant has a share of the connections, and one connection at most waits for one scope. */
  readonly shared?: boolean
  readonly timeouts?: Timeouts
}

interface Timeouts {
  readonly statementMs: number
  readonly idleInTransactionMs: number
}

const TIMEOUTS: Timeouts = {
  /** No statement of ours is meant to take seconds; one that does is stuck, and its caller should hear so. */
  statementMs: 5_000,
  /** A process that stands still between two statements may hold a scope; a request that waits for it has less than 5 s. */
  idleInTransactionMs: 2_000,
}

/** The estimates of short statements over many partitions pass the bound at which Postgres compiles them; that takes longer. */
const NO_COMPILING = '-c jit=off'

/**
 * The statements over all tenants are few, long and always the same. Left alone, Postgres plans them anew each time, in hope
 * of better, and to plan a release takes three times as long as to release.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan'

/** A plan that is kept may be made while tables are empty, when reading all of one looks as cheap as an index. */
const BY_INDEX = '-c enable_seqscan=off'

/** The number of batches of documents that are written at the same time. */
export const INGEST_CONNECTIONS = 4
/** One of these is left for the readiness probe. */
const CONTROL_CONNECTIONS = 4
/** As long as a request may take: a caller that waits behind its own tenant's requests is answered 503 then. */
const TURN_WAIT_MS = 5_000

export function openPools(options: PoolOptions): Pools {
  const { pipelined = false, shared = false, ...others } = options
  const share = (pool: Pool, slots: number) =>
    shared ? Object.assign(pool, { turns: new FairQueue({ slots, waitMs: TURN_WAIT_MS }) }) : pool
  const tenant = share(openPool({ ...others, pipelined }, options.size, ''), options.size)
  const ingest = openPool(others, INGEST_CONNECTIONS, '')
  const control = share(openPool(others, CONTROL_CONNECTIONS, ''), CONTROL_CONNECTIONS - 1)
  const registry = openPool(others, Math.max(2, Math.ceil(options.size / 4)), '-c role=concord_registrar')
  const asKernel = `-c role=concord_kernel ${PLANNED_ONCE} ${BY_INDEX}`
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
    options: `${options} ${NO_COMPILING}`,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: timeouts.statementMs,
    // The client's own timer: a half-open connection answers no server-side timeout.
    query_timeout: timeouts.statementMs + 1_000,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    keepAlive: true,
    pipeline: pipelined,
    application_name: 'concord',
  })
  // A Postgres restart raises 'error' on clients that are checked out as well as on idle ones; without a
  // listener on each client the process would die of it.
  pool.on('connect', (client) => {
    // @point database.connection-error
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  return pool
}
