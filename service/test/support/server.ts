/** A server with routes of the test's own, in front of a real database, and with people who may use it. */
import { afterAll, beforeAll } from 'vitest'
import { createCredentials } from '../../src/app/access/credentials.ts'
import type { Route } from '../../src/http/route.ts'
import { createEventStreams } from '../../src/http/event-streams.ts'
import { createServer } from '../../src/http/server.ts'
import type { ServerDeps } from '../../src/http/server.ts'
import type { Pools } from '../../src/store/pools.ts'
import { noLimits } from './limits.ts'
import { createMemoryLog } from './log.ts'
import type { MemoryLog } from './log.ts'
import { makeRootKey, makeTenant, pepper } from './people.ts'
import type { TestTenant } from './people.ts'

export type TestHttpServer = ReturnType<typeof createServer>

export interface TestServer extends People {
  readonly server: TestHttpServer
  readonly log: MemoryLog
}

export interface People {
  readonly tenant: TestTenant
  readonly other: TestTenant
  readonly admin: string
  readonly internals: string
}

/** With its credentials checked against `pools`, and nothing else of the service. */
export function buildServer(
  pools: Pools,
  routes: readonly Route[],
  log = createMemoryLog(),
  limits = noLimits(),
  extra: Pick<ServerDeps, 'corsOrigins' | 'writeTimeoutMs'> = {},
): TestHttpServer {
  const monotonicMs = () => performance.now()
  const credentials = createCredentials({ registry: pools.registry, peppers: [pepper], monotonicMs })
  const streams = createEventStreams(log.log)
  return createServer(
    { log: log.log, publicUrl: '', credentials, streams, limits, tenantProof: { mode: 'key' }, ...extra },
    routes,
  )
}

export async function makePeople(pools: Pools): Promise<People> {
  const [tenant, other] = [await makeTenant(pools, 'Acme'), await makeTenant(pools, 'Borealis')]
  const [admin, internals] = [await makeRootKey(pools, 'admin'), await makeRootKey(pools, 'internals')]
  return { tenant, other, admin: admin.key, internals: internals.key }
}

export function useServer(pools: () => Pools, routes: readonly Route[]): () => TestServer {
  let built: TestServer | undefined
  beforeAll(async () => {
    const log = createMemoryLog()
    built = { server: buildServer(pools(), routes, log), log, ...(await makePeople(pools())) }
    await built.server.ready()
  })
  afterAll(() => built?.server.close())
  return () => {
    if (!built) throw new Error('The server exists only inside tests')
    return built
  }
}
