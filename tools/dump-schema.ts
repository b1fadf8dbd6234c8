/**
 * Writes service/schema.sql: the whole schema as the catalogue of a freshly migrated database tells it, so that a
 * review shows what a migration does to the whole. `--check` only compares. Made from the catalogue instead of
 * pg_dump because its text must not depend on the version of the server.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { createDatabase, dropDatabase, ensureTemplate } from './launch/index.ts'
import { describeSchema } from './schema/describe.ts'
import { ensureTestServices, servicesFrom } from './services/index.ts'

const FILE = new URL('../service/schema.sql', import.meta.url)

const services = servicesFrom(await ensureTestServices())
const name = `dump_${randomBytes(6).toString('hex')}`
await createDatabase(services, { name, template: await ensureTemplate(services) })
const client = new Client({ connectionString: services.postgres.url('owner', name) })
let schema: string
try {
  await client.connect()
  schema = await describeSchema(client)
} finally {
  await client.end()
  await dropDatabase(services, name)
}

if (!process.argv.includes('--check')) await writeFile(FILE, schema)
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== schema) {
  process.stderr.write('service/schema.sql is stale; run node tools/dump-schema.ts and commit it.\n')
  process.exitCode = 1
}
