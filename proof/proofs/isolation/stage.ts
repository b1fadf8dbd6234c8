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
import { createExpendables } from './expendables.ts'
import type { Expendables } from './expendables.ts'
import { requireSameChecksum } from './forged-keys.ts'
import { startProcesses } from './processes.ts'
import type { Processes, Send } from './processes.ts'
import { processDocuments } from './processing.ts'
import type { ProcessingFindings } from './processing.ts'
import { readQuietHeads } from './quiet-heads.ts'
import type { QuietHeads } from './quiet-heads.ts'
import { createRootKeys } from './root-keys.ts'
import { servedRoutes } from './routes.ts'
import type { ServedRoute } from './routes.ts'
import { createSeed } from './seed.ts'
import type { Seed } from './seed.ts'
import { createTwins, withContradictions } from './twins.ts'
import type { Twins } from './twins.ts'
import { createWire } from './wire.ts'
import type { Wire } from './wire.ts'

export interface Stage {
  readonly services: Services
  readonly databaseName: string
  readonly expectations: Expectations
  readonly routes: readonly ServedRoute[]
  readonly twins: Twins
  /** What came of the documents that the twins had when the stage was set. */
  readonly processing: ProcessingFindings
  readonly expendables: Expendables
  readonly quietHeads: QuietHeads
  readonly rootKeys: RootKeys
  readonly gatewaySecret: Buffer
  readonly strangeSecret: Buffer
  readonly send: Send
  readonly urlOf: Processes['urlOf']
  /** With an admin key; anything but success is an error. */
  readonly seed: Seed
}

export interface StageOptions {
  readonly services: Services
  /** Tells the stages of one run apart. */
  readonly name: string
  /** Further settings for every process. */
  readonly env: Readonly<Record<string, string>>
  /** A changed copy to run instead of this repository; in fewer processes, because there it is about statements. */
  readonly repository?: string
}

export async function withStage<Result>(
  { services, name, env, repository }: StageOptions,
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
    name: `isolation_${process.pid}_${name}`,
    env: { ...settings, ...env },
    ...(repository && { repository }),
  })
  return withWire(deployment, async (wire) => {
    await deployment.migrate()
    const rootKeys = await createRootKeys(deployment, repository !== undefined)
    requireSameChecksum(rootKeys.admin)
    const { send, urlOf } = await startProcesses(deployment, wire, repository !== undefined)
    const seed = createSeed(send, rootKeys.admin)
    const { databaseName } = deployment
    const unread = await createTwins(seed)
    const processing = await processDocuments(deployment, send, unread)
    const twins = await withContradictions(seed, unread)
    return work({
      services,
      databaseName,
      expectations: readExpectations(),
      routes: servedRoutes(await send('key', 0, { method: 'GET', path: '/openapi.json', headers: [] })),
      twins,
      processing,
      expendables: await createExpendables(seed, twins, services, databaseName),
      quietHeads: await readQuietHeads(send, twins),
      rootKeys,
      gatewaySecret,
      strangeSecret: randomBytes(32),
      send,
      urlOf,
      seed,
    })
  })
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
