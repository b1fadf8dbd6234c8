/** The only way to a tenant's rows: a transaction that says whose they are. */
import type { Connection, Pool } from './pools.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A connection inside a transaction of one tenant. */
export interface TenantTransaction {
  readonly tenantId: string
  readonly connection: Connection
}

export async function inTenant<Result>(
  pool: Pool,
  tenantId: string,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> {
  if (!UUID.test(tenantId)) throw new TypeError('A tenant id must be a UUID in lower case')
  const connection = await pool.connect()
  try {
    // Both in one round trip: the round trips cost more than row-level security does. The id was checked above,
    // and the setting ends with the transaction, so it cannot leak to the next user of the connection.
    await connection.query(`begin; select set_config('app.tenant', '${tenantId}', true)`)
    const result = await work({ tenantId, connection })
    const { command } = await connection.query('commit')
    // Postgres answers a commit of a failed transaction with a rollback and no error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed')
    connection.release()
    return result
  } catch (error) {
    await rollBack(connection)
    throw error
  }
}

/** A connection that cannot roll back is broken: it is destroyed instead of returned to the pool. */
async function rollBack(connection: Connection): Promise<void> {
  try {
    await connection.query('rollback')
    connection.release()
  } catch {
    connection.release(true)
  }
}
