/** Databases of their own for tests and proofs, made on the private server. */
import { Client } from 'pg'
import type { Services } from '../services/index.ts'

/** Letters that need no quoting, so that a name can be put into a statement as it is. */
const NAME = /^[a-z_][a-z0-9_]{0,62}$/

export interface DatabaseOptions {
  readonly name: string
  /** Copied instead of starting empty; nobody may be connected to it. */
  readonly template?: string
}

export async function createDatabase(services: Services, { name, template }: DatabaseOptions): Promise<void> {
  requireName(name)
  if (template) requireName(template)
  await asSuperuser(services, async (client) => {
    // By the file: through the log of changes the copy is quicker, but its removal many times slower.
    const source = template ? `template ${template} strategy file_copy` : ''
    await client.query(`create database ${name} owner concord_owner ${source}`)
    await client.query(`revoke all on database ${name} from public`)
    await client.query(`grant connect on database ${name} to concord_owner, concord_api, concord_worker`)
  })
}

/** Forced: a test that failed may have left connections open. */
export async function dropDatabase(services: Services, name: string): Promise<void> {
  requireName(name)
  await asSuperuser(services, (client) => client.query(`drop database if exists ${name} with (force)`))
}

export async function databaseExists(services: Services, name: string): Promise<boolean> {
  return asSuperuser(services, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    return rowCount === 1
  })
}

/** Connections of our roles that are still open there; a test that leaves one behind has a leak. */
export async function countConnections(services: Services, name: string): Promise<number> {
  return asSuperuser(services, async (client) => {
    const { rows } = await client.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    )
    return rows[0]?.open ?? 0
  })
}

/** In `database`, or in the server's own where none is named. */
export async function asSuperuser<Result>(
  services: Services,
  work: (client: Client) => Promise<Result>,
  database = 'postgres',
): Promise<Result> {
  const client = new Client({ connectionString: services.postgres.url('superuser', database) })
  // A server that dies rejects the question; the event beside it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function requireName(name: string): void {
  if (!NAME.test(name)) throw new Error(`${name} is not a plain database name`)
}
