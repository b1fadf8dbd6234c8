/** The commands that run the processes of the service: each reads its configuration, starts, and stops at a signal. */
import { flushCompileCache } from 'node:module'
import closeWithGrace from 'close-with-grace'
import { Option } from 'commander'
import type { Command } from 'commander'
import { parseConfig, parseHatcheryConfig, parseKernelConfig, parseWholeConfig } from '../platform/config.ts'
import type { Config, Environment, HatcheryConfig, KernelConfig, WholeConfig } from '../platform/config.ts'
import type { RunningParts } from '../platform/lifecycle.ts'
import { createLog } from '../platform/log.ts'
import type { Log } from '../platform/log.ts'
import { readEnvironment } from './environment.ts'

/** The time for the other parts to stop after the listener has drained. A second signal ends the process at once. */
const GRACE_MS = 10_000
/** The longest attempt that a worker finishes before it stops. */
const KERNEL_DRAIN_MS = 15_000

interface RunOptions {
  readonly checkConfig?: boolean
  /** The hatchery that started the worker. */
  readonly hatchery?: string
}

async function run<Settings extends { readonly LOG_LEVEL: string }>(
  name: string,
  { checkConfig }: RunOptions,
  parse: (environment: Environment) => Settings,
  start: (settings: Settings, log: Log) => Promise<RunningParts>,
  drainMs: (settings: Settings) => number,
): Promise<void> {
  const settings = parse(await readEnvironment())
  if (checkConfig) return void process.stdout.write('The configuration is complete.\n')
  const log = createLog(settings.LOG_LEVEL, name)
  const running = await start(settings, log)
  closeWithGrace({ delay: drainMs(settings) + GRACE_MS, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping after an error')
    else log.info({ signal }, 'stopping')
    // @point process.stop
    await running.stop()
  })
  // Written now, because a process that is killed later writes no cache for its successor.
  flushCompileCache()
}

// Each process is loaded only when it runs, because loading takes time and other commands do not need it.
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
/** A retired worker gets the time that it would have alone. */
const hatcheryDrainMs = () => KERNEL_DRAIN_MS + GRACE_MS

export function addProcesses(program: Command): void {
  /** Every process has the same options. */
  const add = (name: string, description: string, action: (options: RunOptions) => Promise<void>) =>
    program
      .command(name)
      .description(`${description} until a signal comes`)
      .option('--check-config', 'only check the configuration, all faults at once')
      .action(action)

  program.commandsGroup('Processes of the service:')
  add('up', 'run api, dispatcher and worker together', (options) =>
    run('up', options, parseWholeConfig, startAllInOne, apiDrainMs),
  )
  add('api', 'serve the HTTP API', (options) => run('api', options, parseConfig, startApi, apiDrainMs))
  add('dispatcher', 'release queued documents to the workers', (options) =>
    run('dispatcher', options, parseKernelConfig, startDispatcher, kernelDrainMs),
  )
  add('worker', 'read documents', (options) =>
    run('worker', options, parseKernelConfig, startWorkerOf(options.hatchery), kernelDrainMs),
  ).addOption(new Option('--hatchery <id>', 'the hatchery that looks after it').hideHelp())
  add('hatchery', 'hatch, watch, scale and retire the workers of this machine', (options) =>
    run('hatchery', options, parseHatcheryConfig, startHatchery, hatcheryDrainMs),
  )
}
