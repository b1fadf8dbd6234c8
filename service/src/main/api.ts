/** The API process: builds every part in order and hands each what it needs. */
import { performance } from 'node:perf_hooks'
import { createCredentials } from '../app/credentials.ts'
import { createEventFeed } from '../app/event-feed.ts'
import { createIngest } from '../app/ingest.ts'
import { authenticateGateway, createNonceSweep, trustTenantId } from '../app/gateway.ts'
import { createKernelHealth } from '../app/kernel-health.ts'
import type { KernelHealth } from '../app/kernel-health.ts'
import { createKeyUsage } from '../app/key-usage.ts'
import { createPresence } from '../app/presence.ts'
import { createReadiness } from '../app/readiness.ts'
import type { RuntimeDeps } from '../app/runtime.ts'
import { createScopeSeals } from '../app/scope-seals.ts'
import type { Readiness } from '../app/readiness.ts'
import { createBroker } from '../engine/broker.ts'
import type { Broker } from '../engine/broker.ts'
import { subjectsOf } from '../engine/subjects.ts'
import type { Subjects } from '../engine/subjects.ts'
import type { TenantProof } from '../http/entrance.ts'
import { createEventStreams } from '../http/event-streams.ts'
import { createListener } from '../http/listener.ts'
import { createRoutes } from '../http/routes.ts'
import { createServer } from '../http/server.ts'
import type { Config } from '../platform/config.ts'
import { createFingerprints } from '../platform/fingerprint.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { Part, Running } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { readMigrations } from '../store/migrations.ts'
import { pingDatabase } from '../store/ping.ts'
import { openPools } from '../store/pools.ts'
import type { Pools } from '../store/pools.ts'
import { createAnnouncer } from './announcer.ts'
import type { Announcer } from './announcer.ts'
import { databasePart } from './database-part.ts'
import { createInsecureWarning } from './insecure-warning.ts'
import { version } from './version.ts'

export interface RunningApi extends Running {
  /** Where it listens, once started. */
  readonly address: string
}

const monotonicMs = () => performance.now()

export async function startApi(config: Config, log: Log): Promise<RunningApi> {
  const pools = openPools({ url: config.DATABASE_URL, size: config.DATABASE_POOL_SIZE, log })
  const broker = createBroker(config.NATS_URL, log)
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const credentials = createCredentials({ registry: pools.registry, pepper: config.KEY_PEPPER, monotonicMs })
  broker.listen(subjects.keyChanged, credentials.forget)
  const readiness = createReadiness(probesOf(pools, broker), monotonicMs)
  const feed = createEventFeed({ pools, log })
  const announcer = createAnnouncer(broker, subjects, feed)
  broker.listen(subjects.scopeChanged, announcer.hear)
  const seals = createScopeSeals({ pool: pools.tenant, masterKeys: config.MASTER_KEY })
  const fingerprints = createFingerprints(config.KEY_PEPPER)
  const ingest = createIngest({
    pool: pools.tenant,
    seals,
    fingerprints,
    announceEvents: announcer.announce,
  })
  const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  const routes = createRoutes({
    version,
    publicUrl,
    pools,
    seals,
    fingerprints,
    ingest,
    feed,
    announceEvents: announcer.announce,
    announceRuntime: announceRuntimeWith(broker, subjects, announcer),
    readiness,
    kernelHealth: await watchKernel(pools, broker, subjects),
    pepper: config.KEY_PEPPER,
    masterKeys: config.MASTER_KEY,
    authMode: config.AUTH_MODE,
    announceKeyChange(keyId) {
      credentials.forget(keyId)
      broker.announce(subjects.keyChanged, keyId)
    },
  })
  const streams = createEventStreams(log)
  const server = createServer(
    { log, publicUrl, credentials, streams, tenantProof: tenantProofOf(config, pools) },
    routes,
  )
  const listener = createListener(server, config)
  const running = await startAll(
    [
      databasePart(pools),
      broker,
      createKeyUsage({ registry: pools.registry, takeUsed: credentials.takeUsed, log }),
      createNonceSweep(pools.registry, log),
      feed,
      readiness,
      createInsecureWarning(config, log),
      listener,
      streams,
      drainPart(readiness),
    ],
    log,
  )
  log.info({ address: listener.address(), version, auth_mode: config.AUTH_MODE }, 'api ready')
  return { ...running, address: listener.address() }
}

/** For speed alone: the dispatcher looks by itself every moment, and the claim asks the switches in the database. */
function announceRuntimeWith(
  broker: Broker,
  subjects: Subjects,
  announcer: Announcer,
): RuntimeDeps['announceRuntime'] {
  return (target, restarted) => {
    broker.announce(subjects.backlogChanged, '')
    if (restarted) broker.announce(subjects.runtimeRestarted, JSON.stringify(target))
    if (target.level === 'scope') announcer.announce(target.tenantId, target.scopeId)
  }
}

/** Who lives is known only to those who listen from the start. */
async function watchKernel(pools: Pools, broker: Broker, subjects: Subjects): Promise<KernelHealth> {
  const presence = createPresence(monotonicMs)
  broker.listen(subjects.heartbeat, presence.hear)
  const migrations = await readMigrations()
  return createKernelHealth({ kernel: pools.kernel, broker, presence, migrations, monotonicMs })
}

/** Started last and so stopped first: readiness turns red before the listener closes. */
function drainPart(readiness: Readiness): Part {
  return { name: 'drain', start: async () => undefined, stop: async () => readiness.drain() }
}

function probesOf(pools: Pools, broker: Broker) {
  return [
    { name: 'database', required: true, check: () => pingDatabase(pools.tenant) },
    {
      name: 'broker',
      required: false,
      check: async () => {
        if (!broker.isConnected()) throw new Error('not connected')
      },
    },
  ]
}

function tenantProofOf({ AUTH_MODE, GATEWAY_SECRET: secret }: Config, { registry }: Pools): TenantProof {
  switch (AUTH_MODE) {
    case 'key':
      return { mode: 'key' }
    case 'insecure-tenant-id':
      return { mode: 'insecure-tenant-id', trust: (id) => trustTenantId(registry, id, 'insecure-tenant-id') }
    case 'trusted-gateway':
      if (!secret) throw new Error('GATEWAY_SECRET is required')
      return {
        mode: 'trusted-gateway',
        authenticate: (request, signature) =>
          authenticateGateway({ registry, secret, nowMs: () => Date.now() }, request, signature),
      }
  }
}
