/** issueTenantKey: a further key for a tenant, shown once. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import type { Reply } from '../../http/exchange.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { describeNoReplay } from '../../rules/replay.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import {
  asAdmin,
  bearer,
  createTenant,
  createTenantPool,
  isAccepted,
  revokeKey,
} from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('issueTenantKey')
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
})

const issueTo = ({ tenantId }: Tenant, body?: unknown) =>
  subject.call({ headers: asAdmin(), params: { tenantId }, ...(body !== undefined && { body }) })

async function untilExpired(url: string, key: string): Promise<Reply> {
  const path = '/api/scopes'
  return waitUntil(
    async () => {
      const reply = await subject.call({ method: 'GET', path, headers: bearer(key), url })
      return reply.text.includes('credential_expired') && reply
    },
    { what: `${url} refusing an expired key`, withinMs: 5_000 },
  )
}

/** A tenant may have only so many live keys. */
const nextTenant = createTenantPool(15)
const good = async () => ({
  headers: asAdmin(),
  params: { tenantId: (await nextTenant()).tenantId },
  body: {},
})

describe('issueTenantKey: 201', () => {
  it('answers with the key and nothing else', async () => {
    const reply = await issueTo(tenant, { name: 'nightly job', expires_at: '2999-01-01T00:00:00Z' })
    const body = subject.expectAnswer(reply, 201)
    expect(body).toEqual({
      key_id: expect.stringMatching(/^[0-9A-Za-z]{10}$/),
      api_key: expect.stringMatching(/^ck_t_[0-9A-Za-z]{10}_[0-9A-Za-z]{49}$/),
      key_prefix: `ck_t_${body.key_id}`,
      expires_at: '2999-01-01T00:00:00.000Z',
      message: expect.stringMatching(/\S/),
    })
    expect(body.api_key.startsWith(`${body.key_prefix}_`)).toBe(true)
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['no body', undefined],
    ['an empty object', {}],
  ])('issues a key that never expires for %s', async (_, body) => {
    expect(subject.expectAnswer(await issueTo(tenant, body), 201).expires_at).toBeNull()
  })

  it('says in Location where the key can be read', async () => {
    const reply = await issueTo(tenant, { name: 'nightly job' })
    const { key_id: keyId } = subject.expectAnswer(reply, 201)
    const location = reply.headers['location'] ?? ''
    expect(location).toBe(`/admin/tenants/${tenant.tenantId}/keys/${keyId}`)
    const read = await subject.call({ method: 'GET', path: location, headers: asAdmin() })
    expect(JSON.parse(read.text)).toMatchObject({ key_id: keyId, name: 'nightly job', status: 'live' })
  })

  it('gives a key that every process takes at once, beside the first one', async () => {
    const { api_key: key } = subject.expectAnswer(await issueTo(tenant), 201)
    for (const url of theTarget().urls) {
      expect(await isAccepted(url, key)).toBe(true)
      expect(await isAccepted(url, tenant.key)).toBe(true)
    }
  })

  it.each(['a', '💠'.repeat(200), ' '])('takes a name of 1 to 200 characters (%#)', async (name) => {
    subject.expectAnswer(await issueTo(tenant, { name }), 201)
  })
})

describe('issueTenantKey: the life of a key', () => {
  it('ends everywhere at the moment that was asked for', async () => {
    const { headers } = await subject.call({ method: 'GET', path: '/livez' })
    const expires = new Date(Date.parse(headers['date'] ?? '') + 3_000).toISOString()
    const issued = subject.expectAnswer(await issueTo(await createTenant(), { expires_at: expires }), 201)
    expect(issued.expires_at).toBe(expires)
    for (const url of theTarget().urls) expect(await isAccepted(url, issued.api_key)).toBe(true)
    const refusals = await Promise.all(theTarget().urls.map((url) => untilExpired(url, issued.api_key)))
    // Not before the time, by the service's own clock; it tells whole seconds, and those a little late.
    for (const refused of refusals)
      expect(Date.parse(refused.headers['date'] ?? '') + 2_000).toBeGreaterThan(Date.parse(expires))
  })
})

describe('issueTenantKey: 404', () => {
  it('does not know a tenant that does not exist', async () => {
    const reply = await subject.call({ headers: asAdmin(), params: { tenantId: randomUUID() } })
    subject.expectProblem(reply, 'tenant_not_found')
  })
})

describe('issueTenantKey: 409', () => {
  it('stops at a number of live keys, even when they are asked for all at once', async () => {
    const crowded = await createTenant()
    const replies = await Promise.all(Array.from({ length: 30 }, () => issueTo(crowded)))
    const refused = replies.filter((reply) => reply.status !== 201)
    for (const reply of refused) subject.expectProblem(reply, 'too_many_keys')
    expect(refused.length).toBeGreaterThan(0)
    // With the first one, at least two live keys: otherwise none could be replaced without a gap.
    expect(replies.length - refused.length).toBeGreaterThan(0)
    const list = await subject.call({
      method: 'GET',
      path: `/admin/tenants/${crowded.tenantId}/keys`,
      query: 'limit=100',
      headers: asAdmin(),
    })
    const { items } = JSON.parse(list.text) as { items: readonly unknown[] }
    expect(items).toHaveLength(1 + replies.length - refused.length)
    await revokeKey(crowded, crowded.keyId)
    subject.expectAnswer(await issueTo(crowded), 201)
    subject.expectProblem(await issueTo(crowded), 'too_many_keys')
  })
})

describe('issueTenantKey: 422', () => {
  it.each([
    ['an empty name', { name: '' }, '#/name', 'too_short'],
    ['201 characters', { name: '💠'.repeat(201) }, '#/name', 'too_long'],
    ['U+0000', { name: 'a\0' }, '#/name', 'invalid_character'],
    ['half of a pair', { name: '\ud83d' }, '#/name', 'invalid_character'],
  ])('refuses a name with %s', async (_, body, pointer, rule) => {
    subject.expectProblem(await issueTo(tenant, body), 'validation_failed', {
      pointers: [pointer],
      rules: [rule],
    })
  })

  it.each([1, null, true, ['a']])('does not turn %j into a name', async (name) => {
    subject.expectProblem(await issueTo(tenant, { name }), 'validation_failed', { pointers: ['#/name'] })
  })

  it.each([
    '2000-01-01T00:00:00Z',
    '2999-01-01',
    '2999-01-01T00:00:00',
    '2999-02-30T00:00:00Z',
    '2999-13-01T00:00:00Z',
    '2999-01-01T25:00:00Z',
    '2999-01-01 00:00:00Z',
    'tomorrow',
    '',
    '+010000-01-01T00:00:00Z',
    32_503_680_000,
    null,
    { $date: 1 },
  ])('refuses %j as the end of its life', async (expires) => {
    const reply = await issueTo(tenant, { expires_at: expires })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/expires_at'] })
  })

  it('tells all faults at once', async () => {
    const reply = await issueTo(tenant, { name: '', expires_at: 1, more: 1 })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/name', '#/expires_at', '#/more'] })
  })
})

describeParams(subject, good, 'tenantId')
describePlatformEntrance(subject, good)
describeBodies(subject, good)
describeNoReplay(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
