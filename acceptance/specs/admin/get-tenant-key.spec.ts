/** getTenantKey: one key of a tenant, without its secret. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../../problem-document.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { keyIdOf } from '../../world/keys.ts'
import { asAdmin, createTenant, issueKey, revokeKey } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getTenantKey')
let tenant: Tenant
let other: Tenant

beforeAll(async () => {
  ;[tenant, other] = await Promise.all([createTenant(), createTenant()])
})

const read = (tenantId: string, keyId: string) =>
  subject.call({ headers: asAdmin(), params: { tenantId, keyId } })
const good = () => ({ headers: asAdmin(), params: { tenantId: tenant.tenantId, keyId: tenant.keyId } })

describe('getTenantKey: 200', () => {
  it('shows everything of the key but its secret', async () => {
    const issued = await issueKey(tenant, { name: 'nightly job', expires_at: '2999-12-31T23:59:59.999Z' })
    const reply = await read(tenant.tenantId, issued.key_id)
    expect(subject.expectAnswer(reply, 200)).toEqual({
      key_id: issued.key_id,
      key_prefix: issued.key_prefix,
      name: 'nightly job',
      status: 'live',
      created_at: expect.any(String),
      created_by: `ck_a_${keyIdOf(theTarget().adminKey)}`,
      expires_at: '2999-12-31T23:59:59.999Z',
      revoked_at: null,
      last_used_at: null,
    })
    expect(reply.text).not.toContain(issued.api_key.slice(issued.key_prefix.length))
  })

  it('shows a revoked key as such', async () => {
    const issued = await issueKey(tenant)
    const revoked = await revokeKey(tenant, issued.key_id)
    expect(subject.expectAnswer(await read(tenant.tenantId, issued.key_id), 200)).toEqual(revoked)
  })
})

describe('getTenantKey: 404', () => {
  it('does not know a key that was never issued', async () => {
    subject.expectProblem(await read(tenant.tenantId, '0000000000'), 'key_not_found')
  })

  it('does not know the key of another tenant, and says so in the same words', async () => {
    const foreign = await read(tenant.tenantId, other.keyId)
    subject.expectProblem(foreign, 'key_not_found')
    expect(sameForAll(foreign)).toEqual(sameForAll(await read(tenant.tenantId, '0000000000')))
  })

  it('does not know the keys of a tenant that does not exist', async () => {
    subject.expectProblem(await read(randomUUID(), tenant.keyId), 'key_not_found')
  })

  it('does not know the admin key as that of a tenant', async () => {
    subject.expectProblem(await read(tenant.tenantId, keyIdOf(theTarget().adminKey)), 'key_not_found')
  })

  it('tells key ids by capitals', async () => {
    const swapped = tenant.keyId.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    )
    subject.expectProblem(await read(tenant.tenantId, swapped), 'key_not_found')
  })
})

describeParams(subject, good, 'tenantId', 'keyId')
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
