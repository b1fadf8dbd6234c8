/** Selects the version, settings and clock of Postgres. */
import type { ServerFacts } from '../domain/checkup.ts'
import type { Pool } from './pools.ts'

export async function selectServerFacts(pool: Pick<Pool, 'query'>): Promise<ServerFacts> {
  const { rows } = await pool.query<{
    version: string
    number: string
    user: string
    fsync: string
    pages: string
    commit: string
  }>(
    `select current_setting('server_version') as version, current_setting('server_version_num') as number,
            session_user as user, current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
            current_setting('synchronous_commit') as commit`,
  )
  const [row] = rows
  if (!row) throw new Error('Postgres did not say what it is')
  return {
    version: row.version.split(' ')[0] ?? row.version,
    versionNumber: Number(row.number),
    user: row.user,
    fsync: row.fsync,
    fullPageWrites: row.pages,
    synchronousCommit: row.commit,
  }
}

/** Returns the time of Postgres in milliseconds since the epoch. */
export async function selectClock(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ now: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  )
  return rows[0]?.now ?? Number.NaN
}
