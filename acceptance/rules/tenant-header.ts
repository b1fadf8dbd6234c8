/** Routes on which an administrator or operator acts for a tenant: the key of both, so that neither gets anywhere alone. */
import { beforeAll, describe, it } from 'vitest'
import type { GoodCall, Subject } from '../subject.ts'
import { withHeaders, withoutHeaders } from '../subject.ts'
import { theTarget } from '../target.ts'
import { bearer, createTenant, expiredKeyOf, revokedKeyOf } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'
import { refusedKeys } from './refused-keys.ts'

export function describeTenantHeader(subject: Subject, good: GoodCall): void {
  const callWith = async (key: string) => subject.call(withHeaders(await good(), { 'x-tenant-api-key': key }))
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await createTenant()
  })

  describe(`${subject.operation.name}: 401 without a good tenant key beside the other`, () => {
    it('asks for X-Tenant-API-Key', async () => {
      const reply = await subject.call(withoutHeaders(await good(), 'x-tenant-api-key'))
      subject.expectProblem(reply, 'credential_missing')
    })

    it('is not content with X-Tenant-ID', async () => {
      const call = withHeaders(withoutHeaders(await good(), 'x-tenant-api-key'), {
        'x-tenant-id': tenant.tenantId,
      })
      subject.expectProblem(await subject.call(call), 'credential_missing')
    })

    it.each(refusedKeys('t'))('refuses $what', async ({ present, code }) => {
      subject.expectProblem(await callWith(present(tenant.key)), code)
    })

    it('refuses an expired tenant key', async () => {
      subject.expectProblem(await callWith(await expiredKeyOf(tenant)), 'credential_expired')
    })

    it('refuses a revoked tenant key', async () => {
      subject.expectProblem(await callWith(await revokedKeyOf(tenant)), 'credential_revoked')
    })
  })

  describe(`${subject.operation.name}: 403 for two keys of one kind`, () => {
    it('does not take an admin key for that of a tenant', async () => {
      subject.expectProblem(await callWith(theTarget().adminKey), 'wrong_tier')
    })

    it('does not take an internals key for that of a tenant', async () => {
      subject.expectProblem(await callWith(theTarget().internalsKey), 'wrong_tier')
    })

    it('does not open for a tenant key in both headers', async () => {
      const headers = { ...bearer(tenant.key), 'x-tenant-api-key': tenant.key }
      subject.expectProblem(await subject.call(withHeaders(await good(), headers)), 'wrong_tier')
    })
  })
}
