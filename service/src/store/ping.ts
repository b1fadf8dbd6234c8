/** Checks whether the database answers and whether it is writable. */
import { ReadOnlyServer } from './failures.ts'
import type { Pool } from './pools.ts'

const IS_READ_ONLY = `select current_setting('transaction_read_only') = 'on' or pg_is_in_recovery() as "isReadOnly"`

/** Rejects if the server is read-only, and closes the connection, because a new one may lead to the new primary. */
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
 * Makes Postgres write half a megabyte into a temporary file, so that no table grows and nothing is written to the WAL. Returns false
 * if the disk is full. Statements that only read would not notice that.
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
