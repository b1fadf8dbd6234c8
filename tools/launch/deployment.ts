/**
 * A deployment of Concord on this machine: a database of its own on the private servers, secrets of its own, and
 * as many processes as asked for. It touches the service only as an operator does: by command and by HTTP.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Services } from '../services/index.ts'
import { runChild, startChild } from './child.ts'
import type { Child } from './child.ts'
import { createDatabase, dropDatabase } from './database.ts'
import { waitUntil } from './waiting.ts'

export interface DeploymentOptions {
  readonly services: Services
  /** Name of its database. */
  readonly name: string
  /** Another copy of the repository to run; this one where nothing is said. */
  readonly repository?: string
  /** Further settings for every process. */
  readonly env?: Readonly<Record<string, string>>
}

export interface DeployedApi extends Child {
  readonly url: string
}

export interface Deployment {
  readonly env: Readonly<Record<string, string>>
  readonly databaseName: string
  /** Runs `concord` with these words and returns what it printed, parsed as JSON. */
  concord<Result>(...args: string[]): Promise<Result>
  migrate(): Promise<void>
  startApi(env?: Readonly<Record<string, string>>): Promise<DeployedApi>
  /** Returns once it says that it is ready. */
  startKernel(
    role: 'dispatcher' | 'worker' | 'hatchery',
    env?: Readonly<Record<string, string>>,
  ): Promise<Child>
  /** Every line that any process of this deployment printed so far. */
  output(): string
  /** Stops every process and drops the database. */
  remove(): Promise<void>
}

const REPOSITORY = join(import.meta.dirname, '..', '..')

export async function createDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { services, name, repository = REPOSITORY } = options
  await createDatabase(services, { name })
  const env = { ...deploymentEnv(services, name), ...options.env }
  const entry = join(repository, 'service', 'src', 'main', 'concord.ts')
  const children: Child[] = []
  const concord = async (...args: string[]) =>
    runChild({ command: process.execPath, args: [entry, ...args], env })
  return {
    env,
    databaseName: name,
    concord: async <Result>(...args: string[]) => JSON.parse(await concord(...args, '--json')) as Result,
    migrate: async () => void (await concord('migrate')),
    async startApi(extra = {}) {
      const port = await freePort()
      const child = startChild({
        command: process.execPath,
        args: [entry, 'api'],
        env: { ...env, ...extra, PORT: String(port) },
        ownSession: true,
      })
      children.push(child)
      const url = `http://127.0.0.1:${port}`
      await orEnd(child, untilReady(child, url))
      return { ...child, url }
    },
    async startKernel(role, extra = {}) {
      const child = startChild({
        command: process.execPath,
        args: [entry, role],
        env: { ...env, ...extra },
        ownSession: true,
      })
      children.push(child)
      const ready = waitUntil(() => child.hasExited() || child.output().includes(`${role} ready`), {
        what: `the ${role} becoming ready`,
        withinMs: START_MS,
      })
      await orEnd(child, ready)
      if (child.hasExited()) throw new Error(`The ${role} ended instead of starting:\n${child.output()}`)
      return child
    },
    output: () => children.map((child) => child.output()).join(''),
    async remove() {
      await Promise.all(children.map((child) => child.stop()))
      await dropDatabase(services, name)
    },
  }
}

/** On a machine that is busy with other things, too. */
const START_MS = 40_000

/** One that is not ready in time would go on starting, beside the next one that is started in its place. */
async function orEnd(child: Child, ready: Promise<unknown>): Promise<void> {
  try {
    await ready
  } catch (error) {
    child.signal('SIGKILL')
    throw error
  }
}

/** Loopback, its own secrets, and subjects that no other deployment on the same broker uses. */
export function deploymentEnv(services: Services, name: string): Record<string, string> {
  const { url, user, password } = services.nats
  return {
    NODE_ENV: 'test',
    // The Postgres of the tests writes nothing to disk, and proofs turn settings off to see what is lost.
    DATABASE_DURABILITY: 'unchecked',
    HOST: '127.0.0.1',
    DATABASE_URL: services.postgres.url('api', name),
    DATABASE_OWNER_URL: services.postgres.url('owner', name),
    WORKER_DATABASE_URL: services.postgres.url('worker', name),
    NATS_URL: url.replace('//', `//${user}:${password}@`),
    SUBJECT_PREFIX: `concord.${name.replaceAll('_', '-')}`,
    MASTER_KEY: `mk1:${randomBytes(32).toString('base64')}`,
    KEY_PEPPER: randomBytes(32).toString('base64'),
    // Nobody sends requests here who would have to see that it leaves.
    DRAIN_NOTICE_SECONDS: '0',
  }
}

export async function untilReady(child: Child, url: string): Promise<void> {
  await waitUntil(
    async () => {
      if (child.hasExited()) return true
      return (await fetch(`${url}/readyz`)).ok
    },
    { what: `${url} becoming ready`, withinMs: START_MS },
  )
  if (child.hasExited()) throw new Error(`The API ended instead of starting:\n${child.output()}`)
}

/** A port the system considers free at this moment. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
