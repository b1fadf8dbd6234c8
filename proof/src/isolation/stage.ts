/**
 * Where an attack takes place: a deployment of its own with the twins in its database, processes for each way of
 * authenticating, and every credential that an attacker could try.
 */
import { randomBytes } from 'node:crypto'
import { createDeployment } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { RootKeys } from './credentials.ts'
import { readExpectations } from './expectations.ts'
import type { Expectations } from './expectations.ts'
import { requireSameChecksum } from './forged-keys.ts'
import { startProcesses } from './processes.ts'
import type { Send } from './processes.ts'
import { createRootKeys } from './root-keys.ts'
import { servedRoutes } from './routes.ts'
import type { ServedRoute } from './routes.ts'
import { createTwins } from './twins.ts'
import type { Seed, Twins } from './twins.ts'
import { createWire } from './wire.ts'
import type { Wire } from './wire.ts'

export interface Stage {
  readonly services: Services
  readonly databaseName: string
  /** Of every process. */
  readonly env: Readonly<Record<string, string>>
  readonly expectations: Expectations
  readonly routes: readonly ServedRoute[]
  readonly twins: Twins
  readonly rootKeys: RootKeys
  readonly gatewaySecret: Buffer
  readonly strangeSecret: Buffer
  readonly send: Send
  /** With an admin key; anything but success is an error. */
  readonly seed: Seed
}

export interface StageOptions {
  readonly services: Services
  /** Further settings for every process. */
  readonly env: Readonly<Record<string, string>>
  /** A changed copy to run instead of this repository. */
  readonly repository?: string
}

export async function withStage<Result>(
  { services, env, repository }: StageOptions,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const gatewaySecret = randomBytes(32)
  const settings = {
    LOG_LEVEL: 'error',
    DATABASE_POOL_SIZE: '4',
    GATEWAY_SECRET: gatewaySecret.toString('base64'),
  }
  const deployment = await createDeployment({
    services,
    name: `isolation_${process.pid}`,
    env: { ...settings, ...env },
    ...(repository && { repository }),
  })
  return withWire(deployment, async (wire) => {
    await deployment.migrate()
    const rootKeys = await createRootKeys(deployment)
    requireSameChecksum(rootKeys.admin)
    const send = await startProcesses(deployment, wire)
    const seed = createSeed(send, rootKeys.admin)
    return work({
      services,
      databaseName: deployment.databaseName,
      env: deployment.env,
      expectations: readExpectations(),
      routes: servedRoutes(await send('key', 0, { method: 'GET', path: '/openapi.json', headers: [] })),
      twins: await createTwins(seed),
      rootKeys,
      gatewaySecret,
      strangeSecret: randomBytes(32),
      send,
      seed,
    })
  })
}

/** The same stage, asked through processes of a changed copy of the repository. */
export async function withCopyOnStage<Result>(
  stage: Stage,
  repository: string,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const { services, databaseName, env } = stage
  // Its environment leads to the database of the stage; the one that it makes for itself stays empty.
  const deployment = await createDeployment({ services, name: `${databaseName}_copy`, env, repository })
  return withWire(deployment, async (wire) =>
    work({ ...stage, send: await startProcesses(deployment, wire) }),
  )
}

async function withWire<Result>(
  deployment: Deployment,
  work: (wire: Wire) => Promise<Result>,
): Promise<Result> {
  const wire = createWire()
  try {
    return await work(wire)
  } finally {
    wire.close()
    await deployment.remove()
  }
}

function createSeed(send: Send, admin: string): Seed {
  return async <Result>({ method, path, headers = [], body }: Parameters<Seed>[0]) => {
    const { status, body: text } = await send('key', 0, {
      method,
      path,
      headers: [['Authorization', `Bearer ${admin}`], ...headers],
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (status >= 300)
      throw new Error(`The stage could not be set: ${method} ${path} answered ${status}: ${text}`)
    return JSON.parse(text) as Result
  }
}
