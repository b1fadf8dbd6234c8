/** The `concord` command: starts the processes of the service and gives its operator a hand. */
import { Command, Option } from 'commander'
import closeWithGrace from 'close-with-grace'
import { addTenantSideCommands, explainAnswer } from '@concord/cli'
import { addCertificateCommands, Rejected } from '../command/certificates.ts'
import { addAuditCommands } from '../command/audit.ts'
import { addBackupCommands } from '../command/backup.ts'
import { operatorContradictions } from '../command/contradictions.ts'
import { addDemoCommand } from '../command/demo.ts'
import { addDoctorCommand } from '../command/doctor.ts'
import { addJudgeCommands } from '../command/judge.ts'
import { addKeyCommands } from '../command/keys.ts'
import { addPolicyCommands } from '../command/policy.ts'
import { addRuntimeCommands } from '../command/runtime.ts'
import { addScopeCommands } from '../command/scopes.ts'
import { addTenantCommands } from '../command/tenants.ts'
import { addTopCommand } from '../command/top.ts'
import { Unconfirmed } from '../command/confirmation.ts'
import { explainFailure } from '../command/failure.ts'
import {
  parseConfig,
  parseHatcheryConfig,
  parseKernelConfig,
  parseOwnerUrl,
  parseWholeConfig,
} from '../platform/config.ts'
import type { Config, Environment, HatcheryConfig, KernelConfig, WholeConfig } from '../platform/config.ts'
import type { Running } from '../platform/lifecycle.ts'
import { createLog } from '../platform/log.ts'
import type { Log } from '../platform/log.ts'
import { createPolicyEngine } from '../policy/engine.ts'
import { migrate, readMigrations } from '../store/migrations.ts'
import { readEnvironment } from './environment.ts'
import { withKernelView } from './kernel-view.ts'
import { withOperator } from './operator.ts'
import { version } from './version.ts'

/** What the other parts may take after the listener has drained; a second signal ends the process at once. */
const GRACE_MS = 10_000
/** As long as the longest attempt that a worker finishes before it stops. */
const KERNEL_DRAIN_MS = 15_000

interface RunOptions {
  readonly checkConfig?: boolean
  /** Of a worker: the hatchery that started it. */
  readonly hatchery?: string
}

/** A process of the service as the command line runs it: configured, started, and stopped by a signal. */
async function run<Settings extends { readonly LOG_LEVEL: string }>(
  name: string,
  { checkConfig }: RunOptions,
  parse: (environment: Environment) => Settings,
  start: (settings: Settings, log: Log) => Promise<Running>,
  drainMs: (settings: Settings) => number,
): Promise<void> {
  const settings = parse(await readEnvironment())
  if (checkConfig) return void process.stdout.write('The configuration is complete.\n')
  const log = createLog(settings.LOG_LEVEL, name)
  const running = await start(settings, log)
  closeWithGrace({ delay: drainMs(settings) + GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping after an error')
    else log.info({ signal }, 'stopping')
    await running.stop()
  })
}

// Each is loaded only when it is run: the other commands need none of it, and it takes a moment to load.
const startApi = async (config: Config, log: Log) => (await import('./api.ts')).startApi(config, log)
const startDispatcher = async (config: KernelConfig, log: Log) =>
  (await import('./dispatcher.ts')).startDispatcher(config, log)
const startWorkerOf = (hatchery?: string) => async (config: KernelConfig, log: Log) =>
  (await import('./worker.ts')).startWorker(config, log, hatchery)
const startHatchery = async (config: HatcheryConfig, log: Log) =>
  (await import('./hatchery.ts')).startHatchery(config, log)
const startAllInOne = async (config: WholeConfig, log: Log) => (await import('./up.ts')).startUp(config, log)

const apiDrainMs = ({ DRAIN_NOTICE_SECONDS, DRAIN_SECONDS }: Config) =>
  (DRAIN_NOTICE_SECONDS + DRAIN_SECONDS) * 1000
const kernelDrainMs = () => KERNEL_DRAIN_MS
/** A worker that is retired has as long as it would have alone. */
const hatcheryDrainMs = () => KERNEL_DRAIN_MS + GRACE_MS

async function runMigrate(): Promise<void> {
  const applied = await migrate(parseOwnerUrl(await readEnvironment()), await readMigrations())
  for (const { version: number, name } of applied) process.stdout.write(`applied ${number} ${name}\n`)
  if (applied.length === 0) process.stdout.write('The schema is up to date.\n')
}

const program = new Command('concord')
  .description(
    'Hands documents to Concord and shows where they contradict each other; on the server, runs and administers it.',
  )
  .version(version)
  .showHelpAfterError('(run with --help to see what is possible)')
  .showSuggestionAfterError()

/** Every process has the same options. */
function addProcess(
  name: string,
  description: string,
  action: (options: RunOptions) => Promise<void>,
): Command {
  return program
    .command(name)
    .description(`${description} until a signal comes`)
    .option('--check-config', 'only check the configuration, all faults at once')
    .action(action)
}

addTenantSideCommands(program, process.env, { contradictions: operatorContradictions(withOperator) })
program.commandsGroup('Processes of the service:')
addProcess('up', 'run api, dispatcher and worker together', (options) =>
  run('up', options, parseWholeConfig, startAllInOne, apiDrainMs),
)
addProcess('api', 'serve the HTTP API', (options) => run('api', options, parseConfig, startApi, apiDrainMs))
addProcess('dispatcher', 'release queued documents to the workers', (options) =>
  run('dispatcher', options, parseKernelConfig, startDispatcher, kernelDrainMs),
)
addProcess('worker', 'read documents', (options) =>
  run('worker', options, parseKernelConfig, startWorkerOf(options.hatchery), kernelDrainMs),
).addOption(new Option('--hatchery <id>', 'the hatchery that looks after it').hideHelp())
addProcess('hatchery', 'hatch, watch, scale and retire the workers of this machine', (options) =>
  run('hatchery', options, parseHatcheryConfig, startHatchery, hatcheryDrainMs),
)
program.commandsGroup('On the server, for its operator:')
program.command('migrate').description('bring the database schema up to date').action(runMigrate)
addDemoCommand(program, process.env, withOperator)
addBackupCommands(program, async () => (await import('./backup.ts')).backupWork)
addDoctorCommand(program, async () => (await import('./doctor.ts')).examineDeployment())
addKeyCommands(program, withOperator)
addTenantCommands(program, withOperator)
addScopeCommands(program, withOperator)
addCertificateCommands(program, withOperator)
addPolicyCommands(program, createPolicyEngine, withOperator)
addRuntimeCommands(program, withOperator)
addAuditCommands(program, withOperator)
addJudgeCommands(program, withOperator)
addTopCommand(program, withKernelView)

function exitCodeOf(error: unknown): number {
  if (error instanceof Unconfirmed) return Unconfirmed.exitCode
  return error instanceof Rejected ? Rejected.exitCode : 1
}

// Whoever reads our output may stop reading, as `head` does; that is no failure.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${explainAnswer(error) ?? explainFailure(error)}\n`)
  process.exitCode = exitCodeOf(error)
}
