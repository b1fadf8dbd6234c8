/** Tests the guarantees of Postgres for answers of the language model and of what they cost. */
import type pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { createModelAnswers } from '../../../src/app/model/model-answers.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { useDatabase } from '../../support/database.ts'
import { modelRequest } from '../../support/model-endpoint.ts'
import { makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole, FORBIDDEN, stateOf } from '../../support/sessions.ts'
import type { SessionRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const workers = usePools(database, 4, 'worker')
let acme: TestTenant
let borealis: TestTenant

const TABLES = ['model_answers', 'model_answer_documents', 'model_usage', 'model_spending']

async function ask(): Promise<TestTenant> {
  const tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
  const answers = createModelAnswers({
    pool: workers().tenant,
    seals: createScopeSeals({ pool: workers().tenant, masterKeys }),
    ask: async () => ({ content: '{}', model: 'served', usage: { inputTokens: 1, outputTokens: 1 } }),
    nameOf: () => 'made-up',
    limits: { perDay: 1_000_000, perMonth: undefined },
  })
  await answers.ask({ tenantId: tenant.tenantId, scopeId: 'default', documentIds: ['a'] }, modelRequest())
  return tenant
}

beforeAll(async () => {
  ;[acme, borealis] = [await ask(), await ask()]
})

const asTenant = async <Result>(
  role: SessionRole,
  { tenantId }: TestTenant,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  asRole(database(), role, async (client) => {
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
    return work(client)
  })

const attemptAs = (role: SessionRole, sql: string) =>
  stateOf(asTenant(role, acme, (client) => client.query(sql)))

describe.each(['api', 'worker'] as const)('concord_%s', (role) => {
  it('without a tenant sees no row', async () => {
    await asRole(database(), role, async (client) => {
      for (const table of TABLES) expect((await client.query(`select from ${table}`)).rowCount).toBe(0)
    })
  })

  it('in the transaction of a tenant sees the rows of that tenant alone', async () => {
    await asTenant(role, acme, async (client) => {
      for (const table of TABLES) {
        const { rows } = await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)
        expect([table, rows]).toEqual([table, [{ tenant_id: acme.tenantId }]])
      }
    })
  })
})

describe('no role may do what it never needs', () => {
  it.each([
    ['api', 'insert into model_answers select * from model_answers'],
    ['api', 'update model_spending set used = 0'],
    ['worker', `update model_answers set model = 'another'`],
    ['worker', 'delete from model_answers'],
    ['worker', 'select from model_answers_p00'],
  ] as const)('%s: %s', async (role, sql) => {
    expect(await attemptAs(role, sql)).toBe(FORBIDDEN)
  })

  it('a worker cannot count the usage of one tenant for another', async () => {
    expect(await attemptAs('worker', `update model_spending set tenant_id = '${borealis.tenantId}'`)).toBe(
      FORBIDDEN,
    )
  })

  it.each(TABLES)('the kernel cannot read %s', async (table) => {
    expect(await stateOf(workers().kernel.query(`select from ${table}`))).toBe(FORBIDDEN)
  })
})
