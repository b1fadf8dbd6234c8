/** The smallest statement there is; nobody's. */
import type { Pool } from './pools.ts'

export async function pingDatabase(pool: Pool): Promise<void> {
  await pool.query('select 1')
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
