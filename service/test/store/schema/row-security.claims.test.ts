/** Tests the guarantees of Postgres for claims, contradictions, decisions and convergence. */
import type pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { listContradictions } from '../../../src/app/contradictions/contradictions.ts'
import { resolveContradiction } from '../../../src/app/contradictions/resolutions.ts'
import { openBureau, statement } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps } from '../../support/documents.ts'
import { stated, statedPaper } from '../../support/facts.ts'
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
  'claims',
  'claim_keys',
  'claim_counts',
  'comparison_cuts',
  'facts',
  'fact_witnesses',
  'fact_postings',
  'fact_words',
  'fact_counts',
  'comparison_steps',
  'contradictions',
  'decisions',
  'contradiction_periods',
  'contested',
  'scope_convergence',
  'convergence_series',
]

beforeAll(async () => {
  ;[acme, borealis] = [await makeTenant(pools(), 'Acme'), await makeTenant(pools(), 'Borealis')]
  for (const tenant of [acme, borealis]) {
    await makeScope(pools(), tenant, 'default')
    // More documents agree with the second one than are compared.
    const papers = Array.from({ length: 9 }, (_, nth) => ({
      documentId: nth < 2 ? (['a', 'b'][nth] ?? '') : `b${nth}`,
      claims: [statement(nth === 0 ? 10 : 11)],
    }))
    await openBureau(pools(), workers(), tenant).process([...papers, statedPaper('m', stated(12))])
    const deps = documentsDeps(pools())
    const { items } = await listContradictions(deps, tenant.caller, 'default', {
      limit: 1,
      cursor: undefined,
    })
    const id = items[0]?.contradictionId ?? ''
    for (const outcome of ['dismissed', 'reopened'] as const) {
      const settlement = { outcome, holds: null, by: null, reason: 'Not so.' }
      await resolveContradiction(deps, tenant.caller, 'default', id, settlement)
    }
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
  it('without a tenant sees no row and changes none', async () => {
    await asRole(database(), role, async (client) => {
      for (const table of TABLES) expect((await client.query(`select from ${table}`)).rowCount).toBe(0)
      expect((await client.query(`update contradictions set status = 'dismissed'`)).rowCount).toBe(0)
      expect((await client.query('delete from claims')).rowCount).toBe(0)
    })
  })

  it('in the transaction of a tenant sees and changes the rows of that tenant alone', async () => {
    await asTenant(role, acme, async (client) => {
      for (const table of TABLES) {
        const { rows } = await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)
        expect([table, rows]).toEqual([table, [{ tenant_id: acme.tenantId }]])
      }
      expect(
        (await client.query('delete from claim_keys where tenant_id = $1', [borealis.tenantId])).rowCount,
      ).toBe(0)
      expect((await client.query(`update contradictions set status = 'dismissed'`)).rowCount).toBe(1)
      await client.query('rollback')
    })
  })

  it('gets nothing of another tenant by asking for it by name', async () => {
    const question = JSON.stringify([
      {
        tenant: borealis.tenantId,
        scopes: [{ at: 0, scope: 'default', documents: ['a'], nos: [0], keys: '{}', groups: '{}' }],
      },
    ])
    await asRole(database(), role, async (client) => {
      await client.query('begin')
      // The functions set the tenant themselves; what they must not do is reach into the one while in the other.
      const inside = `select * from read_comparison_of('${borealis.tenantId}', 'default', 0, '{a}', '{0}', '{}')`
      await client.query(`select set_config('app.tenant', $1, true)`, [acme.tenantId])
      expect((await client.query(inside)).rowCount).toBe(0)
      expect((await client.query('select * from read_comparison($1)', [question])).rowCount).toBe(1)
      await client.query('rollback')
    })
  })

  it('cannot write a row for another tenant, nor give one away', async () => {
    const given = `update contradictions set tenant_id = '${borealis.tenantId}'`
    expect(await attemptAs(role, given)).toBe(FORBIDDEN)
    const made = `insert into contradictions (tenant_id, scope_id, contradiction_id, epoch, relation, kind, severity, sealed, opened_seq)
      values ('${borealis.tenantId}', 'default', gen_random_uuid(), 0, 'conflict', 'money', 'low', '', 1)`
    expect(await attemptAs(role, made)).toBe(FORBIDDEN)
    const decided = `insert into decisions (tenant_id, scope_id, decision_id, epoch, point, result, decided_by, seq)
      values ('${borealis.tenantId}', 'default', gen_random_uuid(), 0, 'settle_scope', 'allowed', 'policy', 1)`
    expect(await attemptAs(role, decided)).toBe(FORBIDDEN)
  })

  it('gets no verdict of another tenant', async () => {
    const ids = `(select array_agg(contradiction_id) from contradictions)`
    await asTenant(role, acme, async (client) => {
      const own = `select * from read_verdicts_of('${acme.tenantId}', 'default', 0, ${ids})`
      expect((await client.query(own)).rowCount).toBe(1)
      const { rows } = await client.query<{ ids: string[] }>(`select ${ids} as ids`)
      await client.query(`select set_config('app.tenant', $1, true)`, [borealis.tenantId])
      const theirs = `select * from read_verdicts_of('${acme.tenantId}', 'default', 0, $1)`
      expect((await client.query(theirs, [rows[0]?.ids])).rowCount).toBe(0)
      await client.query('rollback')
    })
  })
})

describe('no role may do what it never needs', () => {
  it.each([
    ['api', 'insert into claims select * from claims'],
    ['api', 'insert into claim_keys select * from claim_keys'],
    ['api', 'update claims set no = no'],
    ['worker', 'update claims set no = no'],
    ['worker', 'update claim_keys set no = no'],
    ['worker', 'delete from claim_counts'],
    ['worker', 'select from claims_p00'],
    ['api', 'insert into facts select * from facts'],
    ['api', 'insert into fact_witnesses select * from fact_witnesses'],
    ['worker', 'update fact_witnesses set no = no'],
    ['worker', 'delete from fact_counts'],
    ['api', `update decisions set holds = 'a'`],
    ['worker', `update decisions set holds = 'a'`],
    ['worker', 'delete from decisions'],
  ] as const)('%s: %s', async (role, sql) => {
    expect(await attemptAs(role, sql)).toBe(FORBIDDEN)
  })
})
