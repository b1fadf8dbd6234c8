/** The public tier: the key of a tenant in one of two headers; which tenant is meant, the key alone decides. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../problem-document.ts'
import type { SubjectCall, GoodCall, Subject } from '../subject.ts'
import { withHeaders, withoutHeaders } from '../subject.ts'
import { theTarget } from '../target.ts'
import { bearer, createTenant, expiredKeyOf, revokedKeyOf } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'
import { refusedKeys } from './refused-keys.ts'

/** `good` is a call in the name of `owner`. */
export function describeTenantEntrance(subject: Subject, good: GoodCall, owner: () => Tenant): void {
  describeAdmitted(subject, good, owner)
  describeUnauthenticated(subject, good, owner)
  describeConflict(subject, good, owner)
  describeForbidden(subject, good, owner)
}

const anonymous = async (good: GoodCall) => withoutHeaders(await good(), 'authorization', 'x-tenant-api-key')

function describeAdmitted(subject: Subject, good: GoodCall, owner: () => Tenant): void {
  const ways: readonly (readonly [string, (tenant: Tenant) => Record<string, string>])[] = [
    ['as bearer', ({ key }) => bearer(key)],
    ['as bearer, the scheme in small letters', ({ key }) => ({ authorization: `bearer ${key}` })],
    ['in X-Tenant-API-Key', ({ key }) => ({ 'x-tenant-api-key': key })],
    ['in both headers', ({ key }) => ({ ...bearer(key), 'x-tenant-api-key': key })],
    [
      'beside the X-Tenant-ID it belongs to',
      ({ key, tenantId }) => ({ ...bearer(key), 'x-tenant-id': tenantId }),
    ],
  ]
  describe(`${subject.operation.name}: who may enter`, () => {
    it.each(ways)('opens for the key of the tenant %s', async (_, headersOf) => {
      subject.expectLetIn(await subject.call(withHeaders(await anonymous(good), headersOf(owner()))))
    })
  })
}

function describeUnauthenticated(subject: Subject, good: GoodCall, owner: () => Tenant): void {
  const places: readonly (readonly [string, (call: SubjectCall) => SubjectCall])[] = [
    ['nowhere', (call) => call],
    ['in the query', (call) => ({ ...call, query: `api_key=${owner().key}` })],
    ['in a cookie', (call) => withHeaders(call, { cookie: `key=${owner().key}` })],
    ['replaced by its tenant id', (call) => withHeaders(call, { 'x-tenant-id': owner().tenantId })],
  ]
  describe(`${subject.operation.name}: 401`, () => {
    it.each(places)('asks for the key when it is %s', async (_, place) => {
      subject.expectProblem(await subject.call(place(await anonymous(good))), 'credential_missing')
    })

    it.each(refusedKeys('t'))('refuses $what', async ({ present, code }) => {
      const key = present(owner().key)
      subject.expectProblem(await subject.call(withHeaders(await anonymous(good), bearer(key))), code)
      subject.expectProblem(
        await subject.call(withHeaders(await anonymous(good), { 'x-tenant-api-key': key })),
        code,
      )
    })

    it('refuses an expired key', async () => {
      const call = withHeaders(await anonymous(good), bearer(await expiredKeyOf(owner())))
      subject.expectProblem(await subject.call(call), 'credential_expired')
    })

    it('refuses a revoked key', async () => {
      const call = withHeaders(await anonymous(good), bearer(await revokedKeyOf(owner())))
      subject.expectProblem(await subject.call(call), 'credential_revoked')
    })
  })
}

function describeConflict(subject: Subject, good: GoodCall, owner: () => Tenant): void {
  describe(`${subject.operation.name}: 400 for two keys in one request`, () => {
    it('refuses the keys of two tenants', async () => {
      const headers = { ...bearer(owner().key), 'x-tenant-api-key': (await createTenant()).key }
      subject.expectProblem(await subject.call(withHeaders(await good(), headers)), 'credentials_conflict')
    })

    it('refuses an admin key beside the key of a tenant', async () => {
      const headers = { ...bearer(theTarget().adminKey), 'x-tenant-api-key': owner().key }
      subject.expectProblem(await subject.call(withHeaders(await good(), headers)), 'credentials_conflict')
    })
  })
}

function describeForbidden(subject: Subject, good: GoodCall, owner: () => Tenant): void {
  const claim = async (tenantId: string) =>
    subject.call(withHeaders(await anonymous(good), { ...bearer(owner().key), 'x-tenant-id': tenantId }))
  let other: Tenant

  beforeAll(async () => {
    other = await createTenant()
  })

  describe(`${subject.operation.name}: 403`, () => {
    it.each(['admin', 'internals'])('does not open for an %s key', async (tier) => {
      const key = tier === 'admin' ? theTarget().adminKey : theTarget().internalsKey
      for (const headers of [bearer(key), { 'x-tenant-api-key': key }])
        subject.expectProblem(await subject.call(withHeaders(await anonymous(good), headers)), 'wrong_tier')
    })

    it('refuses an X-Tenant-ID that names another tenant', async () => {
      subject.expectProblem(await claim(other.tenantId), 'tenant_mismatch')
    })

    it('answers the same whether the other tenant exists or not', async () => {
      const existing = await claim(other.tenantId)
      for (const stranger of [randomUUID(), 'nobody', owner().tenantId.toUpperCase()]) {
        const reply = await claim(stranger)
        subject.expectProblem(reply, 'tenant_mismatch')
        expect(sameForAll(reply)).toEqual(sameForAll(existing))
      }
    })
  })
}
