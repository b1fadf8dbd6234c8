import { beforeEach, describe, expect, it } from 'vitest'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import type { RuntimeTarget } from '../../../src/domain/runtime.ts'
import { selectWorkStats } from '../../../src/store/processing/work-stats.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, startOne, look, makeReady, newDocument } from '../../support/documents.ts'
import { auditor, makeScope, makeTenant, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database)
const worker = usePools(database, 2, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  await look(database(), 'delete from work')
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  await makeScope(api(), tenant, 'other')
})

const read = () => selectWorkStats(worker().kernel)

async function move(op: 'pause' | 'start', target: RuntimeTarget): Promise<void> {
  await moveRuntime({ pools: api(), auditor, announceRuntime: () => undefined }, target, op, operator)
}

describe('the metrics of work', () => {
  it('count all arrivals, and the documents that wait now', async () => {
    const before = await read()
    expect(before).toMatchObject({ waiting: 0, oldestWaitMs: null })
    const first = newDocument(tenant)
    await acceptOne(api().tenant, first)
    await acceptOne(api().tenant, newDocument(tenant, { scopeId: 'other' }))
    await look(
      database(),
      `update work set queued_at = now() - interval '9 seconds' where document_id = $1`,
      [first.documentId],
    )
    const after = await read()
    expect(after.arrivals - before.arrivals).toBe(2)
    expect(after.waiting).toBe(2)
    expect(after.oldestWaitMs).toBeGreaterThanOrEqual(9_000)
  })

  it('count documents at the broker as waiting, and documents in progress no more', async () => {
    const place = await makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant))
    expect((await read()).waiting).toBe(1)
    await startOne(worker().tenant, place)
    expect(await read()).toMatchObject({ waiting: 0, oldestWaitMs: null })
  })

  it('leave out documents that are paused at any level', async () => {
    await acceptOne(api().tenant, newDocument(tenant))
    const levels: RuntimeTarget[] = [
      { level: 'service' },
      { level: 'tenant', tenantId: tenant.tenantId },
      { level: 'scope', tenantId: tenant.tenantId, scopeId: 'default' },
    ]
    for (const target of levels) {
      await move('pause', target)
      expect(await read()).toMatchObject({ waiting: 0, oldestWaitMs: null })
      await move('start', target)
      expect((await read()).waiting).toBe(1)
    }
  })

  it('stop counting at a bound', async () => {
    await look(
      database(),
      `insert into work (tenant_id, scope_id, document_id, version, epoch, shard, position)
       select $1, 'default', 'made-' || n, 1, 0, shard_of($1), nextval('work_positions')
         from generate_series(1, 12000) n`,
      [tenant.tenantId],
    )
    expect((await read()).waiting).toBe(10_000)
  })
})
