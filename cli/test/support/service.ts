/** A real service for a test file, and the command of a tenant as a process beside it. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@concord/client'
import type { Concord } from '@concord/client'
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

export interface CliWorld {
  readonly url: string
  readonly tenantId: string
  readonly tenantKey: string
  readonly concord: Concord
  /** The environment of the processes of the service: what an operator has. */
  readonly serverEnv: Readonly<Record<string, string>>
  readonly adminKey: string
  /** A folder that goes when the file is done; also the home of the person at the terminal. */
  readonly home: string
  /** For `concord`, as that tenant, by the environment. */
  readonly env: Readonly<Record<string, string>>
  start(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Child
  run(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Promise<Ended>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  /** Both streams together. */
  readonly output: string
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SERVER = join(ROOT, 'service', 'src', 'main', 'concord.ts')
export const COMMAND = join(ROOT, 'cli', 'src', 'concord.ts')
const compileCache = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'concord-compiled') }

/** Call at the top of a file or of a block of tests; read the result inside tests. The scope `acme` is there. */
export function useWorld(settings: () => Readonly<Record<string, string>> = () => ({})): () => CliWorld {
  let world: CliWorld | undefined
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const name = `cli_${randomBytes(6).toString('hex')}`
    const services = await createTestDatabase(name)
    closing.push(() => dropDatabase(services, name))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const serverEnv = {
      ...deploymentEnv(services, name),
      ...compileCache,
      READERS: '1',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ...settings(),
    }
    const up = startChild({ command: process.execPath, args: [SERVER, 'up'], env: serverEnv })
    closing.push(() => up.stop(5_000))
    await untilReady(up, url)
    const made = await runChild({
      command: process.execPath,
      args: [SERVER, 'keys', 'create', '--tier', 'admin', '--json'],
      env: serverEnv,
    })
    const { api_key: adminKey } = JSON.parse(made) as { api_key: string }
    const tenant = await createClient({ baseUrl: url, adminKey }).createTenant({ name: 'A tenant' })
    const { tenant_id: tenantId, api_key: tenantKey } = tenant
    const concord = createClient({ baseUrl: url, adminKey, tenantId, tenantKey })
    await concord.createScope({ scope_id: 'acme' })
    const home = await mkdtemp(join(tmpdir(), 'concord-cli-'))
    closing.push(() => rm(home, { recursive: true, force: true }))
    const env = { CONCORD_URL: url, TENANT_ID: tenantId, TENANT_KEY: tenantKey }
    const start: CliWorld['start'] = (args, more = env, cwd = home) =>
      startChild({
        command: process.execPath,
        args: [COMMAND, ...args],
        env: { ...compileCache, HOME: home, ...more },
        cwd,
      })
    world = {
      url,
      tenantId,
      tenantKey,
      adminKey,
      concord,
      serverEnv,
      home,
      env,
      start,
      async run(...given) {
        const child = start(...given)
        const { code } = await child.exited
        return { code, stdout: child.stdout(), output: child.output() }
      },
    }
  })
  afterAll(async () => {
    for (const close of closing.toReversed()) await close()
  })
  return () => {
    if (!world) throw new Error('The world exists only inside tests')
    return world
  }
}
