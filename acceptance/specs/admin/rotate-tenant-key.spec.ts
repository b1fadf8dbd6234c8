/** rotateTenantKey: a new key in place of an old one, both good while the change is made. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { describeNoReplay } from '../../rules/replay.ts'
import type { SubjectCall } from '../../subject.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { keyIdOf } from '../../world/keys.ts'
import {
  asAdmin,
  bearer,
  createTenant,
  createTenantPool,
  expiredKeyOf,
  isAccepted,
  issueKey,
  revokedKeyOf,
  untilRefused,
} from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('rotateTenantKey')

const rotate = ({ tenantId, keyId }: Pick<Tenant, 'tenantId' | 'keyId'>, body?: unknown) =>
  subject.call({ headers: asAdmin(), params: { tenantId, keyId }, ...(body !== undefined && { body }) })

/** The old key lives on for a day, so it can be rotated again, until the tenant has as many as it may have. */
const nextTenant = createTenantPool(15)

async function good(): Promise<SubjectCall> {
  const { tenantId, keyId } = await nextTenant()
  return { headers: asAdmin(), params: { tenantId, keyId }, body: {} }
}

async function readKey({ tenantId, keyId }: Tenant): Promise<Record<string, unknown>> {
  const path = `/admin/tenants/${tenantId}/keys/${keyId}`
  return JSON.parse((await subject.call({ method: 'GET', path, headers: asAdmin() })).text) as Record<
    string,
    unknown
  >
}

describe('rotateTenantKey: 201', () => {
  it('answers with the new key, what it replaces, and nothing else', async () => {
    const tenant = await createTenant()
    const reply = await rotate(tenant, { overlap_seconds: 60, expires_at: '2999-01-01T00:00:00Z' })
    const body = subject.expectAnswer(reply, 201)
    expect(body).toEqual({
      key_id: expect.stringMatching(/^[0-9A-Za-z]{10}$/),
      api_key: expect.stringMatching(/^ck_t_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/),
      key_prefix: `ck_t_${body.key_id}`,
      expires_at: '2999-01-01T00:00:00.000Z',
      message: expect.stringMatching(/\S/),
      replaces: tenant.keyId,
      replaced_expires_at: expect.any(String),
    })
    expect(body.key_id).not.toBe(tenant.keyId)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['location']).toBe(`/admin/tenants/${tenant.tenantId}/keys/${body.key_id}`)
  })

  it.each([
    ['a day when nothing is said', undefined, 86_400],
    ['a day for an empty body', {}, 86_400],
    ['as long as is asked for', { overlap_seconds: 600 }, 600],
    ['30 days at the most', { overlap_seconds: 2_592_000 }, 2_592_000],
  ])('lets the old key live %s', async (_, body, seconds) => {
    const tenant = await createTenant()
    const reply = await rotate(tenant, body)
    const { replaced_expires_at: until } = subject.expectAnswer(reply, 201)
    const left = (Date.parse(until) - Date.parse(reply.headers['date'] ?? '')) / 1_000
    expect(Math.abs(left - seconds)).toBeLessThan(5)
    expect(await readKey(tenant)).toMatchObject({ status: 'live', expires_at: until, revoked_at: null })
  })

  it('never lengthens a life', async () => {
    const tenant = await createTenant()
    const expires = new Date(Date.now() + 600_000).toISOString()
    const { key_id: keyId } = await issueKey(tenant, { expires_at: expires })
    const reply = await rotate({ ...tenant, keyId }, { overlap_seconds: 2_592_000 })
    expect(subject.expectAnswer(reply, 201).replaced_expires_at).toBe(expires)
  })
})

describe('rotateTenantKey: old and new key', () => {
  it('both work on every process during the overlap', async () => {
    const tenant = await createTenant()
    const { api_key: fresh } = subject.expectAnswer(await rotate(tenant, { overlap_seconds: 60 }), 201)
    for (const url of theTarget().urls) {
      expect(await isAccepted(url, tenant.key)).toBe(true)
      expect(await isAccepted(url, fresh)).toBe(true)
    }
  })

  it('without an overlap the old one is refused everywhere within a second, though it was in use', async () => {
    const tenant = await createTenant()
    for (const url of theTarget().urls) expect(await isAccepted(url, tenant.key)).toBe(true)
    const { api_key: fresh } = subject.expectAnswer(await rotate(tenant, { overlap_seconds: 0 }), 201)
    await untilRefused(tenant.key)
    for (const url of theTarget().urls) {
      const refused = await subject.call({
        method: 'GET',
        path: '/api/scopes',
        headers: bearer(tenant.key),
        url,
      })
      expect(JSON.parse(refused.text)).toMatchObject({ status: 401, code: 'credential_expired' })
      expect(await isAccepted(url, fresh)).toBe(true)
    }
  })

  it('belong to the same tenant', async () => {
    const tenant = await createTenant()
    const { api_key: fresh } = subject.expectAnswer(await rotate(tenant), 201)
    const headers = { ...bearer(fresh), 'x-tenant-id': tenant.tenantId }
    expect((await subject.call({ method: 'GET', path: '/api/scopes', headers })).status).toBe(200)
  })
})

describe('rotateTenantKey: 404', () => {
  it('does not know a key that was never issued', async () => {
    const { tenantId } = await createTenant()
    subject.expectProblem(await rotate({ tenantId, keyId: '0000000000' }), 'key_not_found')
  })

  it('does not touch the key of another tenant', async () => {
    const [tenant, other] = await Promise.all([createTenant(), createTenant()])
    const reply = await rotate({ tenantId: tenant.tenantId, keyId: other.keyId }, { overlap_seconds: 0 })
    subject.expectProblem(reply, 'key_not_found')
    expect(await readKey(other)).toMatchObject({ status: 'live', expires_at: null })
  })

  it('does not touch a key above the tenants', async () => {
    const { tenantId } = await createTenant()
    subject.expectProblem(await rotate({ tenantId, keyId: keyIdOf(theTarget().adminKey) }), 'key_not_found')
  })

  it('does not know the keys of a tenant that does not exist', async () => {
    const { keyId } = await createTenant()
    subject.expectProblem(await rotate({ tenantId: randomUUID(), keyId }), 'key_not_found')
  })
})

describe('rotateTenantKey: 409', () => {
  it('does not replace a revoked key', async () => {
    const tenant = await createTenant()
    const keyId = keyIdOf(await revokedKeyOf(tenant))
    subject.expectProblem(await rotate({ ...tenant, keyId }), 'key_not_live')
  })

  it('does not replace an expired key', async () => {
    const tenant = await createTenant()
    const keyId = keyIdOf(await expiredKeyOf(tenant))
    subject.expectProblem(await rotate({ ...tenant, keyId }), 'key_not_live')
  })

  it('does not go beyond the number of live keys, and leaves the old key as it was', async () => {
    const tenant = await createTenant()
    const path = `/admin/tenants/${tenant.tenantId}/keys`
    await Promise.all(
      Array.from({ length: 30 }, () => subject.call({ method: 'POST', path, headers: asAdmin() })),
    )
    subject.expectProblem(await rotate(tenant, { overlap_seconds: 0 }), 'too_many_keys')
    expect(await readKey(tenant)).toMatchObject({ status: 'live', expires_at: null })
  })
})

describe('rotateTenantKey: 422', () => {
  it.each([-1, 2_592_001, 0.5, '60', '', null, true, [60], 1e21])(
    'refuses %j seconds of overlap',
    async (seconds) => {
      const call = await good()
      const reply = await subject.call({ ...call, body: { overlap_seconds: seconds } })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['#/overlap_seconds'] })
    },
  )

  it.each(['2000-01-01T00:00:00Z', '2999-01-01', 'never', null])(
    'refuses %j as the end of its life',
    async (expires) => {
      const call = await good()
      const reply = await subject.call({ ...call, body: { expires_at: expires } })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['#/expires_at'] })
    },
  )

  it('changes nothing when it refuses', async () => {
    const tenant = await createTenant()
    const reply = await rotate(tenant, { overlap_seconds: 0, expires_at: '2000-01-01T00:00:00Z' })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/expires_at'] })
    expect(await readKey(tenant)).toMatchObject({ status: 'live', expires_at: null })
  })
})

describeParams(subject, good, 'tenantId', 'keyId')
describePlatformEntrance(subject, good)
describeBodies(subject, good)
describeNoReplay(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
