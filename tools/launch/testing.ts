/** The values that the global set-up of the tests prepared, as a test file sees it. */
import { inject } from 'vitest'
import type { Services } from '../services/index.ts'
import { servicesFrom } from '../services/index.ts'
import { createDatabase } from './database.ts'

/** The Postgres of the tests, which does not sync, and the NATS of this clone. */
export function testServices(): Services {
  const servers = inject('servers')
  if (servers) return servicesFrom(servers)
  throw new Error(
    'This test file asks for servers, but the project "unit" has none. Import the set-up of servers by a path that vitest.config.ts can follow, so that the file becomes part of the project "db".',
  )
}

/** A migrated, empty database on the Postgres of the tests. Whoever makes it drops it. */
export async function createTestDatabase(name: string): Promise<Services> {
  const services = testServices()
  await createDatabase(services, { name, template: inject('templateDatabase') })
  return services
}
