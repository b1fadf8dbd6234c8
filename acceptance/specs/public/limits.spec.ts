/**
 * listOwnScopes, ingestDocument and streamOwnScopeEvents beyond the limits of a tenant, on a process of the deployment
 * whose limits are low. Each test has tenants of its own, so that none meets what another has used up.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { exchange } from '../../http/exchange.ts'
import type { Reply } from '../../http/exchange.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { asTenant, documentBody } from '../../world/documents.ts'
import { move, tenantSwitch } from '../../world/runtime.ts'
import { asAdmin, asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const listing = createSubject('listOwnScopes')
const ingesting = createSubject('ingestDocument')
const streaming = createSubject('streamOwnScopeEvents')
const scopeId = newScopeId()
const url = theTarget().limited ?? ''
let tenant: Tenant

beforeEach(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const list = (whose = tenant) => listing.call({ url, headers: bearer(whose.key) })
const send = (text: string, whose = tenant) =>
  ingesting.call({ url, headers: asTenant(whose), body: documentBody(scopeId, { text }) })

const open = () => streaming.open({ url, headers: bearer(tenant.key), params: { scopeId } })

/** The first answer that is a refusal; more calls than any limit here allows. */
async function untilRefused(call: () => Promise<Reply>): Promise<Reply> {
  return waitUntil(
    async () => {
      const reply = await call()
      return reply.status >= 400 && reply
    },
    { what: 'a refusal', everyMs: 0 },
  )
}

function expectWait({ headers }: Reply, policy: string): void {
  expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(headers['ratelimit']).toBe(`"${policy}";r=0;t=${headers['retry-after']}`)
}

/** Another tenant, an administrator with the tenant's key, a removal by the tenant itself, and anyone who asks for life. */
async function expectOthersLetIn(): Promise<void> {
  const get = (path: string, headers: Record<string, string>) =>
    exchange(url, { method: 'GET', path, headers })
  listing.expectForm(await list(await createTenant()), 200)
  expect((await get('/admin/scopes', asAdminOf(tenant))).status).toBe(200)
  expect((await get('/admin/tenants', asAdmin())).status).toBe(200)
  expect((await get('/livez', {})).status).toBe(200)
  const path = `/api/scopes/${scopeId}/documents/none`
  const removal = await exchange(url, { method: 'DELETE', path, headers: bearer(tenant.key) })
  expect(removal.status, removal.text).toBe(404)
}

// A service that others run has the limits that they gave it.
describe.skipIf(theTarget().limited === undefined)('beyond the limits', () => {
  it('every answer says what the limits are and what is left', async () => {
    const reply = await list()
    listing.expectForm(reply, 200)
    expect(reply.headers['ratelimit-policy']).toMatch(/^"requests";q=\d+;w=\d+, /)
    expect(reply.headers['ratelimit']).toMatch(/^"requests";r=\d+;t=\d+$/)
  })

  it('429 rate_limited: too many requests in too short a time', async () => {
    const refused = await untilRefused(() => list())
    listing.expectProblem(refused, 'rate_limited')
    expectWait(refused, 'requests')
    await expectOthersLetIn()
    await waitUntil(async () => (await list()).status === 200, {
      what: 'being let in again',
      withinMs: 5_000,
    })
  })

  it('429 byte_rate_exceeded: too many bytes in too short a time', async () => {
    ingesting.expectForm(await send('x'.repeat(50_000)), 202)
    const refused = await send('small')
    ingesting.expectProblem(refused, 'byte_rate_exceeded')
    expectWait(refused, 'content-bytes')
    await expectOthersLetIn()
  })

  it('429 too_many_streams: one more than may be open, until one is closed', async () => {
    using first = await open()
    {
      using second = await open()
      expect([first.status, second.status]).toEqual([200, 200])
      const refused = await streaming.call({ url, headers: bearer(tenant.key), params: { scopeId } })
      streaming.expectProblem(refused, 'too_many_streams')
      expectWait(refused, 'streams')
      await expectOthersLetIn()
    }
    using third = await waitUntil(open, { what: 'a stream in its place', withinMs: 5_000, everyMs: 500 })
    expect(third.status).toBe(200)
  })

  it('429 queue_quota_exceeded: more documents than may wait, until they are worked off', async () => {
    await move(tenantSwitch(tenant), 'pause')
    const refused = await untilRefused(() => send('waits'))
    ingesting.expectProblem(refused, 'queue_quota_exceeded')
    expectWait(refused, 'queued-documents')
    await expectOthersLetIn()
    await move(tenantSwitch(tenant), 'resume')
    await waitUntil(async () => (await send('goes on')).status === 202, { what: 'room', everyMs: 1_000 })
  })

  it('429 rate_limited: too many keys tried out, while a right key stays right', async () => {
    const wrong = { ...tenant, key: `${tenant.key.slice(0, -1)}${tenant.key.endsWith('0') ? '1' : '0'}` }
    const refused = await waitUntil(
      async () => {
        const reply = await list(wrong)
        return reply.status !== 401 && reply
      },
      { what: 'being told to wait', everyMs: 0 },
    )
    listing.expectProblem(refused, 'rate_limited')
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    listing.expectForm(await list(), 200)
  })
})
