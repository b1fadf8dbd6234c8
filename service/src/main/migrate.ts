/** `concord migrate`, which connects as the owner of the tables and so needs nothing of the API's configuration. */
import type { Command } from 'commander'
import { parseOwnerUrl } from '../platform/config.ts'
import { installFunctions, readFunctions } from '../store/schema/functions.ts'
import { migrate, readMigrations } from '../store/schema/migrations.ts'
import { readEnvironment } from './environment.ts'

export function addMigrateCommand(program: Command): void {
  program.command('migrate').description('bring the database schema up to date').action(runMigrate)
}

async function runMigrate(): Promise<void> {
  const ownerUrl = parseOwnerUrl(await readEnvironment())
  const applied = await migrate(ownerUrl, await readMigrations())
  for (const { version: number, name } of applied) process.stdout.write(`applied ${number} ${name}\n`)
  const installed = await installFunctions(ownerUrl, await readFunctions())
  if (installed.length > 0) process.stdout.write(`installed ${installed.length} functions\n`)
  if (applied.length + installed.length === 0) process.stdout.write('The schema is up to date.\n')
}
