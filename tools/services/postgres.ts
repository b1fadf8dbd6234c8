// A private Postgres in a directory of its own, on the loopback address, with a random superuser password.
// Called again for the same directory it finds the running server, or repairs what a crash left behind.
import { realpathSync, rmSync } from 'node:fs'
import { LOOPBACK } from './ports.ts'
import { choosePostgres, type PostgresBinaries } from './postgres-binaries.ts'
import {
  type ClusterFiles,
  clusterFiles,
  clusterUser,
  createCluster,
  prepareClusterDir,
  type ClusterSettings,
  SUPERUSER,
} from './postgres-cluster.ts'
import { openAccess, type PostgresAccess, postgresPlan } from './postgres-process.ts'
import { type ServerHandle, startServer } from './private-server.ts'
import type { RunAs } from './processes.ts'
import { postgresUser, reachableHome } from './unprivileged.ts'

export interface PrivatePostgresOptions {
  /** Where to keep the data. Root's Postgres runs as another user; if that one cannot enter, a stand-in is used. */
  readonly dir: string
  /** 'system', 'embedded' or a bin directory; absent: the newest installed, else the embedded one. */
  readonly choice?: string | undefined
  /** More directories to look for an installed Postgres in, written like PATH. */
  readonly searchPath?: string
  /** Settings on top of, or instead of, the usual ones. */
  readonly settings?: ClusterSettings
  /** The user to run as when we are root; absent: postgres, else nobody. */
  readonly runAs?: RunAs
}

export interface PrivatePostgres extends ServerHandle {
  readonly binaries: PostgresBinaries
  readonly home: string
  readonly dataDir: string
  readonly logFile: string
  readonly host: string
  readonly port: number
  readonly superuser: { readonly user: string; readonly password: string }
  /** For the superuser, in the database postgres. */
  readonly url: string
  /** Stops the server and deletes its data. */
  readonly remove: () => Promise<void>
}

export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivatePostgres> {
  const chosenUser = options.runAs ?? postgresUser()
  const home = reachableHome(options.dir, chosenUser)
  const { choice, searchPath = '' } = options
  const binaries = await choosePostgres({ choice, searchPath, home, runAs: chosenUser })
  const files = clusterFiles(home, binaries.major)
  const runAs = clusterUser(files, chosenUser)
  prepareClusterDir(files, runAs)
  const access = openAccess(files)
  await createCluster(binaries, files, runAs, access.password)
  const plan = postgresPlan({ binaries, files, access, runAs, settings: options.settings ?? {} })
  const server = await startServer(plan, access.pid)
  const isStandIn = home !== realpathSync(options.dir)
  return handleOf(server, { binaries, home, isStandIn, files, access })
}

interface Parts {
  readonly binaries: PostgresBinaries
  readonly home: string
  /** The home was made for this server alone, and goes with it. */
  readonly isStandIn: boolean
  readonly files: ClusterFiles
  readonly access: PostgresAccess
}

function handleOf(
  server: ServerHandle,
  { binaries, home, isStandIn, files, access }: Parts,
): PrivatePostgres {
  return {
    binaries,
    home,
    dataDir: files.data,
    logFile: files.log,
    host: LOOPBACK,
    superuser: { user: SUPERUSER, password: access.password },
    get pid() {
      return server.pid
    },
    get port() {
      return access.port
    },
    get url() {
      return `postgres://${SUPERUSER}:${access.password}@${LOOPBACK}:${access.port}/postgres`
    },
    kill: server.kill,
    restart: server.restart,
    stop: server.stop,
    async remove() {
      await server.stop()
      rmSync(files.dir, { recursive: true, force: true })
      if (isStandIn) rmSync(home, { recursive: true, force: true })
    },
  }
}
