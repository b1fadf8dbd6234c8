/** The `concord` command: starts the processes of the service and gives its operator a hand. */
import { Command } from 'commander'
import { addProcesses } from './processes.ts'
import { version } from './version.ts'

// Loaded when it is needed: a process needs none of it, and would take three times as long to start.
const loadCommands = async () => import('./commands.ts')

const createProgram = () =>
  new Command('concord')
    .description(
      'Hands documents to Concord and shows where they contradict each other; on the server, runs and administers it.',
    )
    .version(version)
    .showHelpAfterError('(run with --help to see what is possible)')
    .showSuggestionAfterError()

async function choose(name: string | undefined): Promise<Command> {
  const processes = createProgram()
  addProcesses(processes)
  if (processes.commands.some((command) => command.name() === name)) return processes
  const all = createProgram()
  const { addCommands } = await loadCommands()
  addCommands(all)
  return all
}

export async function runProgram(): Promise<void> {
  // Whoever reads our output may stop reading, as `head` does; that is no failure.
  // @point process.start
  process.stdout.on('error', (error: Error & { code?: string }) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    const program = await choose(process.argv[2])
    await program.parseAsync()
  } catch (error) {
    const { exitCodeOf, explain } = await loadCommands()
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}
