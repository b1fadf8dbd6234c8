// The record of what runs, for people, tests and other programs: .services/state.json, readable for its owner only.
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Login } from './roles.ts'
import { readJson, writeSecret } from './secret-file.ts'

export interface PostgresState {
  readonly choice: string
  readonly home: string
  readonly host: string
  readonly port: number
  /** Absent after a stop. */
  readonly pid?: number
  readonly version: string
  readonly binDir: string
  readonly dataDir: string
  readonly logFile: string
  readonly superuser: Login
  readonly roles: { readonly owner: Login; readonly api: Login; readonly worker: Login }
  readonly database: string
  readonly rolesFingerprint: string
}

export interface NatsState {
  readonly url: string
  readonly monitorUrl: string
  readonly user: string
  readonly password: string
  /** Absent after a stop. */
  readonly pid?: number
  readonly version: string
  readonly serverPath: string
  readonly storeDir: string
  readonly logFile: string
}

export interface ServicesState {
  readonly format: typeof FORMAT
  readonly postgres: PostgresState
  readonly nats: NatsState
}

export const FORMAT = 1

/** The recorded state; undefined when there is none or when another version of this tool wrote it. */
export function readState(stateDir: string): ServicesState | undefined {
  const found = readJson(stateFile(stateDir)) as ServicesState | undefined
  return found?.format === FORMAT ? found : undefined
}

export function writeState(stateDir: string, state: ServicesState): void {
  writeSecret(stateFile(stateDir), `${JSON.stringify(state, null, 2)}\n`)
}

/** Root's Postgres runs as another user, who must be able to pass through; nobody else needs to look inside. */
export function createStateDir(dir: string): void {
  if (existsSync(dir)) return
  mkdirSync(dir, { recursive: true })
  chmodSync(dir, process.getuid?.() === 0 ? 0o711 : 0o700)
}

/** The real path of the directory. Servers of two users in one directory would get in each other's way. */
export function ownStateDir(dir: string): string {
  const { uid } = statSync(dir)
  if (process.getuid === undefined || uid === process.getuid()) return realpathSync(dir)
  throw new Error(
    `${dir} belongs to user ${uid}. Work as that user, or delete it after "services stop" as that user.`,
  )
}

function stateFile(stateDir: string): string {
  return join(stateDir, 'state.json')
}
