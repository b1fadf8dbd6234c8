/** getTenant: name and age of one tenant. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { asAdmin, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getTenant')
const name = `acceptance ${randomUUID()}`
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant(name)
})

const good = () => ({ headers: asAdmin(), params: { tenantId: tenant.tenantId } })

describe('getTenant: 200', () => {
  it('answers with id, name and age, and nothing of what the tenant holds', async () => {
    const reply = await subject.call(good())
    const body = subject.expectAnswer(reply, 200)
    expect(body).toEqual({ tenant_id: tenant.tenantId, name, created_at: expect.any(String) })
    expect(reply.text).not.toContain('ck_t_')
  })

  it('was created when it was created', async () => {
    const reply = await subject.call(good())
    const { created_at: createdAt } = subject.expectAnswer(reply, 200)
    const age = Date.parse(reply.headers['date'] ?? '') - Date.parse(createdAt)
    expect(age).toBeGreaterThan(-2_000)
    expect(age).toBeLessThan(60_000)
  })
})

describe('getTenant: 404', () => {
  it.each([randomUUID(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
    'does not know %s',
    async (tenantId) => {
      subject.expectProblem(await subject.call({ ...good(), params: { tenantId } }), 'tenant_not_found')
    },
  )
})

describeParams(subject, good, 'tenantId')
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
