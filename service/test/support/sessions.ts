/** Plain sessions of the database roles, for tests that look at what a role may do by itself. */
import { randomBytes } from 'node:crypto'
import { Client, DatabaseError } from 'pg'
import type { ClientConfig } from 'pg'
import type { TestDatabase } from './database.ts'

export type SessionRole = 'superuser' | 'owner' | 'api' | 'worker' | 'registrar' | 'kernel'

/** Nobody logs in as these: a role of the service puts the hat on, as the service does. */
const HATS = {
  registrar: { login: 'api', role: 'concord_registrar' },
  kernel: { login: 'worker', role: 'concord_kernel' },
} as const

export async function asRole<Result>(
  database: TestDatabase,
  role: SessionRole,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  if (role !== 'registrar' && role !== 'kernel')
    return inSession({ connectionString: database.url(role) }, work)
  const hat = HATS[role]
  return inSession({ connectionString: database.url(hat.login), options: `-c role=${hat.role}` }, work)
}

export async function inSession<Result>(
  config: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config)
  // A test may end the session from outside; what it then sees is the failure of its own statement.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The SQLSTATE a statement fails with, or undefined when it succeeds. */
export async function stateOf(statement: Promise<unknown>): Promise<string | undefined> {
  return statement.then(
    () => undefined,
    (error: unknown) => (error instanceof DatabaseError ? error.code : String(error)),
  )
}

/** SQLSTATE of "you may not". */
export const FORBIDDEN = '42501'

/**
 * A login of its own, since the roles of the service belong to the whole server and others are using them.
 * It is gone when the work is done.
 */
export async function withLogin<Result>(
  database: TestDatabase,
  attributes: string,
  work: (login: { readonly name: string; readonly url: string }) => Promise<Result>,
): Promise<Result> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  const url = new URL(database.url('api'))
  Object.assign(url, { username: name, password })
  await asRole(database, 'superuser', async (client) => {
    await client.query(`create role ${name} login password '${password}' ${attributes}`)
    await client.query(`grant connect on database ${database.name} to ${name}`)
    await client.query(`grant select on schema_migrations to ${name}`)
  })
  try {
    return await work({ name, url: url.href })
  } finally {
    await asRole(database, 'superuser', (client) => client.query(`drop owned by ${name}; drop role ${name}`))
  }
}
