import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '@concord/tools/launch'
import { chainAudit } from '../../../src/app/audit/audit.ts'
import { createKernelHealth } from '../../../src/app/health/kernel-health.ts'
import type { KernelHealth, KernelHealthDeps } from '../../../src/app/health/kernel-health.ts'
import { createHatcheries } from '../../../src/app/health/hatcheries.ts'
import { createPresence } from '../../../src/app/health/presence.ts'
import type { Presence } from '../../../src/app/health/presence.ts'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import { isMoving } from '../../../src/domain/kernel-health.ts'
import type { Movement } from '../../../src/domain/kernel-health.ts'
import type { RuntimeTarget } from '../../../src/domain/runtime.ts'
import { createBroker } from '../../../src/engine/broker.ts'
import { selectOpenWork } from '../../../src/store/health/kernel-health.ts'
import { readMigrations } from '../../../src/store/schema/migrations.ts'
import type { Migration } from '../../../src/store/schema/migrations.ts'
import { openPools } from '../../../src/store/pools.ts'
import type { PoolConnection } from '../../../src/store/pools.ts'
import { releaseLeases, renewLeases } from '../../../src/store/processing/dispatch.ts'
import { createClock } from '../../support/clock.ts'
import type { TestClock } from '../../support/clock.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  look,
  makeReady,
  newDocument,
  completeOne,
  unsuccessful,
} from '../../support/documents.ts'
import { heartbeat } from '../../support/heartbeat.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, makeScope, makeTenant, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'
import { openProxy } from '../../support/proxy.ts'
import { useQueue } from '../../support/queue.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 2, 'worker')
const broker = useQueue()
let migrations: readonly Migration[]
let tenant: TestTenant
let clock: TestClock
let presence: Presence

beforeAll(async () => {
  migrations = await readMigrations()
})
beforeEach(async () => {
  await look(database(), 'delete from work')
  await look(database(), `update service_switch set state = 'running', running_since = null`)
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  await renewLeases(worker().kernel, 'test', 5)
  await chainAudit({ kernel: worker().auditChain, auditor, log: silentLog })
  clock = createClock()
  presence = createPresence(clock.now)
})

const make = (parts: Partial<KernelHealthDeps> = {}): KernelHealth =>
  createKernelHealth({
    kernel: api().kernel,
    broker: broker().broker,
    workSubjects: [`${broker().prefix}.work`, `${broker().prefix}.priority`],
    presence,
    hatcheries: createHatcheries(clock.now),
    migrations,
    monotonicMs: clock.now,
    ...parts,
  })

function beat(role: string, { sinceCompletionMs = null }: { sinceCompletionMs?: number | null } = {}): void {
  const lastCompletionAt = sinceCompletionMs === null ? null : 1_000_000 - sinceCompletionMs
  presence.record(JSON.stringify(heartbeat({ id: `${role} 1`, role, saidAt: 1_000_000, lastCompletionAt })))
}

const queue = (documentId = 'd', scopeId = 'default') =>
  acceptOne(api().tenant, newDocument(tenant, { documentId, scopeId }))
const ready = (documentId = 'd') =>
  makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant, { documentId }))
/** Makes a document look as if it had been queued, and touched last, so long ago. */
const age = (seconds: number) =>
  look(
    database(),
    `update work set queued_at = now() - make_interval(secs => $1), not_before = now() - make_interval(secs => $1),
                     touched_at = now() - make_interval(secs => $1)`,
    [seconds],
  )
const open = () => selectOpenWork(api().kernel)
const move = (target: RuntimeTarget, op: 'pause' | 'resume') =>
  moveRuntime({ pools: api(), auditor, announceRuntime: () => undefined }, target, op, operator)

const SECOND = 1_000
const about = (seconds: number) => ({
  asymmetricMatch: (ms: unknown) =>
    typeof ms === 'number' && ms >= seconds * SECOND && ms < (seconds + 30) * SECOND,
})

describe('work progress', () => {
  const none = { oldestAgeMs: null, waitedMs: null, inFlight: 0 }
  const quiet: Movement = {
    work: none,
    dispatcherLagMs: 500,
    workerSilenceMs: 500,
    dispatcherSilenceMs: 500,
    sinceCompletionMs: null,
  }
  const waiting = (waitedMs: number) => ({ oldestAgeMs: waitedMs, waitedMs, inFlight: 0 })
  const gone = { workerSilenceMs: 11_000 }
  const undispatched = { dispatcherSilenceMs: 11_000, dispatcherLagMs: null }

  it.each<[string, boolean, Partial<Movement>]>([
    ['nothing waits', true, {}],
    ['nothing waits and nobody is there', true, { ...gone, ...undispatched }],
    ['it waits for 15 s', true, { work: waiting(15_000) }],
    ['it waits longer, and nothing was ever completed', false, { work: waiting(15_001) }],
    [
      'it waits longer, and the last completion is as old',
      false,
      { work: waiting(16_000), sinceCompletionMs: 15_001 },
    ],
    ['it waits long while others are completed', true, { work: waiting(9e6), sinceCompletionMs: 15_000 }],
    [
      'it waits and no worker was heard for 10 s',
      false,
      { work: waiting(0), ...gone, sinceCompletionMs: 12_000 },
    ],
    ['a worker was heard 10 s ago', true, { work: waiting(0), workerSilenceMs: 10_000 }],
    ['it is being read by a worker that is gone', false, { work: { ...none, inFlight: 1 }, ...gone }],
    ['it waits and no dispatcher is there', false, { work: waiting(0), ...undispatched }],
    [
      'a dispatcher renews its lease, though not heard',
      true,
      { work: waiting(0), dispatcherSilenceMs: 11_000 },
    ],
    ['the dispatcher is heard and is taking over', true, { work: waiting(0), dispatcherLagMs: null }],
    [
      'it is read, and only the dispatcher is gone',
      true,
      { work: { ...none, inFlight: 1 }, ...undispatched },
    ],
    ['the database does not say', false, { work: undefined }],
  ])('is told when %s: %s', (_, moving, facts) => {
    expect(isMoving({ ...quiet, ...facts })).toBe(moving)
  })
})

describe('work that may run', () => {
  it('does not exist if nothing is queued', async () => {
    expect(await open()).toEqual({ oldestAgeMs: null, waitedMs: null, inFlight: 0 })
  })

  it('is as old as the oldest of any scope and tenant', async () => {
    await makeScope(api(), tenant, 'other')
    const stranger = await makeTenant(api())
    await makeScope(api(), stranger, 'default')
    await queue('old', 'other')
    await age(100)
    await queue('new')
    await queue('newer', 'other')
    await acceptOne(api().tenant, newDocument(stranger))
    expect(await open()).toEqual({ oldestAgeMs: about(100), waitedMs: about(100), inFlight: 0 })
  })

  it('waits at the broker too, however often it was dispatched', async () => {
    await ready()
    await age(100)
    await look(database(), 'update work set touched_at = now()')
    expect(await open()).toEqual({ oldestAgeMs: about(100), waitedMs: about(100), inFlight: 0 })
  })

  it('counts its wait from the failure if it is retried later', async () => {
    const place = await ready()
    await startOne(worker().tenant, place)
    await age(100)
    expect(await open()).toEqual({ oldestAgeMs: null, waitedMs: null, inFlight: 1 })
    await completeOne(worker().tenant, unsuccessful(place, 1, 'retry', 'threw'))
    expect(await open()).toEqual({ oldestAgeMs: about(100), waitedMs: about(0), inFlight: 0 })
  })

  it('excludes work that is to be retried later', async () => {
    await queue('first')
    await look(database(), `update work set not_before = now() + interval '1 hour'`)
    expect((await open()).oldestAgeMs).toBeNull()
    await queue('second')
    expect((await open()).oldestAgeMs).toEqual(about(0))
  })

  const levels: [string, () => RuntimeTarget][] = [
    ['the service', () => ({ level: 'service' })],
    ['its tenant', () => ({ level: 'tenant', tenantId: tenant.tenantId })],
    ['its scope', () => ({ level: 'scope', tenantId: tenant.tenantId, scopeId: 'default' })],
  ]
  it.each(levels)(
    'is none that the switch of %s holds, and waits from when that lets go',
    async (_, target) => {
      await startOne(worker().tenant, await ready('read'))
      await ready('released')
      await queue('queued')
      await age(100)
      await move(target(), 'pause')
      expect(await open()).toEqual({ oldestAgeMs: null, waitedMs: null, inFlight: 0 })
      await move(target(), 'resume')
      expect(await open()).toEqual({ oldestAgeMs: about(100), waitedMs: about(0), inFlight: 1 })
    },
  )

  it('is found by a step for each scope, not by reading the backlog', async () => {
    await queue()
    await look(
      database(),
      `insert into work (tenant_id, scope_id, document_id, version, epoch, shard, position)
       select w.tenant_id, w.scope_id, 'd' || n, 1, 0, w.shard, w.position + n
         from work w, generate_series(1, 20000) n`,
    )
    await look(database(), 'analyze work')
    const read = await rowsReadBy(selectOpenWork)
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(200)
  })

  /** Counts rows of the backlog, as Postgres counts them. */
  async function rowsReadBy(ask: (connection: PoolConnection) => Promise<unknown>): Promise<number> {
    const before = await rowsRead()
    const connection = await api().kernel.connect()
    await ask(connection)
    await connection.query('select pg_stat_force_next_flush()')
    connection.release()
    return (await rowsRead()) - before
  }

  async function rowsRead(): Promise<number> {
    const [row] = await look<{ read: number }>(
      database(),
      `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname like 'work%'`,
    )
    return row?.read ?? 0
  }
})

describe('the health of the kernel', () => {
  it('is ok while nothing waits and all parts answer', async () => {
    beat('worker', { sinceCompletionMs: 3_000 })
    beat('dispatcher')
    const report = await make().readKernel()
    expect(report).toMatchObject({
      status: 'ok',
      moving: true,
      oldestQueuedAgeMs: null,
      sinceCompletionMs: 3_000,
      members: [
        { role: 'dispatcher', alive: true },
        { role: 'worker', alive: true },
      ],
    })
    expect(report.dispatcherLagMs).toEqual(about(0))
    expect(report.probes.map(({ name, ok, required, detail }) => [name, ok, required, detail])).toEqual([
      ['database', true, true, null],
      ['broker', true, false, null],
      ['migrations', true, true, null],
      ['dispatcher', true, false, null],
    ])
  })

  it('is red while work waits and no worker takes it, and green when a worker completes it', async () => {
    const health = make()
    beat('worker')
    beat('dispatcher')
    await queue()
    expect(await health.readKernel()).toMatchObject({ status: 'ok', moving: true })
    clock.advance(10_001)
    beat('dispatcher')
    expect(await health.readKernel()).toMatchObject({ status: 'unavailable', moving: false })
    beat('worker')
    expect(await health.readKernel()).toMatchObject({ status: 'ok', moving: true })
    await age(16)
    clock.advance(1_001)
    expect(await health.readKernel()).toMatchObject({ status: 'unavailable', moving: false })
    beat('worker', { sinceCompletionMs: 0 })
    expect(await health.readKernel()).toMatchObject({ status: 'ok', moving: true })
  })

  it('is not ok without a dispatcher, even while nothing waits', async () => {
    await releaseLeases(worker().kernel, 'test')
    const given = await make().readKernel()
    expect(given).toMatchObject({ status: 'degraded', moving: true, dispatcherLagMs: null })
    await look(
      database(),
      `update dispatch_leases set holder = 'dead', expires_at = now() - interval '1 minute'`,
    )
    const dead = await make().readKernel()
    expect([dead.status, dead.dispatcherLagMs]).toEqual(['degraded', about(65)])
    expect(dead.probes.at(-1)?.detail).toContain('no dispatcher has renewed its lease for 65 s')
  })

  it('is not ok while a single shard has no holder', async () => {
    await look(
      database(),
      `update dispatch_leases set holder = null, expires_at = '-infinity' where shard = 2`,
    )
    expect(await make().readKernel()).toMatchObject({ status: 'degraded', dispatcherLagMs: null })
  })

  it('is degraded without the broker, and reports it', async () => {
    const away = createBroker('nats://127.0.0.1:1', silentLog)
    const { status, probes } = await make({ broker: away }).readKernel()
    expect(status).toBe('degraded')
    expect(probes[1]).toMatchObject({
      name: 'broker',
      ok: false,
      latencyMs: null,
      detail: expect.any(String),
    })
  })

  it('is computed at most once per second, however many requests arrive', async () => {
    const { pool, count } = countQueries(api().kernel)
    const health = make({ kernel: pool })
    await Promise.all(Array.from({ length: 50 }, () => health.readKernel()))
    const once = count()
    clock.advance(999)
    const [database_] = (await health.readControlPlane()).probes
    expect([count(), database_?.ageMs]).toEqual([once, 999])
    clock.advance(1)
    await health.readKernel()
    expect(count()).toBe(2 * once)
  })
})

describe('the health of the control plane', () => {
  it('reports migrations and the service switch, with the age of both', async () => {
    await move({ level: 'service' }, 'pause')
    const health = make()
    await health.readControlPlane()
    clock.advance(500)
    expect(await health.readControlPlane()).toMatchObject({
      status: 'paused',
      service: { state: 'paused', ageMs: 500 },
      migrations: { applied: migrations.length, expected: migrations.length },
    })
  })

  it('is red while a migration of this release has not run', async () => {
    const next = { version: 9_999, name: 'next', sql: '', checksum: '', breaking: false }
    const report = await make({ migrations: [...migrations, next] }).readControlPlane()
    expect(report).toMatchObject({ status: 'unavailable', migrations: { expected: migrations.length + 1 } })
    expect(report.probes[2]?.detail).toContain('run concord migrate')
  })

  it('is red without the database, reports the last known values, and recovers', async () => {
    const url = new URL(database().url('api'))
    const target = { host: url.hostname, port: Number(url.port) }
    let proxy = await openProxy(target)
    const { port } = proxy
    url.port = String(port)
    const pools = openPools({ url: url.href, size: 1, log: silentLog })
    const health = make({ kernel: pools.kernel })
    expect((await health.readControlPlane()).status).toBe('ok')
    await proxy.close()
    clock.advance(2_000)
    expect(await health.readControlPlane()).toMatchObject({
      status: 'unavailable',
      service: { state: 'running', ageMs: 2_000 },
      probes: [{ name: 'database', ok: false, latencyMs: null }, { ok: true }, { ok: false }, { ok: false }],
    })
    expect(await health.readKernel()).toMatchObject({ status: 'unavailable', moving: false })
    proxy = await openProxy(target, port)
    clock.advance(2_000)
    expect((await health.readControlPlane()).status).toBe('ok')
    await pools.close()
    await proxy.close()
  })

  it('reports no values while the database has never answered', async () => {
    const url = new URL(database().url('api'))
    url.port = String(await freePort())
    const pools = openPools({ url: url.href, size: 1, log: silentLog })
    await expect(make({ kernel: pools.kernel }).readControlPlane()).rejects.toMatchObject({
      code: 'unavailable',
    })
    await pools.close()
  })
})
