/** The API process: creates every part in order, with its dependencies. */
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createCredentials } from '../app/access/credentials.ts'
import type { Credentials } from '../app/access/credentials.ts'
import { createOperatorKeys } from '../app/access/operator-keys.ts'
import { createErasureSweep } from '../app/scopes/erasure-sweep.ts'
import { createEventFeed } from '../app/events/event-feed.ts'
import { createIngest } from '../app/documents/ingest.ts'
import type { Ingest, IngestDeps } from '../app/documents/ingest.ts'
import { createPolicies } from '../app/access/policies.ts'
import { authenticateGateway, createNonceSweep, trustTenantId } from '../app/access/gateway.ts'
import { createKeyUsage } from '../app/identity/key-usage.ts'
import { createReadiness } from '../app/health/readiness.ts'
import type { RuntimeDeps } from '../app/processing/runtime.ts'
import { ensureScope as ensure } from '../app/scopes/scopes.ts'
import { createScopeSeals } from '../app/scopes/scope-seals.ts'
import type { Readiness } from '../app/health/readiness.ts'
import type { TenantCaller } from '../domain/caller.ts'
import { createBroker } from '../engine/broker.ts'
import type { Broker } from '../engine/broker.ts'
import { subjectsOf } from '../engine/subjects.ts'
import type { Subjects } from '../engine/subjects.ts'
import type { TenantProof } from '../http/auth.ts'
import { createEventStreams } from '../http/event-streams.ts'
import { createListener } from '../http/listener.ts'
import { createRoutes } from '../http/routes.ts'
import { createServer } from '../http/server.ts'
import { createAuditor } from '../platform/audit-key.ts'
import { createCertificateKeys } from '../platform/certificate-keys.ts'
import type { Config } from '../platform/config.ts'
import { createFingerprints } from '../platform/fingerprint.ts'
import { startAll } from '../platform/lifecycle.ts'
import type { Part, RunningParts } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { createPolicyEngine } from '../policy/engine.ts'
import { pingDatabase } from '../store/ping.ts'
import { openPools } from '../store/pools.ts'
import type { Pools } from '../store/pools.ts'
import { createAnnouncer } from './announcer.ts'
import type { Announcer, BacklogNews } from './announcer.ts'
import { showApi } from './api-telemetry.ts'
import { logCompareErrors } from './compare-errors.ts'
import { databasePart } from './database-part.ts'
import { openExtractor } from './file-readers.ts'
import { createInsecureWarning } from './insecure-warning.ts'
import { watchKernel } from './kernel-watch.ts'
import type { KernelWatch } from './kernel-watch.ts'
import { createLimitsPart } from './limits.ts'
import { openTelemetry } from './telemetry.ts'
import { version } from './version.ts'

export interface RunningApi extends RunningParts {
  /** The address of the listener. */
  readonly address: string
}

const monotonicMs = () => performance.now()

interface KeySources {
  readonly pools: Pools
  readonly broker: Broker
  readonly subjects: Subjects
  readonly log: Log
}

/** Creates the key caches. When a key changes, all API processes drop it from their caches. */
function openKeys(config: Config, { pools, broker, subjects, log }: KeySources) {
  const known = { registry: pools.registry, peppers: config.KEY_PEPPER, monotonicMs }
  const credentials = createCredentials(known)
  const operatorKeys = createOperatorKeys({ ...known, log })
  const forget = (keyId: string) => {
    credentials.forget(keyId)
    operatorKeys.forget(keyId)
  }
  // @point auth.listen-for-revocations
  broker.listen(subjects.keyChanged, forget)
  const announceKeyChange = (keyId: string) => {
    forget(keyId)
    broker.announce(subjects.keyChanged, keyId)
  }
  return { credentials, operatorKeys, announceKeyChange }
}

type Shared = ReturnType<typeof openShared>

/** Opens what routes, sweeps and metrics share: connections, keys, events, data keys and policies. */
function openShared(config: Config, log: Log) {
  const pools = openPools({ url: config.DATABASE_URL, size: config.DATABASE_POOL_SIZE, log, shared: true })
  const broker = createBroker(config.NATS_URL, log)
  const subjects = subjectsOf(config.SUBJECT_PREFIX)
  const keys = openKeys(config, { pools, broker, subjects, log })
  const feed = createEventFeed({ pools, log })
  const announcer = createAnnouncer(broker, subjects, 'work', feed)
  broker.listen(subjects.scopeChanged, announcer.receive)
  const seals = createScopeSeals({ pool: pools.tenant, masterKeys: config.MASTER_KEY })
  const fingerprints = createFingerprints(config.FINGERPRINT_KEY ?? config.KEY_PEPPER[0])
  return { pools, broker, subjects, keys, feed, announcer, seals, fingerprints, policies: policiesOf(pools) }
}

function openIngest(
  config: Config,
  { pools, seals, fingerprints, announcer, policies }: Shared,
  recordBatch: NonNullable<IngestDeps['recordBatch']>,
): Ingest {
  const ensureScope = scopeMakerOf(config, { pools, ...policies })
  const announceEvents = announcer.announce
  return createIngest({ pool: pools.ingest, seals, fingerprints, announceEvents, ensureScope, recordBatch })
}

/** The dependencies of the routes that need no part but the shared ones. */
function routeDepsOf(config: Config, shared: Shared, log: Log) {
  const { pools, broker, subjects, keys, feed, announcer, seals, fingerprints, policies } = shared
  return {
    version,
    pools,
    seals,
    ...policies,
    fingerprints,
    feed,
    announceEvents: announcer.announce,
    onCompareError: logCompareErrors(log),
    announceRuntime: announceRuntimeWith(broker, subjects, announcer),
    ...secretsOf(config),
    announceKeyChange: keys.announceKeyChange,
  }
}

export async function startApi(config: Config, log: Log): Promise<RunningApi> {
  const shared = openShared(config, log)
  const { pools, broker, subjects, keys, feed } = shared
  const kernel = await watchKernel(pools, broker, subjects, log)
  const readiness = createReadiness(probesOf(pools, kernel), monotonicMs)
  const streams = createEventStreams(log)
  const { presence } = kernel
  const sources = { pools, presence, readiness, streams, log }
  const shown = showApi(await openTelemetry(config, 'api', log), sources)
  const extractor = openExtractor(config, log)
  const publicUrl = config.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  const routes = createRoutes({
    ...routeDepsOf(config, shared, log),
    publicUrl,
    ingest: shown.watchIngest(openIngest(config, shared, shown.recordBatch)),
    ...shown.queueing,
    extract: extractor.extract,
    readiness,
    kernelHealth: kernel.kernelHealth,
    snapshot: kernel.snapshot,
  })
  const limitsPart = createLimitsPart(config, { pools, log, monotonicMs })
  const server = createServer(
    {
      log,
      publicUrl,
      ...keys,
      streams,
      limits: limitsPart.limits,
      ...callersOf(config, pools),
      isLeaving: readiness.isDraining,
      watch: shown.requests,
    },
    routes,
  )
  const listener = createListener(server, config)
  const running = await startAll(
    [
      ...shown.parts,
      databasePart(pools, config, log),
      broker,
      keys.operatorKeys,
      ...sweepsOf(config, { pools, ...keys, announceEvents: shared.announcer.announce, log }),
      feed,
      kernel,
      readiness,
      createInsecureWarning(config, log),
      limitsPart,
      extractor,
      listener,
      streams,
      drainPart(readiness, config.DRAIN_NOTICE_SECONDS * 1000),
    ],
    log,
  )
  log.info({ address: listener.address(), version, auth_mode: config.AUTH_MODE }, 'api ready')
  return { ...running, address: listener.address() }
}

function policiesOf({ tenant }: Pools) {
  const policyEngine = createPolicyEngine()
  return { policyEngine, policies: createPolicies({ pool: tenant, engine: policyEngine }) }
}

/** With `SCOPE_AUTO_CREATE`, the first document sent to a scope creates it. */
function scopeMakerOf(config: Config, deps: { readonly pools: Pools } & ReturnType<typeof policiesOf>) {
  if (config.SCOPE_AUTO_CREATE === 'false') return undefined
  const { masterKeys, auditor } = secretsOf(config)
  return (who: TenantCaller, scopeId: string) => ensure({ ...deps, masterKeys, auditor }, who, scopeId)
}

interface SweepSources {
  readonly pools: Pools
  readonly credentials: Credentials
  readonly announceEvents: Announcer['announce']
  readonly log: Log
}

function sweepsOf(config: Config, { pools, credentials, announceEvents, log }: SweepSources): Part[] {
  const { registry } = pools
  const { takeUsed, takeOutdated } = credentials
  return [
    createKeyUsage({ registry, takeUsed, takeOutdated, log }),
    createNonceSweep(registry, log),
    createErasureSweep({ pools, ...secretsOf(config), announceEvents, log }),
  ]
}

/** Derives the values that the routes need from the secrets. */
function secretsOf({ AUTH_MODE, KEY_PEPPER, MASTER_KEY, CERTIFICATE_KEY }: Config) {
  return {
    authMode: AUTH_MODE,
    pepper: KEY_PEPPER[0],
    masterKeys: MASTER_KEY,
    auditor: createAuditor(MASTER_KEY),
    certificateKeys: createCertificateKeys(MASTER_KEY, CERTIFICATE_KEY),
  }
}

/**
 * Announcements only make changes faster: the dispatcher polls, and the start of an attempt reads the switches in the
 * database.
 */
function announceRuntimeWith(
  broker: Broker,
  subjects: Subjects,
  announcer: Announcer,
): RuntimeDeps['announceRuntime'] {
  return (target, restarted) => {
    broker.announce(subjects.backlogChanged, 'work' satisfies BacklogNews)
    if (restarted) broker.announce(subjects.runtimeRestarted, JSON.stringify(target))
    if (target.level === 'scope') announcer.announce(target.tenantId, target.scopeId)
  }
}

/**
 * Starts last, so it stops first. Readiness turns red and the process serves for a while longer, so that load balancers
 * notice before streams end and the port closes.
 */
function drainPart(readiness: Readiness, noticeMs: number): Part {
  return {
    name: 'drain',
    stopWithinMs: noticeMs + 1_000,
    start: async () => undefined,
    async stop() {
      readiness.drain()
      await delay(noticeMs)
    },
  }
}

function probesOf(pools: Pools, { kernelHealth }: KernelWatch) {
  return [
    { name: 'database', required: true, check: () => pingDatabase(pools.control) },
    {
      name: 'broker',
      required: false,
      // Uses the result of the kernel health, so that two routes never disagree.
      check: async () => {
        if (!(await kernelHealth.readBroker()).ok) throw new Error('the broker does not carry work')
      },
    },
    // Not required: this process still accepts documents safely, so it must keep its traffic. The check only reports.
    {
      name: 'work',
      required: false,
      check: async () => {
        const { moving, service } = await kernelHealth.readKernel()
        const isHeld = service !== undefined && service.state !== 'running'
        if (!moving && !isHeld) throw new Error('work that may run does not move')
      },
    },
  ]
}

function callersOf(config: Config, pools: Pools) {
  return { tenantProof: tenantProofOf(config, pools), corsOrigins: config.CORS_ORIGINS ?? [] }
}

function tenantProofOf({ AUTH_MODE, GATEWAY_SECRET: secrets }: Config, { registry }: Pools): TenantProof {
  switch (AUTH_MODE) {
    case 'key':
      return { mode: 'key' }
    case 'insecure-tenant-id':
      return { mode: 'insecure-tenant-id', trust: (id) => trustTenantId(registry, id, 'insecure-tenant-id') }
    case 'trusted-gateway':
      if (!secrets) throw new Error('GATEWAY_SECRET is required')
      return {
        mode: 'trusted-gateway',
        authenticate: (request, signature) =>
          authenticateGateway({ registry, secrets, nowMs: () => Date.now() }, request, signature),
      }
  }
}
