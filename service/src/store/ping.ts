/** Whether the database answers, and whether it can be written to. */
import { ReadOnlyServer } from './failures.ts'
import type { Pool } from './pools.ts'

const IS_READ_ONLY = `select current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly"`

/** Rejects on a server that only reads, and leaves that connection: a new one may lead to the server that took its place. */
export async function pingDatabase(pool: Pick<Pool, 'connect'>): Promise<void> {
  const connection = await pool.connect()
  try {
    const { rows } = await connection.query<{ isReadOnly: boolean }>(IS_READ_ONLY)
    if (rows[0]?.isReadOnly) throw new ReadOnlyServer()
    connection.release()
  } catch (error) {
    connection.release(true)
    throw error
  }
}

const DISK_FULL = '53100'

/**
 * Has Postgres write half a megabyte into a file of its own that goes with the statement: no table grows by it and
 * nothing is logged. False when its disk has no room; whoever reads notices nothing of that, and whoever writes does.
 */
export async function hasRoomToWrite(pool: Pick<Pool, 'query'>): Promise<boolean> {
  try {
    await pool.query(`set local work_mem = '64kB'; select count(*) from generate_series(1, 40000)`)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === DISK_FULL) return false
    throw error
  }
}
