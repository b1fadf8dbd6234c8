/**
 * `npm run dev`: the whole service on this machine, ready to use. Servers, schema, secrets, first keys, a tenant
 * and a scope are made on the first run and found again on the next; Ctrl-C ends the service, not the servers. The service also
 * ends when npm is gone, however it went.
 */
import { ensureServices } from './services/index.ts'
import { describeFirstCalls } from './dev/first-calls.ts'
import { ensureDevKeys } from './dev/keys.ts'
import { portOf, PortUnavailable, requireFreePort } from './dev/port.ts'
import { readProfile, writeProfile } from './dev/profile.ts'
import { concordCommand, startDevApi } from './dev/processes.ts'
import { watchStarters } from './dev/starters.ts'
import type { DeployedApi } from './launch/index.ts'

/** As long as requests may take to finish; then the service is killed. */
const STOP_MS = 5_000

const print = (line: string) => void process.stdout.write(`${line}\n`)
let api: DeployedApi | undefined
let stopping = false

watchStarters(process.env, stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
// A terminal that is gone takes no words; that is no reason to end in disorder.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

try {
  await run()
} catch (error) {
  if (!(error instanceof PortUnavailable)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function run(): Promise<void> {
  await requireFreePort(portOf(process.env))
  const services = await ensureServices({ report: print })
  const profile = await readProfile(services, process.env)
  await concordCommand(profile.env, 'migrate')
  api = await startDevApi(profile.env)
  const keys = await ensureDevKeys(api.url, profile)
  await writeProfile({ ...profile, keys })
  print(describeFirstCalls(api.url, keys))
  const { code } = await api.exited
  process.exitCode = code ?? 1
}

/** A process that is started already ends with this process: see `startChild`. */
function stop(): void {
  if (stopping) return
  stopping = true
  if (!api) process.exit(1)
  print('\nStopping the service; npm run services -- stop ends the servers too.')
  void api.stop(STOP_MS)
}
