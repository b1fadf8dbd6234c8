/** The `concord` command: starts the processes of the service and gives its operator a hand. */
import { Command } from 'commander'
import closeWithGrace from 'close-with-grace'
import { addKeyCommands } from '../command/keys.ts'
import { addScopeCommands } from '../command/scopes.ts'
import { addTenantCommands } from '../command/tenants.ts'
import { explainFailure } from '../command/failure.ts'
import { parseConfig, parseOwnerUrl } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { migrate, readMigrations } from '../store/migrations.ts'
import { readEnvironment } from './environment.ts'
import { withOperator } from './operator.ts'
import { version } from './version.ts'

/** What the other parts may take after the listener has drained; a second signal ends the process at once. */
const GRACE_MS = 10_000

async function runApi({ checkConfig }: { readonly checkConfig?: boolean }): Promise<void> {
  const config = parseConfig(await readEnvironment())
  if (checkConfig) return void process.stdout.write('The configuration is complete.\n')
  const log = createLog(config.LOG_LEVEL, 'api')
  // Only now: the other commands need none of it, and it takes a moment to load.
  const { startApi } = await import('./api.ts')
  const api = await startApi(config, log)
  closeWithGrace(
    { delay: config.DRAIN_SECONDS * 1000 + GRACE_MS, logger: false },
    async ({ err, signal }) => {
      if (err) log.fatal({ err }, 'stopping after an error')
      else log.info({ signal }, 'stopping')
      await api.stop()
    },
  )
}

async function runMigrate(): Promise<void> {
  const applied = await migrate(parseOwnerUrl(await readEnvironment()), await readMigrations())
  for (const { version: number, name } of applied) process.stdout.write(`applied ${number} ${name}\n`)
  if (applied.length === 0) process.stdout.write('The schema is up to date.\n')
}

const program = new Command('concord')
  .description('Runs the Concord service and administers it from its own machine.')
  .version(version)
  .showHelpAfterError('(run with --help to see what is possible)')
  .showSuggestionAfterError()

program
  .command('api')
  .description('serve the HTTP API until a signal comes')
  .option('--check-config', 'only check the configuration, all faults at once')
  .action(runApi)
program.command('migrate').description('bring the database schema up to date').action(runMigrate)
addKeyCommands(program, withOperator)
addTenantCommands(program, withOperator)
addScopeCommands(program, withOperator)

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exitCode = 1
}
