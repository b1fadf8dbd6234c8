// The face of this folder: real Postgres and NATS servers for whoever needs them. Everything below takes what
// it needs from its caller; the environment is read here, where the pieces are put together.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { bringUp, type ServicesPlan } from './ensure.ts'
import { type RunningPids, runningPids, shutDown, wipe } from './shut-down.ts'
import type { NatsState, PostgresState, ServicesState } from './state.ts'
import { bringUpForTests } from './test-postgres.ts'

export { type DebianBinary, fetchBinary } from './fetch-binary.ts'
export { type PrivateNats, type PrivateNatsOptions, startPrivateNats } from './nats.ts'
export { type PrivatePostgres, type PrivatePostgresOptions, startPrivatePostgres } from './postgres.ts'
export type { ServerHandle } from './private-server.ts'
export type { Login } from './roles.ts'
export type { RunningPids } from './shut-down.ts'
export type { ServicesState } from './state.ts'

export type PostgresRole = 'superuser' | 'owner' | 'api' | 'worker'

export interface Services {
  readonly postgres: PostgresState & {
    /** A connection address for one of the roles, in the database concord unless another is named. */
    readonly url: (role: PostgresRole, database?: string) => string
  }
  readonly nats: NatsState
}

export interface ServicesOptions {
  /** Where state and data live; absent: CONCORD_SERVICES_DIR, else .services in the repository. */
  readonly stateDir?: string
  /** CONCORD_POSTGRES, CONCORD_NATS_SERVER, PATH and XDG_CACHE_HOME are taken from it. */
  readonly environment?: NodeJS.ProcessEnv
  /** Told about what takes long. */
  readonly report?: (line: string) => void
}

export const DEFAULT_STATE_DIR =
  process.env['CONCORD_SERVICES_DIR'] || join(import.meta.dirname, '..', '..', '.services')

/** Both servers, answering. Safe to call again, from several processes at once, and after a crash. */
export async function ensureServices(options: ServicesOptions = {}): Promise<Services> {
  return servicesFrom(await bringUp(planFrom(options)))
}

/**
 * The same, with a Postgres for tests in the place of the durable one: it does not sync, and its data goes with the next stop.
 * The record can be handed to another process, which gets its addresses by `servicesFrom`.
 */
export async function ensureTestServices(options: ServicesOptions = {}): Promise<ServicesState> {
  return bringUpForTests(planFrom(options))
}

function planFrom({
  stateDir = DEFAULT_STATE_DIR,
  environment = process.env,
  report,
}: ServicesOptions): ServicesPlan {
  return {
    stateDir,
    postgres: environment['CONCORD_POSTGRES'] || undefined,
    natsServer: environment['CONCORD_NATS_SERVER'] || undefined,
    searchPath: environment['PATH'] ?? '',
    cacheDir: join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'concord'),
    ...(report ? { report } : {}),
  }
}

/** Ends the servers of the state directory and nothing else. Their data stays, except that of the tests. */
export async function stopServices({ stateDir = DEFAULT_STATE_DIR }: ServicesOptions = {}): Promise<void> {
  await shutDown(stateDir)
}

/** Stops the servers and deletes their data. */
export async function resetServices({ stateDir = DEFAULT_STATE_DIR }: ServicesOptions = {}): Promise<void> {
  await wipe(stateDir)
}

export function servicesRunning({ stateDir = DEFAULT_STATE_DIR }: ServicesOptions = {}): RunningPids {
  return runningPids(stateDir)
}

export function servicesFrom({ postgres, nats }: ServicesState): Services {
  const url = (role: PostgresRole, database = postgres.database): string => {
    const { user, password } = role === 'superuser' ? postgres.superuser : postgres.roles[role]
    return `postgres://${user}:${password}@${postgres.host}:${postgres.port}/${encodeURIComponent(database)}`
  }
  return { postgres: { ...postgres, url }, nats }
}
