/** Opens transactions. The rows of a tenant are accessible only in a transaction that sets the tenant. */
import { isReadOnly, isReadTimeout } from './failures.ts'
import type { PoolConnection, Pool } from './pools.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A connection inside a transaction of one tenant. */
export interface TenantTransaction {
  readonly tenantId: string
  readonly connection: PoolConnection
}

export async function inTenant<Result>(
  pool: Pool,
  tenantId: string,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  // Both statements take one round trip, because round trips cost more than row-level security.
  return inTransaction(pool, { owner: tenantId }, `begin; ${entering(tenantId)}`, (connection) =>
    work({ tenantId, connection }),
  )
}

/**
 * Opens a transaction that locks the head of a scope. In a pool with shares, transactions of this process in one scope run one after
 * the other, so that only one connection waits for the head.
 */
export async function inTenantScope<Result>(
  pool: Pool,
  { tenantId, scopeId }: { readonly tenantId: string; readonly scopeId: string },
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  const turn = { owner: tenantId, key: `${tenantId}/${scopeId}` }
  return inTransaction(pool, turn, `begin; ${entering(tenantId)}`, (connection) =>
    work({ tenantId, connection }),
  )
}

/** Opens a snapshot: all statements of the transaction see the same state. */
export async function inTenantSnapshot<Result>(
  pool: Pool,
  tenantId: string,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  const begin = `begin isolation level repeatable read read only; ${entering(tenantId)}`
  return inTransaction(pool, { owner: tenantId }, begin, (connection) => work({ tenantId, connection }))
}

/** Opens a transaction without a tenant, for work on the whole service. It may enter one tenant after the other. */
export async function inService<Result>(
  pool: Pool,
  work: (connection: PoolConnection) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, { owner: 'service' }, 'begin', work)
}

export async function enterTenant(connection: PoolConnection, tenantId: string): Promise<TenantTransaction> {
  await connection.query(entering(tenantId))
  return { tenantId, connection }
}

/** The setting ends with the transaction, so it cannot leak to the next user of the connection. */
function entering(tenantId: string): string {
  if (!UUID.test(tenantId)) throw new TypeError('A tenant id must be a UUID in lower case')
  return `select set_config('app.tenant', '${tenantId}', true)`
}

/** The tenant whose share a transaction takes, and the scope in which it is to be the only one. */
interface Turn {
  readonly owner: string
  readonly key?: string
}

async function inTransaction<Result>(
  pool: Pool,
  { owner, key }: Turn,
  begin: string,
  work: (connection: PoolConnection) => Promise<Result>,
): Promise<Result> {
  // @point connections.turn
  const release = await pool.turns?.acquire(owner, key)
  try {
    return await transact(pool, begin, work)
  } finally {
    release?.()
  }
}

async function transact<Result>(
  pool: Pool,
  begin: string,
  work: (connection: PoolConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  try {
    await connection.query(begin)
    const result = await work(connection)
    const { command } = await connection.query('commit')
    // Postgres answers a commit of a failed transaction with a rollback and no error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed')
    connection.release()
    return result
  } catch (error) {
    await rollBack(connection, error)
    throw error
  }
}

/**
 * Rolls back. A connection that cannot roll back is broken, so it is destroyed instead of returned to the pool. The same holds for a
 * connection that timed out, because the rollback would time out too; Postgres rolls back when it notices the disconnect. A connection
 * to a read-only server is also destroyed, because after a failover a new one may lead to the primary.
 */
async function rollBack(connection: PoolConnection, reason: unknown): Promise<void> {
  if (isReadTimeout(reason) || isReadOnly(reason)) return connection.release(true)
  try {
    await connection.query('rollback')
    connection.release()
  } catch {
    connection.release(true)
  }
}
