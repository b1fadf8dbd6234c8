/** A real service for a test file: a database of its own, API, dispatcher and worker in one process, and keys for everyone. */
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import {
  deploymentEnv,
  dropDatabase,
  freePort,
  runChild,
  startChild,
  untilReady,
} from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import { createTestDatabase } from '@concord/tools/testing'
import { afterAll, beforeAll } from 'vitest'
import { createClient } from '../../src/index.ts'
import type { ClientOptions, Concord } from '../../src/index.ts'

export interface TestService {
  readonly url: string
  readonly adminKey: string
  readonly internalsKey: string
  /** Another API process of the same deployment, which may be killed; on this port, or one that is free. */
  startApi(port?: number): Promise<Child & { readonly url: string; readonly port: number }>
}

/** Halves the time a process takes to start; beside the packages, so that it goes when they go. */
const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(
    new URL('../../../node_modules/.cache/concord-compiled', import.meta.url),
  ),
}

const entry = fileURLToPath(new URL('../../../service/src/main/concord.ts', import.meta.url))

/** Call at the top of a file; read the result inside tests. */
export function useService(): () => TestService {
  let service: TestService | undefined
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const name = `client_${randomBytes(6).toString('hex')}`
    const services = await createTestDatabase(name)
    closing.push(() => dropDatabase(services, name))
    const env = { ...deploymentEnv(services, name), READERS: '1', LOG_LEVEL: 'warn', ...compileCache }
    const start = async (role: 'api' | 'up', port: number) => {
      const child = startChild({
        command: process.execPath,
        args: [entry, role],
        env: { ...env, PORT: String(port) },
      })
      closing.push(() => child.stop(5_000))
      const url = `http://127.0.0.1:${port}`
      await untilReady(child, url)
      return { ...child, url, port }
    }
    const createKey = async (tier: string) => {
      const args = [entry, 'keys', 'create', '--tier', tier, '--json']
      return (JSON.parse(await runChild({ command: process.execPath, args, env })) as { api_key: string })
        .api_key
    }
    const [{ url }, adminKey, internalsKey] = await Promise.all([
      start('up', await freePort()),
      createKey('admin'),
      createKey('internals'),
    ])
    service = {
      url,
      adminKey,
      internalsKey,
      startApi: async (port) => start('api', port ?? (await freePort())),
    }
  })
  afterAll(async () => {
    for (const close of closing.toReversed()) await close()
  })
  return () => {
    if (!service) throw new Error('The service exists only inside tests')
    return service
  }
}

export interface World {
  readonly concord: Concord
  readonly tenantId: string
  readonly tenantKey: string
}

/** A tenant of its own with the scope `first-case`, and a client that holds all keys. */
export async function makeWorld(service: TestService, options: Partial<ClientOptions> = {}): Promise<World> {
  const { url: baseUrl, adminKey, internalsKey } = service
  const keys = { baseUrl, adminKey, internalsKey, ...options }
  const tenant = await createClient(keys).createTenant({ name: 'A tenant' })
  const { tenant_id: tenantId, api_key: tenantKey } = tenant
  const concord = createClient({ ...keys, tenantId, tenantKey })
  await concord.createScope({ scope_id: 'first-case' })
  return { concord, tenantId, tenantKey }
}
