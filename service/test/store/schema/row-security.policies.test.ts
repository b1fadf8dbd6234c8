/** Tests the guarantees of Postgres for the policies that tenants write. */
import type pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { putPolicy } from '../../../src/app/access/policies.ts'
import { useDatabase } from '../../support/database.ts'
import { auditor, makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { noDocuments, policyEngine } from '../../support/policies.ts'
import { usePools } from '../../support/pools.ts'
import { asRole, FORBIDDEN, stateOf } from '../../support/sessions.ts'
import type { SessionRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
let acme: TestTenant
let borealis: TestTenant

const TABLES = ['policies', 'policy_heads']

beforeAll(async () => {
  ;[acme, borealis] = [await makeTenant(pools(), 'Acme'), await makeTenant(pools(), 'Borealis')]
  for (const tenant of [acme, borealis]) {
    await makeScope(pools(), tenant, 'default')
    for (const scopeId of [null, 'default'])
      await putPolicy({ pools: pools(), policyEngine, auditor }, tenant.caller, scopeId, noDocuments('draft'))
  }
})

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

const attemptAs = (role: SessionRole, sql: string) =>
  stateOf(asTenant(role, acme, (client) => client.query(sql)))

describe.each(['api', 'worker'] as const)('concord_%s', (role) => {
  it('without a tenant sees no policy', async () => {
    await asRole(database(), role, async (client) => {
      for (const table of TABLES) expect((await client.query(`select from ${table}`)).rowCount).toBe(0)
    })
  })

  it('in the transaction of a tenant sees the policies of that tenant alone', async () => {
    await asTenant(role, acme, async (client) => {
      for (const table of TABLES) {
        const { rows } = await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)
        expect([table, rows]).toEqual([table, [{ tenant_id: acme.tenantId }]])
      }
    })
  })
})

describe('concord_api', () => {
  it('changes and takes away nothing of another tenant, nor anything without one', async () => {
    const statements = [
      'delete from policies',
      'update policy_heads set changes = 0',
      'delete from policy_heads',
    ]
    await asRole(database(), 'api', async (client) => {
      for (const sql of statements) expect([sql, (await client.query(sql)).rowCount]).toEqual([sql, 0])
    })
    await asTenant('api', acme, async (client) => {
      for (const sql of statements)
        expect([
          sql,
          (await client.query(`${sql} where tenant_id = $1`, [borealis.tenantId])).rowCount,
        ]).toEqual([sql, 0])
      expect((await client.query('delete from policies')).rowCount).toBe(2)
      await client.query('rollback')
    })
  })

  it('writes none for another tenant, and gives none away', async () => {
    const written = `insert into policies (tenant_id, scope_id, version, text, created_by)
      values ('${borealis.tenantId}', '', 9, '', 'somebody')`
    expect(await attemptAs('api', written)).toBe(FORBIDDEN)
    const given = `update policy_heads set tenant_id = '${borealis.tenantId}'`
    expect(await attemptAs('api', given)).toBe(FORBIDDEN)
  })
})

describe('no role may do what it never needs', () => {
  it.each([
    ['api', `update policies set text = ''`],
    ['worker', `update policies set text = ''`],
    ['worker', 'delete from policies'],
    ['worker', 'insert into policies select * from policies'],
    ['worker', 'update policy_heads set changes = changes + 1'],
    ['worker', 'delete from policy_heads'],
    ['worker', 'select from policies_p00'],
  ] as const)('%s: %s', async (role, sql) => {
    expect(await attemptAs(role, sql)).toBe(FORBIDDEN)
  })
})
