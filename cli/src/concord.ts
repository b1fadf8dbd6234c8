/** The `concord` command on a machine without the server: what a tenant does every day. */
import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addTenantSideCommands } from './commands.ts'
import { explainFailure } from './failure.ts'
import { stripControls } from '../terminal/words.ts'

const program = new Command('concord')
  .description('Sends documents to Concord and shows where they contradict each other.')
  .version(manifest.version)
  .showHelpAfterError('(run with --help to see what is possible)')
addTenantSideCommands(program, process.env)

// The reader of our output may stop reading, as `head` does; that is no failure.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${stripControls(explainFailure(error))}\n`)
  process.exitCode = 1
}
