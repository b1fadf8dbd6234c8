/** The `concord` command: starts the processes of the service and gives its operator a hand. */
import { Command } from 'commander'
import { addProcesses, processNames } from './processes.ts'
import { version } from './version.ts'

// Loaded when it is needed: a process needs none of it, and would take three times as long to start.
const loadCommands = async () => import('./commands.ts')

const program = new Command('concord')
  .description(
    'Hands documents to Concord and shows where they contradict each other; on the server, runs and administers it.',
  )
  .version(version)
  .showHelpAfterError('(run with --help to see what is possible)')
  .showSuggestionAfterError()

export async function runProgram(): Promise<void> {
  // Whoever reads our output may stop reading, as `head` does; that is no failure.
  process.stdout.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    if (processNames.includes(process.argv[2] ?? '')) addProcesses(program)
    else (await loadCommands()).addCommands(program)
    await program.parseAsync()
  } catch (error) {
    const { exitCodeOf, explain } = await loadCommands()
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
