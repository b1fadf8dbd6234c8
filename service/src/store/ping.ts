/** The smallest statement there is; nobody's. */
import type { Pool } from './pools.ts'

export async function pingDatabase(pool: Pool): Promise<void> {
  await pool.query('select 1')
}
