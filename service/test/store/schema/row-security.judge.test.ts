/** Tests the guarantees of Postgres for what a judge is asked and says. */
import type pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { answered, BRIDGE, HEATING, openCourt, readPaper } from '../../support/judging.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole, FORBIDDEN, stateOf } from '../../support/sessions.ts'
import type { SessionRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const workers = usePools(database, 4, 'worker')
let acme: TestTenant
let borealis: TestTenant

const TABLES = ['judge_permits', 'judge_verdicts', 'judge_requests', 'judge_spending']

/** Each has a verdict, and something that waits. */
async function settle(): Promise<TestTenant> {
  const court = await openCourt(pools(), workers())
  await court.bureau.process([readPaper('a', BRIDGE[0]), readPaper('b', BRIDGE[1])])
  await court.answerAll(answered('conflict'))
  await court.bureau.process([readPaper('c', HEATING[0]), readPaper('d', HEATING[1])])
  return court.tenant
}

beforeAll(async () => {
  ;[acme, borealis] = [await settle(), await settle()]
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
  it('without a tenant sees no row and changes none', async () => {
    await asRole(database(), role, async (client) => {
      for (const table of TABLES) expect((await client.query(`select from ${table}`)).rowCount).toBe(0)
      expect((await client.query('delete from judge_requests')).rowCount).toBe(0)
    })
  })

  it('in the transaction of a tenant sees the rows of that tenant alone', async () => {
    await asTenant(role, acme, async (client) => {
      for (const table of TABLES) {
        const { rows } = await client.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`)
        expect([table, rows]).toEqual([table, [{ tenant_id: acme.tenantId }]])
      }
      const theirs = 'delete from judge_requests where tenant_id = $1'
      expect((await client.query(theirs, [borealis.tenantId])).rowCount).toBe(0)
      await client.query('rollback')
    })
  })

  it('gets nothing of another tenant by asking for it by name', async () => {
    await asTenant(role, acme, async (client) => {
      const { rows: all } = await client.query<{ pair: string }>(
        `select encode(pair, 'hex') as pair from judge_verdicts`,
      )
      const pairs = all.map(({ pair }) => pair)
      const readOf = async ({ tenantId }: TestTenant) =>
        (await client.query(`select from read_judge_verdicts_of($1, 'default', $2)`, [tenantId, pairs]))
          .rowCount
      expect([await readOf(acme), await readOf(borealis)]).toEqual([1, 0])
      const flags = `select judge_flags($1, 'default') as flags`
      expect((await client.query(flags, [acme.tenantId])).rows).toEqual([
        { flags: ['judge_verdicts', 'judge_permit'] },
      ])
      expect((await client.query(flags, [borealis.tenantId])).rows).toEqual([{ flags: [] }])
    })
  })

  it('cannot write a row for another tenant, nor give one away', async () => {
    expect(await attemptAs(role, `update judge_requests set tenant_id = '${borealis.tenantId}'`)).toBe(
      FORBIDDEN,
    )
  })
})

describe('no role may do what it never needs', () => {
  it.each([
    ['api', 'insert into judge_verdicts select * from judge_verdicts'],
    ['api', `update judge_verdicts set verdict = 'unsure'`],
    ['worker', `update judge_verdicts set verdict = 'unsure'`],
    ['worker', 'delete from judge_verdicts'],
    ['worker', 'insert into judge_permits select * from judge_permits'],
    ['worker', 'delete from judge_permits'],
    ['api', 'update judge_spending set tokens = 0'],
    ['worker', 'select from judge_requests_p00'],
  ] as const)('%s: %s', async (role, sql) => {
    expect(await attemptAs(role, sql)).toBe(FORBIDDEN)
  })

  it.each(['judge_verdicts', 'judge_spending'])('the kernel cannot read %s', async (table) => {
    expect(await stateOf(workers().kernel.query(`select from ${table}`))).toBe(FORBIDDEN)
  })

  it('the kernel sees of a request only whose it is and when it is due', async () => {
    const { rows } = await workers().kernel.query<{ count: number }>(
      'select count(distinct tenant_id)::integer as count from judge_requests',
    )
    expect(rows).toEqual([{ count: 2 }])
    expect(await stateOf(workers().kernel.query('select document_a from judge_requests'))).toBe(FORBIDDEN)
  })
})
