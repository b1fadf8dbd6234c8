/** The event streams as their clients see them: who may open them, where they begin, and what they carry. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventSchemas, ResyncNotice } from '@concord/contract'
import type { EventKind } from '@concord/contract'
import { waitUntil } from '@concord/tools/launch'
import { bearer, jsonBody, startTestApi } from '../support/api.ts'
import type { TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { makePeople } from '../support/server.ts'
import type { People } from '../support/server.ts'
import { openStream } from '../support/streams.ts'
import type { StreamClient } from '../support/streams.ts'

const database = useDatabase()
const pools = usePools(database)
let api: TestApi
let people: People
let tenant: TestTenant
const open: StreamClient[] = []

beforeAll(async () => {
  people = await makePeople(pools())
  api = await startTestApi(database())
})
beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
afterAll(() => api.stop())

async function follow(path: string, headers: Record<string, string>): Promise<StreamClient> {
  const client = await openStream(api.address + path, headers)
  open.push(client)
  return client
}

const ownStream = (query = '', headers: Record<string, string> = {}) =>
  follow(`/api/scopes/default/events${query}`, { ...bearer(tenant.key), ...headers })

async function ingest(documentId: string, text = `text of ${documentId}`): Promise<number> {
  const { headers, ...rest } = jsonBody({ scope_id: 'default', name: 'n', text, document_id: documentId })
  const answer = await api.call('/api/ingest', {
    ...rest,
    headers: { ...headers, ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId },
  })
  expect(answer.status).toBe(202)
  return Number(answer.body['seq'])
}

const ids = (client: StreamClient) => client.frames.map(({ id }) => id)

describe('the stream of a scope', () => {
  it('sends CloudEvents of the contract, each with its position', async () => {
    const client = await ownStream('?after=0')
    await ingest('report')
    await ingest('report', 'other words')
    const frames = await client.until(4)
    expect(client.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(client.headers.get('x-request-id')).toBeTruthy()
    expect(frames.map(({ id, event }) => `${id} ${event}`)).toEqual([
      '1 scope.created',
      '2 document.queued',
      '3 document.superseded',
      '4 document.queued',
    ])
    for (const { id, event, data } of frames) {
      expect(eventSchemas.get(event as EventKind)?.safeParse(data).error).toBeUndefined()
      expect(data).toMatchObject({ id, type: event, source: `/tenants/${tenant.tenantId}/scopes/default` })
    }
    expect(frames[3]?.data).toMatchObject({
      subject: 'report',
      data: {
        tenant_id: tenant.tenantId,
        scope_id: 'default',
        epoch: 0,
        seq: 4,
        document_id: 'report',
        version: 2,
      },
    })
    expect(client.text()).not.toContain('words')
  })

  it('misses no event if it is opened after the seq of a response', async () => {
    const seq = await ingest('first')
    await ingest('second')
    const client = await ownStream(`?after=${seq}`)
    await ingest('third')
    const frames = await client.until(2)
    expect(frames.map(({ data }) => data['subject'])).toEqual(['second', 'third'])
  })

  it('continues after Last-Event-ID, which takes precedence over the address', async () => {
    for (const name of ['a', 'b', 'c']) await ingest(name)
    const client = await ownStream('?after=0', { 'last-event-id': '3' })
    await client.until(1)
    expect(ids(client)).toEqual(['4'])
  })

  it('begins with new events without a position', async () => {
    await ingest('before')
    const client = await ownStream()
    await ingest('after')
    const frames = await client.until(1)
    expect(frames.map(({ data }) => data['subject'])).toEqual(['after'])
  })

  it('begins with one resync at the end of the log for a position that never existed', async () => {
    const seq = await ingest('a')
    const client = await ownStream('?after=999999999999999')
    const [notice] = await client.until(1)
    expect(notice).toEqual({ id: undefined, event: 'resync', data: { head: seq } })
    expect(ResyncNotice.safeParse(notice?.data).success).toBe(true)
    await ingest('b')
    await client.until(2)
    expect(ids(client)).toEqual([undefined, String(seq + 1)])
  })

  it.each(['?after=-1', '?after=1.5', '?after=x', '?after=1e3', '?before=1'])('refuses %s', async (query) => {
    const { status, body } = await api.call(`/api/scopes/default/events${query}`, {
      headers: bearer(tenant.key),
    })
    expect([status, body['code']]).toEqual([422, 'validation_failed'])
  })

  it('refuses a Last-Event-ID that is no position', async () => {
    const headers = { ...bearer(tenant.key), 'last-event-id': 'abc' }
    const { status, body } = await api.call('/api/scopes/default/events', { headers })
    expect([status, body['errors']]).toEqual([
      422,
      [expect.objectContaining({ pointer: 'header#/last-event-id' })],
    ])
  })

  it('is a problem response for an unknown or foreign scope', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'theirs')
    for (const scopeId of ['nowhere', 'theirs']) {
      const { status, body } = await api.call(`/api/scopes/${scopeId}/events`, {
        headers: bearer(tenant.key),
      })
      expect([status, body['code']]).toEqual([404, 'scope_not_found'])
    }
  })

  it('is opened by its administrator with both keys, with the same events', async () => {
    const seq = await ingest('report')
    const path = `/admin/scopes/default/events?after=${seq - 1}`
    const client = await follow(path, { ...bearer(people.admin), 'x-tenant-api-key': tenant.key })
    const [frame] = await client.until(1)
    expect(frame).toMatchObject({ id: String(seq), event: 'document.queued' })
    expect((await api.call(path, { headers: bearer(people.admin) })).status).toBe(401)
    expect((await api.call(path, { headers: bearer(tenant.key) })).status).toBe(403)
  })

  it('ends within five seconds of the revocation of its key', async () => {
    const client = await ownStream('?after=0')
    await client.until(1)
    await database().superuser.query('update keys set revoked_at = now() where key_id = $1', [tenant.keyId])
    const revoked = performance.now()
    await waitUntil(() => client.hasEnded(), { what: 'the end of the stream' })
    expect(performance.now() - revoked).toBeLessThan(5_000)
  })
})

describe('the operator’s stream', () => {
  const kernel = (query = '', headers: Record<string, string> = {}) =>
    follow(`/internals/kernel/events${query}`, { ...bearer(people.internals), ...headers })

  it('has the events of all tenants, and continues after any of its ids', async () => {
    const client = await kernel()
    // Other files share this server, and their open transactions hold the order back for a while.
    const first = await waitUntil(
      async () => {
        await ingest(`first ${performance.now()}`)
        return client.frames[0]
      },
      { what: 'the first event', everyMs: 100 },
    )
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'of-another')
    await ingest('report')
    await client.untilEvent('scope.created', 'of-another')
    await client.untilEvent('document.queued', 'report')
    for (const { event, data } of client.frames)
      expect(eventSchemas.get(event as EventKind)?.safeParse(data).error).toBeUndefined()
    for (const again of [
      await kernel('', { 'last-event-id': first.id ?? '' }),
      await kernel(`?after=${first.id}`),
    ]) {
      await again.untilEvent('document.queued', 'report')
      expect(ids(again)).toEqual(ids(client).slice(1, again.frames.length + 1))
    }
  })

  it.each(['x', '1', '1.2.3.4', '99999999999999999999.a.1.b'])('refuses the position %s', async (after) => {
    const { status, body } = await api.call(`/internals/kernel/events?after=${after}`, {
      headers: bearer(people.internals),
    })
    expect([status, body['code']]).toEqual([422, 'validation_failed'])
  })

  it('is opened by an internals key and by no other', async () => {
    for (const key of [people.admin, tenant.key])
      expect((await api.call('/internals/kernel/events', { headers: bearer(key) })).status).toBe(403)
    expect((await api.call('/internals/kernel/events')).status).toBe(401)
  })
})

describe('stopping the API', () => {
  it('ends the streams that are open, in order and without delay', async () => {
    const own = await startTestApi(database())
    const clients = await Promise.all(
      [0, 1, 2].map(() => openStream(`${own.address}/api/scopes/default/events?after=0`, bearer(tenant.key))),
    )
    await Promise.all(clients.map((client) => client.until(1)))
    const asked = performance.now()
    await own.stop()
    expect(performance.now() - asked).toBeLessThan(5_000)
    await waitUntil(() => clients.every((client) => client.hasEnded()), { what: 'the end of all streams' })
  })
})
