// Both servers of one state directory: started, or found running, and recorded. One run at a time per directory.
import { existsSync, realpathSync } from 'node:fs'
import { clustersOf } from './clusters.ts'
import { withLock } from './lock.ts'
import { type PrivateNats, startPrivateNats } from './nats.ts'
import { findNats, natsFiles } from './nats-process.ts'
import { type PrivatePostgres, startPrivatePostgres } from './postgres.ts'
import { findPostgres, stopPostgres } from './postgres-process.ts'
import { applyRoles, DATABASE, type Login, rolesFingerprint } from './roles.ts'
import { newPassword } from './secret-file.ts'
import {
  createStateDir,
  FORMAT,
  type NatsState,
  ownStateDir,
  type PostgresState,
  readState,
  type ServicesState,
  writeState,
} from './state.ts'

export interface ServicesPlan {
  readonly stateDir: string
  /** 'system', 'embedded' or a bin directory; absent: what was used before, else what is there. */
  readonly postgres?: string | undefined
  /** The path of a nats-server; absent: one on the search path, in the cache, or fetched. */
  readonly natsServer?: string | undefined
  readonly searchPath: string
  readonly cacheDir: string
  readonly report?: (line: string) => void
}

/** Returns when both answer. What a crash, a reboot or a killed run left half-done is finished here. */
export async function bringUp(plan: ServicesPlan): Promise<ServicesState> {
  createStateDir(plan.stateDir)
  const stateDir = ownStateDir(plan.stateDir)
  return withLock(stateDir, async () => {
    const before = readState(stateDir)
    const [postgres, nats] = await both(postgresUp(plan, stateDir, before), natsUp(plan, stateDir, before))
    const state: ServicesState = { format: FORMAT, postgres, nats }
    writeState(stateDir, state)
    return state
  })
}

// Waits for both even when one fails: the lock must not be given up while the other is still starting.
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

async function postgresUp(
  plan: ServicesPlan,
  stateDir: string,
  before: ServicesState | undefined,
): Promise<PostgresState> {
  const { choice, label } = postgresChoice(plan, stateDir, before?.postgres)
  // Data once put into the stand-in stays there, also when the state directory could be entered since.
  const home = before?.postgres.home
  const dir = home !== undefined && existsSync(home) ? home : stateDir
  const server = await startPrivatePostgres({ dir, choice, searchPath: plan.searchPath })
  // One directory, one Postgres: a running one of another version belongs to a state that was lost.
  for (const other of clustersOf(stateDir)) if (other.data !== server.dataDir) await stopPostgres(other)
  const fingerprint = rolesFingerprint()
  // Roles keep their passwords over restarts, so that a service that is still running can connect again.
  const roles = before?.postgres.roles ?? newRoles()
  const settled = before?.postgres.pid === server.pid && before.postgres.rolesFingerprint === fingerprint
  if (!settled) await applyRoles(server.url, Object.values(roles))
  return postgresState(server, label ?? server.binaries.choice, roles, fingerprint)
}

/** A server that ran before runs again, so that its data is found again; only an explicit wish changes it. */
function postgresChoice(
  plan: ServicesPlan,
  stateDir: string,
  known: PostgresState | undefined,
): { choice: string | undefined; label?: string } {
  const wish = plan.postgres
  if (known === undefined) return { choice: wish }
  const kept = { choice: known.binDir, label: known.choice }
  const isRunning = clustersOf(stateDir).some(
    (files) => files.data === known.dataDir && findPostgres(files, known.pid) !== undefined,
  )
  if (wish !== undefined && wish !== known.choice) {
    if (isRunning)
      throw new Error(otherRuns(`Postgres ${known.version} (${known.choice})`, 'CONCORD_POSTGRES', wish))
    return { choice: wish }
  }
  // An updated package brings new binaries of the same major version.
  if (known.choice === 'embedded' && !isRunning) return { choice: 'embedded' }
  return existsSync(known.binDir) ? kept : { choice: wish }
}

async function natsUp(
  plan: ServicesPlan,
  stateDir: string,
  before: ServicesState | undefined,
): Promise<NatsState> {
  const known = before?.nats
  const isRunning = known !== undefined && findNats(natsFiles(stateDir), known.pid) !== undefined
  const wish = plan.natsServer
  if (isRunning && wish !== undefined && existsSync(wish) && realpathSync(wish) !== known.serverPath) {
    throw new Error(otherRuns(`${known.serverPath} (${known.version})`, 'CONCORD_NATS_SERVER', wish))
  }
  // The one that runs is kept even if a newer one has appeared on the path since.
  const running = isRunning && existsSync(known.serverPath) ? known.serverPath : undefined
  const { searchPath, cacheDir, report } = plan
  const extra = report ? { report } : {}
  const serverPath = wish ?? running
  return natsState(await startPrivateNats({ dir: stateDir, serverPath, searchPath, cacheDir, ...extra }))
}

function otherRuns(what: string, variable: string, wish: string): string {
  return `${what} is running here, but ${variable} asks for ${wish}. Run "npm run services stop" first.`
}

function newLogin(user: string): Login {
  return { user, password: newPassword() }
}

function newRoles(): PostgresState['roles'] {
  return {
    owner: newLogin('concord_owner'),
    api: newLogin('concord_api'),
    worker: newLogin('concord_worker'),
  }
}

export function postgresState(
  { home, host, port, pid, binaries, dataDir, logFile, superuser }: PrivatePostgres,
  choice: string,
  roles: PostgresState['roles'],
  fingerprint: string,
): PostgresState {
  const { version, binDir } = binaries
  const server = { choice, home, host, port, pid, version, binDir, dataDir, logFile }
  return { ...server, superuser, roles, database: DATABASE, rolesFingerprint: fingerprint }
}

function natsState({
  url,
  monitorUrl,
  user,
  password,
  pid,
  version,
  serverPath,
  storeDir,
  logFile,
}: PrivateNats) {
  return { url, monitorUrl, user, password, pid, version, serverPath, storeDir, logFile }
}
