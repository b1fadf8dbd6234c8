/** The real command as a process of its own: started, awaited, and ended by whoever started it. */
import { join } from 'node:path'
import { deploymentEnv, freePort, startChild, waitUntil } from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import type { TestDatabase } from './database.ts'
import { masterKeys, pepper } from './people.ts'

export type ProcessEnv = Readonly<Record<string, string>>

export interface EndedProcess {
  readonly code: number | null
  readonly stdout: string
  /** Both streams together. */
  readonly output: string
}

export interface ApiProcess extends Child {
  readonly url: string
}

const ENTRY = join(import.meta.dirname, '..', '..', 'src', 'main', 'concord.ts')

/** With the secrets of `people.ts`, so that keys made in the test are good there. */
export function processEnv({ services, name }: Pick<TestDatabase, 'services' | 'name'>): ProcessEnv {
  return {
    ...deploymentEnv(services, name),
    KEY_PEPPER: pepper.toString('base64'),
    MASTER_KEY: masterKeys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(),
  }
}

/** Halves the time a process takes to start; beside the packages, so that it goes when they go. */
const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    'node_modules',
    '.cache',
    'concord-compiled',
  ),
}

const startConcord = (env: ProcessEnv, ...args: string[]): Child =>
  startChild({ command: process.execPath, args: [ENTRY, ...args], env: { ...COMPILE_CACHE, ...env } })

export async function runConcord(env: ProcessEnv, ...args: string[]): Promise<EndedProcess> {
  const child = startConcord(env, ...args)
  const { code } = await child.exited
  return { code, stdout: child.stdout(), output: child.output() }
}

/** Everything that answers HTTP: the API alone, or with the rest of the service beside it. */
export async function startApiProcess(env: ProcessEnv, command: 'api' | 'up' = 'api'): Promise<ApiProcess> {
  const port = await freePort()
  const child = startConcord({ ...env, PORT: String(port) }, command)
  const url = `http://127.0.0.1:${port}`
  const ready = () => child.hasExited() || fetch(`${url}/readyz`).then(({ ok }) => ok)
  await waitUntil(ready, { what: 'the API becoming ready', withinMs: 30_000 })
  if (child.hasExited()) throw new Error(`The API ended instead of starting:\n${child.output()}`)
  return { ...child, url }
}

export async function startKernelProcess(
  env: ProcessEnv,
  role: 'dispatcher' | 'worker' | 'hatchery',
): Promise<Child> {
  const child = startConcord(env, role)
  await waitUntil(() => child.hasExited() || child.output().includes(`${role} ready`), {
    what: `the ${role} becoming ready`,
    withinMs: 30_000,
  })
  if (child.hasExited()) throw new Error(`The ${role} ended instead of starting:\n${child.output()}`)
  return child
}
