// How one private nats-server is configured, started, recognised, asked whether it answers, and ended.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { keepOrChange, LOOPBACK } from './ports.ts'
import type { ServerPlan } from './private-server.ts'
import { type Detached, endServer, findServer, type ServerMark, startDetached } from './processes.ts'
import { newPassword, readJson, writeSecret } from './secret-file.ts'

export interface NatsFiles {
  readonly dir: string
  readonly store: string
  readonly config: string
  readonly access: string
  readonly log: string
}

/** The access to the server; kept beside the data. */
export interface NatsAccess {
  readonly user: string
  readonly password: string
  port: number
  monitorPort: number
  pid: number
}

export interface NatsLimits {
  /** How often JetStream syncs to disk: 'always', or a duration such as '2m'. */
  readonly syncInterval: string
  readonly maxFileStore: string
  readonly maxMemoryStore: string
}

export interface NatsProcess {
  readonly serverPath: string
  readonly version: string
  readonly files: NatsFiles
  readonly access: NatsAccess
  readonly limits: NatsLimits
}

const STOP_STEPS = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
] as const
const ANSWER_MS = 2_000

export function natsFiles(home: string): NatsFiles {
  const dir = join(home, 'nats')
  const at = (name: string) => join(dir, name)
  return { dir, store: at('store'), config: at('nats.conf'), access: at('access.json'), log: at('nats.log') }
}

export function natsPlan(server: NatsProcess): ServerPlan {
  return {
    what: `nats-server ${server.version}`,
    mark: markOf(server.files),
    logFile: server.files.log,
    stopSteps: STOP_STEPS,
    mayRetry: /address already in use/,
    launch: () => launch(server),
    answer: () => answer(server.access),
  }
}

/** The pid of the nats-server that uses this store. */
export function findNats(files: NatsFiles, hint?: number): number | undefined {
  return findServer(markOf(files), hint)
}

export async function stopNats(files: NatsFiles): Promise<void> {
  const pid = findNats(files)
  if (pid !== undefined) await endServer(pid, markOf(files), STOP_STEPS)
}

/** The recorded access, or a new one. A server that runs with lost credentials does not answer and is replaced. */
export function openNatsAccess(files: NatsFiles): NatsAccess {
  // Runs as ourselves, root or not, so nobody else needs to enter.
  mkdirSync(files.dir, { recursive: true, mode: 0o700 })
  const known = existsSync(files.access) ? (readJson(files.access) as NatsAccess | undefined) : undefined
  return known ? { ...known } : { user: 'concord', password: newPassword(), port: 0, monitorPort: 0, pid: 0 }
}

// The name is the one given at the start (argv0), since the binary itself may be called anything.
function markOf(files: NatsFiles): ServerMark {
  return { executable: 'nats-server', firstArguments: ['-c', files.config] }
}

async function launch({ serverPath, files, access, limits }: NatsProcess): Promise<Detached> {
  access.port = await keepOrChange(access.port || undefined)
  access.monitorPort = await keepOrChange(access.monitorPort || undefined)
  writeSecret(files.config, configuration(files, access, limits))
  const child = startDetached({
    file: serverPath,
    argv0: 'nats-server',
    args: ['-c', files.config],
    cwd: files.dir,
    // Nothing of our own environment: nats-server would read variables from it into its configuration.
    env: { PATH: '/usr/bin:/bin' },
    logFile: files.log,
  })
  access.pid = child.pid
  writeSecret(files.access, JSON.stringify(access))
  return child
}

// The interval is quoted because a bare 2m means two million here, not two minutes.
// Leaf nodes, websockets and MQTT are off because nothing here turns them on; each had holes before log-in.
function configuration(files: NatsFiles, access: NatsAccess, limits: NatsLimits): string {
  const quoted = JSON.stringify
  return `# Written anew at every start; change the values in tools/services.
server_name: concord
listen: "${LOOPBACK}:${access.port}"
http: "${LOOPBACK}:${access.monitorPort}"
authorization {
  user: ${quoted(access.user)}
  password: ${quoted(access.password)}
}
jetstream {
  store_dir: ${quoted(files.store)}
  max_file_store: ${limits.maxFileStore}
  max_memory_store: ${limits.maxMemoryStore}
  sync_interval: ${quoted(limits.syncInterval)}
}
`
}

// A log-in that works proves it is ours; the health page, that JetStream serves. Its streams are not asked for: a
// directory that a deleted stream left behind makes the whole page red for ever, and what is lost in this store is
// made again from Postgres.
async function answer({ user, password, port, monitorPort }: NatsAccess): Promise<void> {
  const servers = `${LOOPBACK}:${port}`
  const connection = await connect({ servers, user, pass: password, timeout: ANSWER_MS, reconnect: false })
  await connection.close()
  const health = await fetch(`http://${LOOPBACK}:${monitorPort}/healthz?js-server-only=true`, {
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  await health.body?.cancel()
  if (!health.ok) throw new Error(`the health page answers ${health.status}`)
}
