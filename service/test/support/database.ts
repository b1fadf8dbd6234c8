/** A database of its own for a test file, copied from the migrated template and dropped at the end. */
import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  countConnections,
  createDatabase,
  dropDatabase,
  ensureTemplate,
  waitUntil,
} from '@concord/tools/launch'
import { ensureServices } from '@concord/tools/services'
import type { PostgresRole, Services } from '@concord/tools/services'
import { createTestDatabase } from '@concord/tools/testing'

export interface TestDatabase {
  readonly name: string
  readonly services: Services
  url(role: PostgresRole): string
  /** Past row-level security, for looking at what is there; opened when first used, closed with the database. */
  readonly superuser: Pool
}

/** Call at the top of a file; read the result inside tests. The file fails when it leaves a connection open. */
export function useDatabase(): () => TestDatabase {
  return useCopy(createTestDatabase)
}

/** The same on the Postgres that syncs what it commits, for a file that looks at how the server is set. */
export function useDurableDatabase(): () => TestDatabase {
  return useCopy(async (name) => {
    const services = await ensureServices()
    await createDatabase(services, { name, template: await ensureTemplate(services) })
    return services
  })
}

function useCopy(create: (name: string) => Promise<Services>): () => TestDatabase {
  let database: TestDatabase | undefined
  beforeAll(async () => {
    const name = `test_${randomBytes(6).toString('hex')}`
    const services = await create(name)
    const url = (role: PostgresRole) => services.postgres.url(role, name)
    database = { name, services, url, superuser: new Pool({ connectionString: url('superuser'), max: 2 }) }
    // A test may end every connection of its database, this one too.
    database.superuser.on('error', () => undefined)
  })
  afterAll(async () => {
    if (!database) return
    const { services, name } = database
    await database.superuser.end()
    const leaked = await waitUntil(async () => (await countConnections(services, name)) === 0, {
      what: 'closing every connection',
      withinMs: 3_000,
    }).then(
      () => 0,
      () => countConnections(services, name),
    )
    await dropDatabase(services, name)
    expect(leaked, 'connections left open by this file').toBe(0)
  })
  return () => {
    if (!database) throw new Error('The database exists only inside tests')
    return database
  }
}
