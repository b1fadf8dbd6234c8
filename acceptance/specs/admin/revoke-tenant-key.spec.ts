/** revokeTenantKey: the end of a key, everywhere and for good. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../../problem-document.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { keyIdOf } from '../../world/keys.ts'
import { asAdmin, bearer, createTenant, isAccepted, issueKey, untilRefused } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('revokeTenantKey')
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
})

const revoke = (tenantId: string, keyId: string, url?: string) =>
  subject.call({ headers: asAdmin(), params: { tenantId, keyId }, ...(url && { url }) })

/** Revoking twice changes nothing, so one key serves all. */
const good = () => ({ headers: asAdmin(), params: { tenantId: tenant.tenantId, keyId: tenant.keyId } })

describe('revokeTenantKey: 200', () => {
  it('answers with the key as it is now', async () => {
    const owner = await createTenant()
    const issued = await issueKey(owner, { name: 'lost laptop' })
    expect(subject.expectAnswer(await revoke(owner.tenantId, issued.key_id), 200)).toEqual({
      key_id: issued.key_id,
      key_prefix: issued.key_prefix,
      name: 'lost laptop',
      status: 'revoked',
      created_at: expect.any(String),
      created_by: expect.any(String),
      expires_at: null,
      revoked_at: expect.any(String),
      last_used_at: null,
    })
  })

  it('changes nothing when it is repeated', async () => {
    const owner = await createTenant()
    const first = subject.expectAnswer(await revoke(owner.tenantId, owner.keyId), 200)
    const again = subject.expectAnswer(await revoke(owner.tenantId, owner.keyId), 200)
    expect(again.revoked_at).toBe(first.revoked_at)
    expect(again.status).toBe('revoked')
  })

  it('leaves the other keys of the tenant alone', async () => {
    const owner = await createTenant()
    const kept = await issueKey(owner)
    subject.expectAnswer(await revoke(owner.tenantId, owner.keyId), 200)
    await untilRefused(owner.key)
    for (const url of theTarget().urls) expect(await isAccepted(url, kept.api_key)).toBe(true)
  })

  it('may take the last key of a tenant', async () => {
    const owner = await createTenant()
    subject.expectAnswer(await revoke(owner.tenantId, owner.keyId), 200)
    await untilRefused(owner.key)
  })
})

describe('revokeTenantKey: within one second', () => {
  it.each(theTarget().urls)(
    'a key in constant use is dead on every process once %s was told',
    async (told) => {
      const owner = await createTenant()
      // Used everywhere just now, so that each process has every reason to remember it.
      for (const url of theTarget().urls) expect(await isAccepted(url, owner.key)).toBe(true)
      subject.expectAnswer(await revoke(owner.tenantId, owner.keyId, told), 200)
      await untilRefused(owner.key)
    },
  )

  it('stays dead', async () => {
    const owner = await createTenant()
    subject.expectAnswer(await revoke(owner.tenantId, owner.keyId), 200)
    await untilRefused(owner.key)
    const uses = theTarget().urls.flatMap((url) =>
      Array.from({ length: 20 }, () => isAccepted(url, owner.key)),
    )
    expect(await Promise.all(uses)).not.toContain(true)
  })

  it('is told to its holder as revoked', async () => {
    const owner = await createTenant()
    subject.expectAnswer(await revoke(owner.tenantId, owner.keyId), 200)
    await untilRefused(owner.key)
    const refused = await subject.call({ method: 'GET', path: '/api/scopes', headers: bearer(owner.key) })
    expect(JSON.parse(refused.text)).toMatchObject({ status: 401, code: 'credential_revoked' })
  })
})

describe('revokeTenantKey: 404', () => {
  it('does not know a key that was never issued', async () => {
    subject.expectProblem(await revoke(tenant.tenantId, '0000000000'), 'key_not_found')
  })

  it('does not touch the key of another tenant, and says so in the same words', async () => {
    const other = await createTenant()
    const foreign = await revoke(tenant.tenantId, other.keyId)
    subject.expectProblem(foreign, 'key_not_found')
    expect(sameForAll(foreign)).toEqual(sameForAll(await revoke(tenant.tenantId, '0000000000')))
    for (const url of theTarget().urls) expect(await isAccepted(url, other.key)).toBe(true)
  })

  it('does not touch a key above the tenants', async () => {
    subject.expectProblem(await revoke(tenant.tenantId, keyIdOf(theTarget().adminKey)), 'key_not_found')
    expect((await revoke(tenant.tenantId, tenant.keyId)).status).toBe(200)
  })

  it('does not know the keys of a tenant that does not exist', async () => {
    const other = await createTenant()
    subject.expectProblem(await revoke(randomUUID(), other.keyId), 'key_not_found')
  })
})

describeParams(subject, good, 'tenantId', 'keyId')
describePlatformEntrance(subject, good)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
