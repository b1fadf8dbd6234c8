// npm run services: starts private Postgres and NATS servers for this clone and prints where they are.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  DEFAULT_STATE_DIR,
  ensureServices,
  resetServices,
  type Services,
  servicesRunning,
  stopServices,
} from './services/index.ts'

const USAGE = `Usage: node tools/services.ts [start | status | stop | reset] [--json] [--dir <path>]

  start         start what does not run yet, wait until it answers, print the addresses (the default)
  status        say what runs; ends with code 3 unless Postgres and NATS do
  stop          end the servers; their data stays, except that of the tests
  reset         end the servers and delete their data

  --json        print one JSON object, credentials included
  --dir <path>  keep state and data there instead of in .services

  CONCORD_POSTGRES     system, embedded, or the bin directory of a Postgres
  CONCORD_NATS_SERVER  the path of a nats-server`

interface Request {
  readonly stateDir: string
  readonly json: boolean
}

// With --json every command prints exactly one object, so that its output can be piped without looking.
const commands: Record<string, (request: Request) => Promise<void>> = {
  async start({ stateDir, json }) {
    const services = await ensureServices({ stateDir, report: (line) => console.error(line) })
    console.log(json ? JSON.stringify(withUrls(services)) : addresses(services, stateDir))
  },
  // Asks the processes, not the record: true also after a crash.
  async status({ stateDir, json }) {
    const running = servicesRunning({ stateDir })
    const { postgres, nats, tests } = running
    const text = `Postgres  ${lifeOf(postgres)}\nNATS      ${lifeOf(nats)}\nPostgres of the tests  ${lifeOf(tests)}`
    console.log(json ? JSON.stringify(running) : text)
    if (postgres === undefined || nats === undefined) process.exitCode = 3
  },
  async stop({ stateDir, json }) {
    await stopServices({ stateDir })
    console.log(json ? '{}' : 'Postgres and NATS are stopped. Their data stays.')
  },
  async reset({ stateDir, json }) {
    await resetServices({ stateDir })
    console.log(json ? '{}' : 'Postgres and NATS are stopped, and their data is deleted.')
  },
}

function lifeOf(pid: number | undefined): string {
  return pid === undefined ? 'stopped' : `running, pid ${pid}`
}

// Without passwords: this text ends up in the logs of CI.
function addresses({ postgres, nats }: Services, stateDir: string): string {
  const { host, port, database, version, pid, dataDir } = postgres
  return `Postgres ${version}  ${host}:${port}, database ${database}
  pid ${pid}, data in ${dataDir}
NATS ${nats.version}  ${nats.url}, monitoring at ${nats.monitorUrl}
  pid ${nats.pid}, data in ${nats.storeDir}
Credentials: ${stateDir}/state.json, or --json`
}

function withUrls(services: Services): object {
  const { url, ...postgres } = services.postgres
  const roles = ['superuser', 'owner', 'api', 'worker'] as const
  const urls = Object.fromEntries(roles.map((role) => [role, url(role)]))
  return { postgres: { ...postgres, urls }, nats: services.nats }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, dir: { type: 'string' }, help: { type: 'boolean' } },
  })
  const command = commands[positionals[0] ?? 'start']
  if (values.help) return console.log(USAGE)
  if (!command || positionals.length > 1) throw new Error(USAGE)
  const stateDir = values.dir === undefined ? resolve(DEFAULT_STATE_DIR) : resolve(values.dir)
  await command({ stateDir, json: values.json ?? false })
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
