// The files of one private Postgres: a data directory that only Postgres writes, and beside it what we
// write: settings, log, and the superuser's password, which lives and dies with the data.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { RunAs } from './processes.ts'

/** Lines of postgresql.conf. */
export type ClusterSettings = Readonly<Record<string, string>>

/** The settings lie outside the data: root never writes into a directory another user could fill with links. */
export interface ClusterFiles {
  readonly dir: string
  readonly data: string
  readonly settings: string
  readonly access: string
  readonly log: string
}

export const SUPERUSER = 'postgres'

// Durability stays at its safe defaults; they are written out because tests of crashes rely on them.
const SETTINGS: ClusterSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '%m [%p] %q%u@%d ',
}

/** The major version is in the name: data of one version is not readable for another. */
export function clusterFiles(home: string, major: number): ClusterFiles {
  const dir = join(home, `postgres-${major}`)
  const at = (name: string) => join(dir, name)
  return {
    dir,
    data: at('data'),
    settings: at('postgresql.conf'),
    access: at('access.json'),
    log: at('postgres.log'),
  }
}

/** Existing data keeps its owner, whoever we would choose today. */
export function clusterUser(files: ClusterFiles, chosen: RunAs | undefined): RunAs | undefined {
  if (!chosen || !existsSync(files.data)) return chosen
  const { uid, gid } = statSync(files.data)
  return { uid, gid }
}

/** Creates the data directory unless it is there. Built under another name first: data that exists is complete. */
export async function createCluster(
  binaries: PostgresBinaries,
  files: ClusterFiles,
  runAs: RunAs | undefined,
  password: string,
): Promise<void> {
  if (existsSync(files.data)) return
  const draft = `${files.data}.new`
  const passwordFile = join(files.dir, 'password.new')
  // The rest of a killed run goes; initdb wants an empty directory.
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (runAs) for (const path of [draft, passwordFile]) chownSync(path, runAs.uid, runAs.gid)
  try {
    await runInitdb(binaries, draft, passwordFile, runAs)
    renameSync(draft, files.data)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

async function runInitdb(
  { binDir, major }: PostgresBinaries,
  dir: string,
  passwordFile: string,
  runAs: RunAs | undefined,
): Promise<void> {
  const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const args = ['-D', dir, ...access, '--encoding=UTF8', '--data-checksums', ...localeArguments(major)]
  try {
    await promisify(execFile)(join(binDir, 'initdb'), args, { cwd: dir, env: serverEnvironment(), ...runAs })
  } catch (error) {
    const words = (error as { stderr?: string }).stderr?.trim()
    throw new Error(`initdb could not create a Postgres cluster in ${dir}: ${words ?? String(error)}`, {
      cause: error,
    })
  }
}

// Text sorts by code point, the same on every machine. Version 17 brings its own C.UTF-8; before that it is the
// system's, which macOS does not have.
function localeArguments(major: number): string[] {
  if (major >= 17) return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return process.platform === 'linux' ? ['--locale=C.UTF-8', '--lc-messages=C'] : ['--locale=C']
}

export function writeSettings(files: ClusterFiles, port: number, extra: ClusterSettings): void {
  const lines = Object.entries({ ...SETTINGS, port: String(port), ...extra })
  const text = lines.map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`).join('')
  writeFileSync(
    files.settings,
    `# Written anew at every start; change the values in tools/services.\n${text}`,
  )
  chmodSync(files.settings, 0o644)
}

/** The server's user passes through to the data; the access file beside it stays closed to everybody else. */
export function prepareClusterDir(files: ClusterFiles, runAs: RunAs | undefined): void {
  mkdirSync(files.dir, { recursive: true })
  chmodSync(files.dir, runAs ? 0o711 : 0o700)
}

/** Nothing of our own environment reaches the server: a PGDATA or PGPORT there would mislead it. */
export function serverEnvironment(): Record<string, string> {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C' }
}
