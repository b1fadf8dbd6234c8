/** Tests the guarantees of Postgres for the audit log. */
import { beforeAll, describe, expect, it } from 'vitest'
import { chainAudit } from '../../../src/app/audit/audit.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole, FORBIDDEN, stateOf } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(pools())
  await chainAudit({ kernel: pools().kernel, auditor, log: silentLog })
  await makeTenant(pools())
})

const attempt = (role: 'api' | 'worker', statement: string) =>
  stateOf(
    asRole(database(), role, async (client) => {
      await client.query('begin')
      await client.query(`select set_config('app.tenant', $1, true)`, [tenant.tenantId])
      await client.query(statement)
    }),
  )

describe.each(['api', 'worker'] as const)('concord_%s', (role) => {
  it.each([
    'select count(*) from audit_log',
    'update audit_log set seq = 7',
    'delete from audit_log',
    'truncate audit_log',
    'insert into audit_log (entry_id, seq) values (gen_random_uuid(), 7)',
    'select * from audit_head',
    'update audit_head set seq = 7',
  ])('may not %s', async (statement) => {
    expect(await attempt(role, statement)).toBe(FORBIDDEN)
  })
})

describe('the kernel role', () => {
  const asKernel = (statement: string) => attempt('worker', `set local role concord_kernel; ${statement}`)

  it.each([
    `update audit_log set actor = 'nobody'`,
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_head',
    'update audit_head set seq = seq',
    'update audit_head set seq = 0',
    `insert into audit_log (entry_id) values (gen_random_uuid())`,
  ])('may not %s', async (statement) => {
    expect(await asKernel(statement)).toBe(FORBIDDEN)
  })

  it('does not reach an entry that has its place', async () => {
    const [before] = await look(database(), 'select max(seq) as seq from audit_log')
    await asRole(database(), 'worker', async (client) => {
      const moved = await client.query(
        'set role concord_kernel; update audit_log set seq = seq + 1000 where seq is not null',
      )
      expect([moved].flat().at(-1)).toMatchObject({ rowCount: 0 })
    })
    expect(await look(database(), 'select max(seq) as seq from audit_log')).toEqual([before])
  })
})

describe('whoever may do anything', () => {
  it.each([
    `update audit_log set actor = 'nobody' where seq is null`,
    'update audit_log set seq = seq + 1000 where seq is not null',
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_head',
    'update audit_head set seq = 0',
  ])('may not %s without first taking a trigger away', async (statement) => {
    expect(await stateOf(look(database(), statement))).toBe(FORBIDDEN)
  })
})
