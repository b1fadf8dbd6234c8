/** The `concord` command: it runs the processes of the service, the commands of tenants and those of the operator. */
import { Command } from 'commander'
import { addCommands } from './commands.ts'
import { version } from './version.ts'

async function createProgram(name: string | undefined): Promise<Command> {
  const program = new Command('concord')
    .description(
      'Sends documents to Concord and shows where they contradict each other; on the server, runs and administers it.',
    )
    .version(version)
    .showHelpAfterError('(run with --help to see what is possible)')
    .showSuggestionAfterError()
  await addCommands(program, name)
  return program
}

export async function runProgram(): Promise<void> {
  // The reader of the output may stop reading, as `head` does. That is not a failure.
  // @point process.start
  process.stdout.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    const program = await createProgram(process.argv[2])
    await program.parseAsync()
  } catch (error) {
    const { exitCodeOf, explain } = await import('./failure.ts')
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
