import { beforeAll, describe, expect, it } from 'vitest'
import { chainAudit } from '../../../src/app/audit/audit.ts'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import { createBacklogCursor } from '../../../src/store/processing/backlog-hops.ts'
import { selectOpenWork } from '../../../src/store/health/kernel-health.ts'
import { dispatchWork } from '../../../src/store/processing/dispatch.ts'
import { selectWorkStats } from '../../../src/store/processing/work-stats.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, look, newDocument, SHARDS } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, makeScope, makeTenant, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
const kernel = () => worker().kernel

const MANY = 100_000
const HOLDER = 'test'
/** A step takes some 20 ms; one that goes through all scopes took 10 s. */
const SOON_MS = 1_000

let crowd: TestTenant
let quiet: TestTenant

beforeAll(async () => {
  crowd = await makeTenant(api())
  quiet = await makeTenant(api())
  await makeScope(api(), quiet, 'default')
  await look(database(), `update dispatch_leases set holder = $1, expires_at = now() + interval '1 day'`, [
    HOLDER,
  ])
  await fillScopes(crowd, MANY)
})

/** One document in each; nothing is there but what a dispatch looks at. */
async function fillScopes({ tenantId }: TestTenant, count: number): Promise<void> {
  const client = await database().superuser.connect()
  try {
    await client.query('set session_replication_role = replica')
    const scopes = `select $1::uuid, 'scope-' || n from generate_series(1, $2::int) n`
    await client.query(`insert into scope_heads (tenant_id, scope_id) ${scopes}`, [tenantId, count])
    await client.query(
      `insert into work (tenant_id, scope_id, document_id, version, epoch, shard, position)
       select tenant_id, scope_id, 'only', 1, 0, shard_of(tenant_id), nextval('work_positions')
         from (${scopes}) s (tenant_id, scope_id)`,
      [tenantId, count],
    )
    await client.query('set session_replication_role = origin')
    await client.query('analyze scope_heads, work')
  } finally {
    client.release()
  }
}

const cursor = createBacklogCursor()
const dispatch = (window: number) =>
  dispatchWork(kernel(), { holder: HOLDER, shards: SHARDS, window, priority: 4, cursor })
const endAll = () => look(database(), `delete from work where state <> 'queued'`)

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startMs = performance.now()
  return { result: await work(), ms: performance.now() - startMs }
}

async function move(op: 'pause' | 'start', target: TestTenant): Promise<void> {
  const deps = { pools: api(), auditor, announceRuntime: () => undefined }
  await moveRuntime(deps, { level: 'tenant', tenantId: target.tenantId }, op, operator)
}

describe('100,000 scopes that wait', () => {
  it('do not slow down a step of the dispatch, and do not delay documents of another tenant', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await acceptOne(api().tenant, newDocument(quiet))
      const { result, ms } = await timed(() => dispatch(200))
      expect(ms).toBeLessThan(SOON_MS)
      expect(result.filter(({ tenantId }) => tenantId === quiet.tenantId)).toHaveLength(1)
      expect(result.length).toBeGreaterThan(100)
      await endAll()
    }
  })

  it('are all dispatched, each document once', async () => {
    const [before] = await look<{ count: number }>(database(), 'select count(*)::int as count from work')
    const seen = new Set<string>()
    for (let turn = 0; turn < 20; turn += 1) {
      for (const each of await dispatch(2_000)) seen.add(each.scopeId)
      await endAll()
    }
    const [after] = await look<{ count: number }>(database(), 'select count(*)::int as count from work')
    expect(seen.size).toBe((before?.count ?? 0) - (after?.count ?? 0))
    expect(seen.size).toBeGreaterThan(20 * 400)
  })

  it('do not prevent answers of health and metrics', async () => {
    await look(database(), `update work set queued_at = now() - interval '9 s' where tenant_id = $1`, [
      crowd.tenantId,
    ])
    const open = await timed(() => selectOpenWork(kernel()))
    expect(open.ms).toBeLessThan(SOON_MS)
    expect(open.result.oldestAgeMs).toBeGreaterThanOrEqual(9_000)
    const figures = await timed(() => selectWorkStats(kernel()))
    expect(figures.ms).toBeLessThan(SOON_MS)
    expect(figures.result.waiting).toBe(10_000)
    expect(figures.result.oldestWaitMs).toBeGreaterThanOrEqual(9_000)
  })

  it('cost nothing while their tenant is paused', async () => {
    await move('pause', crowd)
    await acceptOne(api().tenant, newDocument(quiet))
    const { result, ms } = await timed(() => dispatch(200))
    expect(ms).toBeLessThan(SOON_MS)
    expect(result).toMatchObject([{ tenantId: quiet.tenantId }])
    await endAll()
    expect(await selectWorkStats(kernel())).toMatchObject({ waiting: 0, oldestWaitMs: null })
    expect((await selectOpenWork(kernel())).waitedMs).toBeNull()
    await move('start', crowd)
    expect((await dispatch(200)).length).toBeGreaterThan(100)
  })
})

describe('the scopes of a tenant that are all visited in turn', () => {
  it('include the one that may run behind a thousand paused ones', async () => {
    await look(database(), 'delete from work')
    const tenant = await makeTenant(api())
    await fillScopes(tenant, 1_200)
    await look(
      database(),
      `update scope_heads set runtime_state = 'paused' where tenant_id = $1 and scope_id <> 'scope-999'`,
      [tenant.tenantId],
    )
    const dispatched: string[] = []
    for (let turn = 0; turn < 3; turn += 1)
      dispatched.push(...(await dispatch(200)).map(({ scopeId }) => scopeId))
    expect(dispatched).toEqual(['scope-999'])
  })
})

describe('more tenants that wait than one step visits', () => {
  it('are all dispatched after a few steps', async () => {
    await look(database(), 'delete from work')
    await look(
      database(),
      `insert into work (tenant_id, scope_id, document_id, version, epoch, shard, position)
       select id, 'default', 'only', 1, 0, shard_of(id), nextval('work_positions')
         from (select gen_random_uuid() as id from generate_series(1, 700)) t`,
    )
    const seen = new Set<string>()
    for (let turn = 0; turn < 5; turn += 1) for (const each of await dispatch(2_000)) seen.add(each.tenantId)
    expect(seen.size).toBe(700)
  })
})

describe('the audit chain', () => {
  it('has a connection of its own beside the dispatch', async () => {
    const clients = [await kernel().connect(), await kernel().connect()]
    try {
      await expect(
        chainAudit({ kernel: worker().auditChain, auditor, log: silentLog }),
      ).resolves.not.toThrow()
      const waiting = await look(database(), 'select from audit_log where seq is null')
      expect(waiting).toHaveLength(0)
    } finally {
      for (const client of clients) client.release()
    }
  })
})
