/** Tests the guarantees of Postgres for the tables of the pipeline, and of the kernel who sees across tenants. */
import type pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import {
  startOne,
  idempotency,
  makeReady,
  newDocument,
  processedResult,
  completeOne,
} from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole, FORBIDDEN, stateOf } from '../../support/sessions.ts'
import type { SessionRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const workers = usePools(database, 2, 'worker')
let acme: TestTenant
let borealis: TestTenant

const TABLES = [
  'scope_heads',
  'scope_log',
  'documents',
  'document_versions',
  'readings',
  'work',
  'idempotency_keys',
]

beforeAll(async () => {
  ;[acme, borealis] = [await makeTenant(pools(), 'Acme'), await makeTenant(pools(), 'Borealis')]
  for (const tenant of [acme, borealis]) {
    await makeScope(pools(), tenant, 'default')
    // Equal ids on purpose. One is processed and one on its way, so that every table has a row of each tenant.
    for (const [documentId, isDone] of [
      ['done', true],
      ['under-way', false],
    ] as const) {
      const document = newDocument(tenant, { documentId, idempotency: idempotency(documentId, 'r') })
      const place = await makeReady({ api: pools().tenant, worker: workers() }, document)
      await startOne(workers().tenant, place)
      if (isDone) await completeOne(workers().tenant, processedResult(place, 1))
    }
  }
})

const countIn = async (client: pg.Client, table: string) =>
  (await client.query<{ found: number }>(`select count(*)::int as found from ${table}`)).rows[0]?.found ?? -1

async function asTenant<Result>(
  role: SessionRole,
  { tenantId }: TestTenant,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return asRole(database(), role, async (client) => {
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
    return work(client)
  })
}

/** Each attempt in a session of its own, since a refused statement ends its transaction. */
const attempt = (role: SessionRole, statement: string) =>
  stateOf(asRole(database(), role, (client) => client.query(statement)))
const attemptAs = (role: SessionRole, statement: string) =>
  stateOf(asTenant(role, acme, (client) => client.query(statement)))

describe.each(['api', 'worker'] as const)('concord_%s', (role) => {
  const readable = role === 'api' ? TABLES : TABLES.filter((table) => table !== 'idempotency_keys')

  it('without a tenant sees no row and changes none', async () => {
    await asRole(database(), role, async (client) => {
      for (const table of readable) expect([table, await countIn(client, table)]).toEqual([table, 0])
      expect((await client.query('update work set attempt = 0')).rowCount).toBe(0)
      expect((await client.query('update documents set status = status')).rowCount).toBe(0)
    })
  })

  it('in the transaction of a tenant sees and changes the rows of that tenant alone', async () => {
    await asTenant(role, acme, async (client) => {
      for (const table of readable) {
        const { rows } = await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)
        expect([table, rows]).toEqual([table, [{ tenant_id: acme.tenantId }]])
      }
      expect((await client.query('update work set touched_at = now()')).rowCount).toBe(1)
      const foreign = await client.query('delete from work where tenant_id = $1', [borealis.tenantId])
      expect(foreign.rowCount).toBe(0)
      await client.query('rollback')
    })
  })

  it('cannot write a row for another tenant, nor give one away', async () => {
    const log = `insert into scope_log (tenant_id, scope_id, seq, epoch, kind) values ('${borealis.tenantId}', 'default', 99, 0, 'x')`
    expect(await attemptAs(role, log)).toBe(FORBIDDEN)
    expect(await attemptAs(role, `update documents set tenant_id = '${borealis.tenantId}'`)).toBe(FORBIDDEN)
  })
})

describe('concord_worker', () => {
  it.each([
    'insert into documents select * from documents',
    'insert into document_versions select * from document_versions',
    'delete from documents',
    'update scope_log set kind = kind',
    'select fingerprint from idempotency_keys',
    'update idempotency_keys set created_at = now()',
    'delete from certificates',
    'delete from kernel_log returning data',
    'update dispatch_leases set holder = null',
  ])('may not do what it never needs: %s', async (statement) => {
    expect(await attemptAs('worker', statement)).toBe(FORBIDDEN)
  })
})

describe('concord_api', () => {
  it.each([
    'insert into readings select * from readings',
    'update readings set passages = 0',
    'update scope_log set kind = kind',
    'select from dispatch_leases',
    `select nextval('work_tickets')`,
  ])('may not do what it never needs: %s', async (statement) => {
    expect(await attemptAs('api', statement)).toBe(FORBIDDEN)
  })
})

describe('the kernel', () => {
  it('sees the heads, the logs and the work of all tenants', async () => {
    await asRole(database(), 'kernel', async (client) => {
      expect(await countIn(client, 'scope_heads')).toBe(2)
      expect(await countIn(client, 'work')).toBe(2)
      expect(await countIn(client, 'scope_log')).toBeGreaterThan(8)
    })
  })

  it.each([
    'documents',
    'document_versions',
    'readings',
    'idempotency_keys',
    'scopes',
    'scope_keys',
    'keys',
    'tenants',
  ])('cannot read %s', async (table) => {
    expect(await attempt('kernel', `select from ${table}`)).toBe(FORBIDDEN)
  })

  it.each([
    'update work set attempt = 0',
    'update work set version = 1',
    'update work set tenant_id = gen_random_uuid()',
    'update work set epoch = 1',
    'delete from work',
    'insert into work select * from work',
    'update scope_heads set head = 0',
    'insert into scope_log select * from scope_log',
    'delete from scope_log',
    'delete from dispatch_leases',
    'create table mine ()',
  ])('may not do what it never needs: %s', async (statement) => {
    expect(await attempt('kernel', statement)).toBe(FORBIDDEN)
  })

  it('is a hat of api and worker, which neither wears unasked', async () => {
    for (const role of ['api', 'worker'] as const) {
      expect(await asRole(database(), role, (client) => countIn(client, 'work'))).toBe(0)
      expect(await attempt(role, 'set role concord_kernel; select from work')).toBeUndefined()
    }
    expect(await attempt('registrar', 'select from work')).toBe(FORBIDDEN)
  })

  it('cannot reach a partition past its parent', async () => {
    const { rows } = await database().superuser.query<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r'`,
    )
    expect(rows.length).toBeGreaterThanOrEqual(16 * (TABLES.length + 2))
    const states = await asRole(database(), 'kernel', async (client) => {
      const each = new Set<string | undefined>()
      for (const { name } of rows) each.add(await stateOf(client.query(`select from ${name}`)))
      return each
    })
    expect(states).toEqual(new Set([FORBIDDEN]))
  })
})

describe('the owner', () => {
  it('is bound by the policies too', async () => {
    await asRole(database(), 'owner', async (client) => {
      for (const table of TABLES) expect([table, await countIn(client, table)]).toEqual([table, 0])
    })
  })
})
