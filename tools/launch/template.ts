/**
 * A migrated, empty database that tests copy instead of migrating anew: copying takes a fraction of the time.
 * Its name carries a hash of migrations and functions, so a change of either makes a new template.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from '../services/index.ts'
import { runChild } from './child.ts'
import { asSuperuser, createDatabase, databaseExists, dropDatabase } from './database.ts'

const SERVICE = join(import.meta.dirname, '..', '..', 'service')

export async function ensureTemplate(services: Services): Promise<string> {
  const name = `concord_template_${hashOfSchema()}`
  if (await databaseExists(services, name)) return name
  // Built under another name, so that whoever comes at the same time sees a whole template or none.
  const building = `${name}_${process.pid}`
  await createDatabase(services, { name: building })
  await runChild({
    command: process.execPath,
    args: [join(SERVICE, 'src', 'main', 'concord.ts'), 'migrate'],
    env: { DATABASE_OWNER_URL: services.postgres.url('owner', building) },
  })
  await asSuperuser(services, (client) => client.query(`alter database ${building} rename to ${name}`)).catch(
    async (error: unknown) => {
      await dropDatabase(services, building)
      if (!(await databaseExists(services, name))) throw error
    },
  )
  return name
}

function hashOfSchema(): string {
  const hash = createHash('sha256')
  for (const folder of [join(SERVICE, 'migrations'), join(SERVICE, 'sql', 'functions')])
    for (const file of readdirSync(folder).toSorted())
      hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 12)
}
