/** Tests the guarantees of Postgres for the figures of scopes, and that what they cost does not grow with the scope. */
import { beforeAll, describe, expect, it } from 'vitest'
import { STEP_MS } from '../../../src/domain/scope-metrics.ts'
import { selectScopeMetrics, selectScopeSummary } from '../../../src/store/scopes/scope-stats.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, look, newDocument } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole, FORBIDDEN, stateOf } from '../../support/sessions.ts'
import type { SessionRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const TABLES = ['scope_moves', 'scope_counts', 'scope_periods']
let acme: TestTenant
let borealis: TestTenant

beforeAll(async () => {
  ;[acme, borealis] = [await makeTenant(pools(), 'Acme'), await makeTenant(pools(), 'Borealis')]
  for (const tenant of [acme, borealis]) {
    await makeScope(pools(), tenant, 'default')
    await acceptOne(pools().tenant, newDocument(tenant))
    await look(database(), `select fold_moves($1, 'default', 100, 60)`, [tenant.tenantId])
    await acceptOne(pools().tenant, newDocument(tenant))
  }
})

const tenantsIn = (role: SessionRole, table: string, tenantId?: string) =>
  asRole(database(), role, async (client) => {
    await client.query('begin')
    if (tenantId !== undefined) await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
    const { rows } = await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)
    return rows.map((row) => row.tenant_id)
  })

const attemptAs = (role: SessionRole, statement: string) =>
  stateOf(
    asRole(database(), role, async (client) => {
      await client.query('begin')
      await client.query(`select set_config('app.tenant', $1, true)`, [acme.tenantId])
      await client.query(statement)
    }),
  )

describe.each(TABLES)('%s', (table) => {
  it.each(['api', 'worker'] as const)('shows concord_%s the rows of its tenant alone', async (role) => {
    expect(await tenantsIn(role, table)).toEqual([])
    expect(await tenantsIn(role, table, acme.tenantId)).toEqual([acme.tenantId])
  })

  it('is closed to the kernel and to the registrar', async () => {
    for (const role of ['kernel', 'registrar'] as const)
      expect(
        await stateOf(asRole(database(), role, (client) => client.query(`select * from ${table}`))),
      ).toBe(FORBIDDEN)
  })
})

describe('figures of another tenant', () => {
  it('cannot be written', async () => {
    const statement = `insert into scope_moves (tenant_id, scope_id, to_status, documents, accepted)
                       values ('${borealis.tenantId}', 'default', 'queued', 1, 1)`
    for (const role of ['api', 'worker'] as const) expect(await attemptAs(role, statement)).toBe(FORBIDDEN)
  })

  it('are not folded', async () => {
    const statement = `select fold_moves('${borealis.tenantId}', 'default', 100, 60)`
    await attemptAs('api', statement)
    const rows = await look(database(), 'select from scope_moves where tenant_id = $1', [borealis.tenantId])
    expect(rows).toHaveLength(1)
  })
})

describe('the lengths of periods', () => {
  it('are those that may be asked for', async () => {
    const [row] = await look<{ lengths: number[] }>(database(), 'select period_lengths() as lengths')
    expect(row?.lengths.map((seconds) => seconds * 1000)).toEqual(Object.values(STEP_MS))
  })
})

/** Rows that the statement touched, as Postgres counted them: what was read, by whatever way. */
async function rowsRead(tenant: TestTenant): Promise<number> {
  return inTenant(pools().tenant, tenant.tenantId, async (transaction) => {
    const read = async () => {
      const { rows } = await transaction.connection.query<{ read: number }>(
        `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables`,
      )
      return rows[0]?.read ?? 0
    }
    const before = await read()
    const to = new Date(Math.ceil(Date.now() / 60_000) * 60_000)
    const window = {
      from: new Date(to.getTime() - 3_600_000),
      to,
      stepMs: 60_000,
    }
    expect(await selectScopeSummary(transaction, 'default')).toBeDefined()
    expect((await selectScopeMetrics(transaction, 'default', window)).length).toBeGreaterThan(0)
    return (await read()) - before
  })
}

describe('a scope of many documents', () => {
  it('costs no more to ask about than one of few', async () => {
    const [few, many] = [await makeTenant(pools()), await makeTenant(pools())]
    for (const [tenant, documents] of [
      [few, 20],
      [many, 5_000],
    ] as const) {
      await makeScope(pools(), tenant, 'default')
      await look(
        database(),
        `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status, seq)
         select $1, 'default', 'd' || n, 0, 1, 'txt', 'queued', n from generate_series(1, $2) n`,
        [tenant.tenantId, documents],
      )
    }
    const [little, much] = [await rowsRead(few), await rowsRead(many)]
    expect(much).toBeLessThanOrEqual(little + 10)
  })
})
