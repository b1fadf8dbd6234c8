/** One tenant asks for more than it is due; the others, readiness and the operator do not notice. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { bearer, jsonBody, startTestApi } from '../support/api.ts'
import type { ApiAnswer, TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { makePeople } from '../support/server.ts'
import type { People } from '../support/server.ts'
import { asRole } from '../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const CONNECTIONS = 3
let people: People
let api: TestApi
let loud: TestTenant
let quiet: TestTenant

beforeAll(async () => {
  people = await makePeople(pools())
  api = await startTestApi(database(), {
    DRAIN_NOTICE_SECONDS: '0',
    SHED_LATE_MS: '0',
    DATABASE_POOL_SIZE: String(CONNECTIONS),
  })
})
afterAll(() => api?.stop())
beforeEach(async () => {
  ;[loud, quiet] = [await makeTenant(pools()), await makeTenant(pools())]
  for (const scopeId of ['default', 'a', 'b', 'c', 'd']) await makeScope(pools(), loud, scopeId)
  await makeScope(pools(), quiet, 'default')
  // Known before anything is held.
  for (const each of [loud, quiet]) await attach(each, 'default')
})

function attach({ key }: TestTenant, scopeId: string): Promise<ApiAnswer> {
  const { headers, ...rest } = jsonBody({ scope_id: scopeId, name: 'n', text: 'a text' })
  return api.call('/api/documents', { ...rest, headers: { ...headers, ...bearer(key) } })
}

/** Documents of 100,000 characters: forty of them fill one statement. */
function ingestBatch({ key, tenantId }: TestTenant, count: number): Promise<ApiAnswer> {
  const document = { scope_id: 'default', name: 'n', text: 'x'.repeat(100_000) }
  const { headers, ...rest } = jsonBody({ documents: Array.from({ length: count }, () => document) })
  return api.call('/api/ingest/batch', {
    ...rest,
    headers: { ...headers, ...bearer(key), 'x-tenant-id': tenantId },
  })
}

const countDocuments = async ({ tenantId }: TestTenant) => {
  const [row] = await look<{ count: number }>(
    database(),
    `select count(*)::int as count from documents where tenant_id = '${tenantId}'`,
  )
  return row?.count
}

/** While the heads of all scopes of the loud tenant are held, whoever changes one of them waits. */
const whileItsHeadsAreHeld = (work: () => Promise<void>) =>
  asRole(database(), 'superuser', async (client) => {
    await client.query('begin')
    await client.query('select from scope_heads where tenant_id = $1 for update', [loud.tenantId])
    try {
      await work()
    } finally {
      await client.query('rollback')
    }
  })

const countLockWaiters = async () => {
  const [row] = await look<{ count: number }>(
    database(),
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row?.count ?? 0
}

async function expectOthersServed(): Promise<void> {
  expect((await attach(quiet, 'default')).status).toBe(201)
  const listed = await api.call('/api/scopes/default/documents', { headers: bearer(quiet.key) })
  expect(listed.status).toBe(200)
  for (const op of ['pause', 'resume']) {
    const moved = await api.call(`/admin/runtime/${op}`, { method: 'POST', headers: bearer(people.admin) })
    expect([op, moved.status]).toEqual([op, 200])
  }
  expect((await api.call('/readyz')).status).toBe(200)
}

/** On a slow machine the deadline of the held ones may pass meanwhile. */
async function expectServedOrRefused(sent: readonly Promise<ApiAnswer>[]): Promise<void> {
  for (const { status } of await Promise.all(sent)) expect([201, 503]).toContain(status)
}

describe('a tenant whose scopes are held', () => {
  it('has one connection that waits for one scope, and keeps nobody else waiting', async () => {
    const sent: Promise<ApiAnswer>[] = []
    await whileItsHeadsAreHeld(async () => {
      for (let count = 0; count < CONNECTIONS * 4; count += 1) sent.push(attach(loud, 'default'))
      await waitUntil(async () => (await countLockWaiters()) > 0, { what: 'a writer that waits' })
      await expectOthersServed()
      expect(await countLockWaiters()).toBeLessThanOrEqual(1)
    })
    await expectServedOrRefused(sent)
  })

  it('with writers of many scopes keeps nobody else waiting either', async () => {
    const sent: Promise<ApiAnswer>[] = []
    await whileItsHeadsAreHeld(async () => {
      for (const scopeId of ['default', 'a', 'b', 'c', 'd']) sent.push(attach(loud, scopeId))
      await waitUntil(async () => (await countLockWaiters()) > 1, { what: 'writers that wait' })
      await expectOthersServed()
      expect(await countLockWaiters()).toBeLessThan(CONNECTIONS)
    })
    await expectServedOrRefused(sent)
  })
})

describe('writers of one scope', () => {
  it('are not refused before the deadline of a request, however few connections there are', async () => {
    const sent: Promise<ApiAnswer>[] = []
    await whileItsHeadsAreHeld(async () => {
      for (let count = 0; count < CONNECTIONS * 2; count += 1) sent.push(attach(loud, 'default'))
      // Longer than a pool lets anybody wait for a connection.
      await new Promise((resolve) => setTimeout(resolve, 3_200))
    })
    for (const { status } of await Promise.all(sent)) expect(status).toBe(201)
  })

  it('are refused with the time to wait when their turn does not come', async () => {
    const sent: Promise<ApiAnswer>[] = []
    await whileItsHeadsAreHeld(async () => {
      for (let count = 0; count < 3; count += 1) sent.push(attach(loud, 'default'))
      for (const { status, headers, body } of await Promise.all(sent)) {
        expect([status, body['code']]).toEqual([503, 'unavailable'])
        expect(headers.get('retry-after')).toBe('2')
      }
    })
    expect((await attach(loud, 'default')).status).toBe(201)
  })
})

describe('documents of requests that were answered 503', () => {
  it('are no longer on the list, and are not written afterwards', async () => {
    await whileItsHeadsAreHeld(async () => {
      const first = ingestBatch(loud, 1)
      await waitUntil(async () => (await countLockWaiters()) > 0, { what: 'a statement that waits' })
      // One more statement is begun before their time is over; the rest of them waits for the third.
      const refused = await Promise.all([first, ingestBatch(loud, 40), ingestBatch(loud, 40)])
      for (const { status, body } of refused)
        expect([status, body['accepted'] ?? 0]).toEqual([expect.any(Number), 0])
    })
    expect((await ingestBatch(loud, 1)).body['accepted']).toBe(1)
    // With the one that was attached before.
    expect(await countDocuments(loud)).toBeLessThan(2 + 50)
  })
})
