// A private nats-server in a directory of its own, on the loopback address, with JetStream and random credentials.
// Called again for the same directory it finds the running server, or starts it from the same data.
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { chooseNatsServer } from './nats-server.ts'
import { type NatsLimits, natsFiles, natsPlan, openNatsAccess } from './nats-process.ts'
import { LOOPBACK } from './ports.ts'
import { type ServerHandle, startServer } from './private-server.ts'

export interface PrivateNatsOptions {
  readonly dir: string
  /** The nats-server to run; absent: one on the search path, in the cache, or fetched. */
  readonly serverPath?: string | undefined
  /** More directories to look for an installed nats-server in, written like PATH. */
  readonly searchPath?: string
  /** Where a fetched nats-server is kept for all clones; absent: .cache/concord in the home directory. */
  readonly cacheDir?: string
  readonly limits?: Partial<NatsLimits>
  readonly report?: (line: string) => void
}

export interface PrivateNats extends ServerHandle {
  readonly serverPath: string
  readonly version: string
  readonly storeDir: string
  readonly logFile: string
  readonly user: string
  readonly password: string
  readonly port: number
  /** Without credentials; they are in user and password. */
  readonly url: string
  readonly monitorUrl: string
  /** Stops the server and deletes its data. */
  readonly remove: () => Promise<void>
}

// The sync interval is the usual one. What the broker loses in a power cut is sent again from Postgres, and a sync for every note would only keep
// Postgres waiting for the disk.
const LIMITS: NatsLimits = { syncInterval: '2m', maxFileStore: '8GB', maxMemoryStore: '256MB' }

export async function startPrivateNats(options: PrivateNatsOptions): Promise<PrivateNats> {
  mkdirSync(options.dir, { recursive: true })
  const chosen = await chooseNatsServer(options)
  const files = natsFiles(realpathSync(options.dir))
  const access = openNatsAccess(files)
  const limits = { ...LIMITS, ...options.limits }
  const server: ServerHandle = await startServer(natsPlan({ ...chosen, files, access, limits }), access.pid)
  return {
    ...chosen,
    storeDir: files.store,
    logFile: files.log,
    user: access.user,
    password: access.password,
    get pid() {
      return server.pid
    },
    get port() {
      return access.port
    },
    get url() {
      return `nats://${LOOPBACK}:${access.port}`
    },
    get monitorUrl() {
      return `http://${LOOPBACK}:${access.monitorPort}`
    },
    kill: server.kill,
    restart: server.restart,
    stop: server.stop,
    async remove() {
      await server.stop()
      rmSync(files.dir, { recursive: true, force: true })
    },
  }
}
