// How the Postgres of one cluster is started, recognised, asked whether it answers, and ended.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { keepOrChange, LOOPBACK } from './ports.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import {
  type ClusterFiles,
  serverEnvironment,
  type ClusterSettings,
  SUPERUSER,
  writeSettings,
} from './postgres-cluster.ts'
import type { ServerPlan } from './private-server.ts'
import {
  bearsMark,
  type Detached,
  endServer,
  findServer,
  type RunAs,
  type ServerMark,
  startDetached,
} from './processes.ts'
import { newPassword, readJson, writeSecret } from './secret-file.ts'

/** The access to the server; kept beside the data. */
export interface PostgresAccess {
  readonly password: string
  port: number
  pid: number
}

export interface PostgresProcess {
  readonly binaries: PostgresBinaries
  readonly files: ClusterFiles
  readonly access: PostgresAccess
  readonly runAs: RunAs | undefined
  readonly settings: ClusterSettings
}

// Fast shutdown, then immediate shutdown (the log is replayed at the next start), then the hammer.
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
] as const
// The third: children of a killed server are still ending and hold its shared memory.
const MAY_RETRY = /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block/
const ANSWER_MS = 2_000

export function postgresPlan(server: PostgresProcess): ServerPlan {
  return {
    what: `Postgres ${server.binaries.version}`,
    mark: markOf(server.files),
    logFile: server.files.log,
    stopSteps: STOP_STEPS,
    mayRetry: MAY_RETRY,
    launch: () => launch(server),
    answer: () => answer(server),
  }
}

/** The pid of the Postgres that serves this cluster. */
export function findPostgres(files: ClusterFiles, hint?: number): number | undefined {
  return findServer(markOf(files), hint)
}

export async function stopPostgres(files: ClusterFiles): Promise<void> {
  const pid = findPostgres(files)
  if (pid !== undefined) await endServer(pid, markOf(files), STOP_STEPS)
}

/** The recorded access, or a new password for a cluster that is yet to be created. */
export function openAccess(files: ClusterFiles): PostgresAccess {
  const known = readJson(files.access) as PostgresAccess | undefined
  if (known) return { ...known }
  if (existsSync(files.data)) {
    throw new Error(
      `${files.access} is gone, and with it the password for ${files.data}. Run "npm run services reset" to start with empty data.`,
    )
  }
  const access = { password: newPassword(), port: 0, pid: 0 }
  writeSecret(files.access, JSON.stringify(access))
  return access
}

function markOf(files: ClusterFiles): ServerMark {
  return { executable: 'postgres', firstArguments: ['-D', files.data] }
}

async function launch({ binaries, files, access, runAs, settings }: PostgresProcess): Promise<Detached> {
  access.port = await keepOrChange(access.port || undefined)
  writeSettings(files, access.port, settings)
  const child = startDetached({
    file: join(binaries.binDir, 'postgres'),
    args: ['-D', files.data, '-c', `config_file=${files.settings}`],
    cwd: '/',
    env: { ...serverEnvironment(), ...disregardRecycledPid(files) },
    logFile: files.log,
    runAs,
  })
  access.pid = child.pid
  writeSecret(files.access, JSON.stringify(access))
  return child
}

/**
 * After a crash the pid in Postgres' own lock file may belong to another program of the same user, and Postgres would
 * refuse to start. This variable names a pid that is known not to be a server of this directory. Deleting the
 * lock file would do too, but it also guards against children of the old server that are still alive.
 */
function disregardRecycledPid(files: ClusterFiles): Record<string, string> {
  const lock = join(files.data, 'postmaster.pid')
  const pid = existsSync(lock) ? Number.parseInt(readFileSync(lock, 'utf8'), 10) : Number.NaN
  return Number.isNaN(pid) || bearsMark(pid, markOf(files)) ? {} : { PG_GRANDPARENT_PID: String(pid) }
}

// The password proves who answers (SCRAM works both ways), the directory that it is this cluster.
async function answer({ files, access }: PostgresProcess): Promise<void> {
  const client = new Client({
    host: LOOPBACK,
    port: access.port,
    user: SUPERUSER,
    password: access.password,
    database: 'postgres',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  // A server that goes away between two steps must end the attempt, not this process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    if (rows[0]?.data_directory !== files.data) throw new Error(`port ${access.port} serves other data`)
  } finally {
    await client.end().catch(() => {})
  }
}
