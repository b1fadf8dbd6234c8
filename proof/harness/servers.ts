/**
 * A Postgres and a NATS that belong to one proof alone, so that it may kill them, restart them and delete what they
 * stored. They keep their addresses over restarts; everything is gone after `remove`.
 */
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ensureServices,
  resetServices,
  startPrivateNats,
  startPrivatePostgres,
} from '@concord/tools/services'
import { requestJson } from './http.ts'
import type { PrivateNats, PrivatePostgres, Services } from '@concord/tools/services'

export interface Servers {
  readonly services: Services
  readonly postgres: PrivatePostgres
  readonly nats: PrivateNats
  remove(): Promise<void>
}

export interface ServersOptions {
  /** Where their directory is made; the temporary directory where nothing is said. */
  readonly within?: string
  /** Where the broker keeps its own; with the others where nothing is said. */
  readonly brokerWithin?: string
  /** How often the broker syncs to disk; every two minutes where nothing is said. */
  readonly brokerSync?: string
}

export async function openServers({
  within = tmpdir(),
  brokerWithin,
  brokerSync,
}: ServersOptions = {}): Promise<Servers> {
  const stateDir = await mkdtemp(join(within, 'concord-faults-'))
  // Root's Postgres runs as another user, who must be able to pass through.
  await chmod(stateDir, 0o711)
  if (brokerWithin) await symlink(brokerWithin, join(stateDir, 'nats'))
  let endAtOnce = doNothing
  const remove = async () => {
    process.off('exit', endAtOnce)
    await resetServices({ stateDir })
    await rm(stateDir, { recursive: true, force: true })
  }
  try {
    const services = await ensureServices({ stateDir })
    // Both run already: what is started here finds them and gives the handles to kill them with.
    const [postgres, nats] = await Promise.all([
      startPrivatePostgres({ dir: services.postgres.home, choice: services.postgres.binDir }),
      startPrivateNats({
        dir: stateDir,
        serverPath: services.nats.serverPath,
        ...(brokerSync && { limits: { syncInterval: brokerSync } }),
      }),
    ])
    // They outlive whoever started them, and a proof that takes too long is ended.
    endAtOnce = () => {
      postgres.kill('SIGKILL')
      nats.kill('SIGKILL')
    }
    process.once('exit', endAtOnce)
    // It was started with the usual setting, and takes the other one with its next start.
    if (brokerSync) await nats.restart()
    return { services, postgres, nats, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The messages that the broker holds in all its streams, as it counts them itself. */
export async function countMessages({ nats }: Servers): Promise<number> {
  return (await requestJson<{ messages: number }>(nats.monitorUrl, { path: '/jsz' })).messages
}

function doNothing(): void {}
