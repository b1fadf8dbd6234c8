/** The limits of a tenant as its clients meet them, over HTTP, each on an API of its own with that limit low. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { bearer, jsonBody, startTestApi } from '../support/api.ts'
import type { ApiAnswer, TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { withAnotherSecret } from '../support/forged-key.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { makePeople } from '../support/server.ts'
import type { People } from '../support/server.ts'
import { asRole } from '../support/sessions.ts'
import { openConnection } from '../support/sockets.ts'
import { openStream } from '../support/streams.ts'
import type { StreamClient } from '../support/streams.ts'

const database = useDatabase()
const pools = usePools(database)
let people: People
let tenant: TestTenant
let other: TestTenant

beforeAll(async () => {
  people = await makePeople(pools())
})
beforeEach(async () => {
  await look(database(), 'delete from work')
  ;[tenant, other] = [await makeTenant(pools()), await makeTenant(pools())]
  for (const each of [tenant, other]) await makeScope(pools(), each, 'default')
})

function useApi(extra: Record<string, string>): () => TestApi {
  let api: TestApi | undefined
  beforeAll(async () => {
    api = await startTestApi(database(), { DRAIN_NOTICE_SECONDS: '0', SHED_LATE_MS: '0', ...extra })
  })
  afterAll(() => api?.stop())
  return () => {
    if (!api) throw new Error('The API exists only inside tests')
    return api
  }
}

const outcome = ({ status, body }: ApiAnswer) => (status < 400 ? status : `${status} ${String(body['code'])}`)

const list = (api: TestApi, { key } = tenant) => api.call('/api/scopes', { headers: bearer(key) })

function ingest(api: TestApi, { key, tenantId } = tenant, text = 'a text'): Promise<ApiAnswer> {
  const { headers, ...rest } = jsonBody({ scope_id: 'default', name: 'n', text })
  return api.call('/api/ingest', {
    ...rest,
    headers: { ...headers, ...bearer(key), 'x-tenant-id': tenantId },
  })
}

/** A number of times that no machine is too slow for. */
async function untilRefused(call: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  for (let time = 0; time < 200; time += 1) {
    const answer = await call()
    // A machine that is busy with other tests sheds load for a moment; that says nothing about the limit.
    if (answer.status >= 400 && outcome(answer) !== '503 overloaded') return answer
  }
  throw new Error('200 requests were let in')
}

/** Requests of everybody else are served while the tenant is refused. */
async function expectOthersServed(api: TestApi): Promise<void> {
  const beside = { ...bearer(people.admin), 'x-tenant-api-key': tenant.key }
  const calls = {
    'another tenant': api.call('/api/scopes', { headers: bearer(other.key) }),
    'an administrator beside the key of the tenant': api.call('/admin/scopes', { headers: beside }),
    'an operator': api.call('/internals/health', { headers: bearer(people.internals) }),
    'a stranger': api.call('/livez'),
  }
  for (const [who, call] of Object.entries(calls)) expect([who, (await call).status]).toEqual([who, 200])
  const gone = await api.call('/api/scopes/default/documents/none', {
    method: 'DELETE',
    headers: bearer(tenant.key),
  })
  expect(outcome(gone)).toBe('404 document_not_found')
}

describe('requests a second', () => {
  const api = useApi({ RATE_REQUESTS_PER_SECOND: '1', RATE_BURST_SECONDS: '10', LIMIT_REQUESTS_AT_ONCE: '7' })

  it('are in the headers of every response: the policy and the remaining quota', async () => {
    const first = await list(api())
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"requests";q=10;w=10, "concurrent-requests";q=7;qu="concurrent-requests"',
    )
    expect(first.headers.get('ratelimit')).toBe('"requests";r=9;t=1')
    const missing = await api().call('/api/scopes/none', { headers: bearer(tenant.key) })
    expect([missing.status, missing.headers.get('ratelimit')]).toEqual([404, '"requests";r=8;t=2'])
    expect((await ingest(api())).headers.get('ratelimit-policy')).toContain(
      '"content-bytes";q=2684354560;qu="content-bytes";w=10',
    )
  })

  it('are refused beyond the burst, with the time to wait, and other tenants are not', async () => {
    const refused = await untilRefused(() => list(api()))
    expect(outcome(refused)).toBe('429 rate_limited')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toBe('"requests";r=0;t=1')
    expect(refused.headers.get('ratelimit-policy')).toContain('"requests";q=10;w=10')
    await expectOthersServed(api())
  })

  it('are accepted again after that time', async () => {
    expect((await untilRefused(() => list(api()))).status).toBe(429)
    await waitUntil(async () => (await list(api())).status === 200, { what: 'being let in', withinMs: 5_000 })
  })
})

describe('refusals', () => {
  const api = useApi({ RATE_REQUESTS_PER_SECOND: '1', RATE_BURST_SECONDS: '1' })

  it('are answered ever later to a tenant that ignores them, and other tenants do not wait', async () => {
    const started = performance.now()
    const timed = async () => {
      const answer = await list(api())
      return { status: answer.status, ms: performance.now() - started }
    }
    const flood = Array.from({ length: 80 }, timed)
    await expectOthersServed(api())
    const othersServedMs = performance.now() - started
    const answers = await Promise.all(flood)
    const refused = answers.filter(({ status }) => status === 429).map(({ ms }) => ms)
    expect(refused.length).toBeGreaterThanOrEqual(75)
    // 30 are answered at once, the others 10 a second.
    expect(Math.max(...refused)).toBeGreaterThan(2_000)
    expect(othersServedMs).toBeLessThan(Math.max(...refused))
  })
})

describe('bytes a second', () => {
  const api = useApi({ RATE_BYTES_PER_SECOND: '1000', RATE_BURST_SECONDS: '1' })
  const large = 'x'.repeat(20_000)

  it('are refused once a body has used them up, until they are refilled', async () => {
    expect(outcome(await ingest(api(), tenant, large))).toBe(202)
    const refused = await ingest(api(), tenant, 'small')
    expect(outcome(refused)).toBe('429 byte_rate_exceeded')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(10)
    expect(refused.headers.get('ratelimit')).toMatch(/^"content-bytes";r=0;t=\d+$/)
    expect(outcome(await list(api()))).toBe(200)
    expect(outcome(await ingest(api(), other))).toBe(202)
    await expectOthersServed(api())
  })

  it('of a chunked body are counted when they have arrived', async () => {
    const sendInPieces = (text: string) =>
      api().call('/api/ingest', {
        method: 'POST',
        headers: {
          ...bearer(tenant.key),
          'x-tenant-id': tenant.tenantId,
          'content-type': 'application/json',
        },
        body: ReadableStream.from([
          new TextEncoder().encode(`{"scope_id":"default","name":"n","text":"`),
          new TextEncoder().encode(`${text}"}`),
        ]),
        duplex: 'half',
      })
    expect(outcome(await sendInPieces(large))).toBe(202)
    expect(outcome(await ingest(api()))).toBe('429 byte_rate_exceeded')
  })
})

describe('concurrent requests', () => {
  const api = useApi({ LIMIT_REQUESTS_AT_ONCE: '2' })

  /** While the table is locked, whoever reads it stays. */
  const whileScopesAreLocked = (work: () => Promise<void>) =>
    asRole(database(), 'superuser', async (client) => {
      await client.query('begin; lock table scopes in access exclusive mode')
      try {
        await work()
      } finally {
        await client.query('rollback')
      }
    })

  it('are refused beyond the limit, and accepted when one is answered', async () => {
    let waiting: Promise<ApiAnswer>[] = []
    await whileScopesAreLocked(async () => {
      const refused = await waitUntil(
        async () => {
          const call = list(api())
          const early = await Promise.race([
            call,
            new Promise<undefined>((go) => setTimeout(go, 200, undefined)),
          ])
          if (early === undefined) waiting.push(call)
          return early
        },
        { what: 'a refusal', everyMs: 0 },
      )
      expect(waiting).toHaveLength(2)
      expect(outcome(refused)).toBe('429 too_many_requests_at_once')
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(refused.headers.get('ratelimit')).toBe('"concurrent-requests";r=0;t=1')
      expect((await api().call('/livez')).status).toBe(200)
      const removal = api().call('/api/scopes/default/documents/none', {
        method: 'DELETE',
        headers: bearer(tenant.key),
      })
      waiting.push(removal)
    })
    expect((await Promise.all(waiting)).map(outcome)).toEqual([200, 200, '404 document_not_found'])
    waiting = []
    expect(outcome(await list(api()))).toBe(200)
  })

  it('are released when the client disconnects in mid-body, or when the request is refused', async () => {
    for (let time = 0; time < 6; time += 1) {
      const connection = await openConnection(api().address)
      connection.send(
        `POST /api/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n` +
          `X-Tenant-ID: ${tenant.tenantId}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
      )
      // Half of them at once, perhaps before the key is known; half of them when the body is waited for.
      if (time % 2 === 0) await list(api(), other)
      connection.socket.destroy()
    }
    await waitUntil(async () => (await ingest(api())).status === 202, { what: 'a place', withinMs: 5_000 })
    for (let time = 0; time < 6; time += 1) {
      const { headers, ...rest } = jsonBody({ none: time })
      const malformed = {
        ...rest,
        headers: { ...headers, ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId },
      }
      expect(outcome(await api().call('/api/ingest', malformed))).toBe('422 validation_failed')
      const text = { ...malformed, headers: { ...malformed.headers, 'content-type': 'text/plain' } }
      expect(outcome(await api().call('/api/ingest', text))).toBe('415 unsupported_media_type')
    }
    expect((await Promise.all([list(api()), list(api())])).map(outcome)).toEqual([200, 200])
  })
})

describe('event streams', () => {
  const api = useApi({ LIMIT_STREAMS: '2', LIMIT_REQUESTS_AT_ONCE: '2' })
  const open: StreamClient[] = []
  const follow = async (path: string, headers: Record<string, string>) => {
    const client = await openStream(api().address + path, headers)
    open.push(client)
    return client
  }
  const own = ({ key } = tenant) => follow('/api/scopes/default/events', bearer(key))

  afterAll(async () => {
    for (const client of open) await client.close()
  })

  it('are refused beyond the limit, do not count as requests, and can be replaced', async () => {
    const [first, second] = [await own(), await own()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.headers.get('ratelimit-policy')).toContain('"streams";q=2;qu="concurrent-requests"')
    const third = await own()
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5'])
    await waitUntil(() => third.hasEnded(), { what: 'the end of a refusal' })
    expect(JSON.parse(third.text())).toMatchObject({ code: 'too_many_streams' })
    expect(outcome(await list(api()))).toBe(200)
    expect((await own(other)).status).toBe(200)
    const beside = { ...bearer(people.admin), 'x-tenant-api-key': tenant.key }
    expect((await follow('/admin/scopes/default/events', beside)).status).toBe(200)
    await first.close()
    await waitUntil(async () => (await own()).status === 200, { what: 'another stream', withinMs: 5_000 })
  })
})

describe('documents in the queue', () => {
  const api = useApi({ LIMIT_QUEUED_DOCUMENTS: '3', SERVICE_QUEUED_DOCUMENTS: '5' })

  it('are refused beyond the quota of the tenant by every route that queues, and reads still work', async () => {
    expect([await ingest(api()), await ingest(api()), await ingest(api())].map(outcome)).toEqual([
      202, 202, 202,
    ])
    const refused = await ingest(api())
    expect(outcome(refused)).toBe('429 queue_quota_exceeded')
    expect(refused.headers.get('retry-after')).toBe('2')
    const { headers, ...rest } = jsonBody({ documents: [{ scope_id: 'default', name: 'n', text: 'x' }] })
    const batch = await api().call('/api/ingest/batch', {
      ...rest,
      headers: { ...headers, ...bearer(tenant.key) },
    })
    expect(outcome(batch)).toBe('429 queue_quota_exceeded')
    const retry = { method: 'POST', headers: bearer(tenant.key) }
    const again = await api().call('/api/scopes/default/documents/none/retry', retry)
    expect(outcome(again)).toBe('429 queue_quota_exceeded')
    expect(outcome(await ingest(api(), other))).toBe(202)
    await expectOthersServed(api())
  })

  it('are accepted again once the queue is processed', async () => {
    // The service remembers for a moment what it accepted in the test before, and may call itself full.
    const isFull = async () => outcome(await ingest(api())) === '429 queue_quota_exceeded'
    expect(await waitUntil(isFull, { what: 'the quota of the tenant', withinMs: 5_000 })).toBe(true)
    await look(database(), 'delete from work')
    await waitUntil(async () => (await ingest(api())).status === 202, { what: 'room', withinMs: 5_000 })
  })

  it('of all tenants reach the limit of the service: 503, and an administrator may still trigger', async () => {
    await waitUntil(async () => (await ingest(api())).status === 202, { what: 'room', withinMs: 5_000 })
    const third = await makeTenant(pools())
    await makeScope(pools(), third, 'default')
    const everybody = [tenant, other, third]
    let turn = 0
    const refused = await untilRefused(() => ingest(api(), everybody[(turn += 1) % 3]))
    expect(outcome(refused)).toBe('503 queue_full')
    expect(refused.headers.get('retry-after')).toBe('2')
    const trigger = await api().call('/admin/scopes/default/ingest', {
      method: 'POST',
      headers: { ...bearer(people.admin), 'x-tenant-api-key': tenant.key },
    })
    expect(outcome(trigger)).toBe(200)
  })
})

describe('a limit of 0', () => {
  const api = useApi({
    RATE_REQUESTS_PER_SECOND: '0',
    RATE_BYTES_PER_SECOND: '0',
    LIMIT_REQUESTS_AT_ONCE: '0',
    LIMIT_STREAMS: '0',
    LIMIT_QUEUED_DOCUMENTS: '0',
    SERVICE_QUEUED_DOCUMENTS: '0',
    AUTH_FAILURES_PER_SECOND: '0',
    SHED_LATE_MS: '0',
  })

  it('is no limit, and no header states one', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ingest(api())))
    expect(new Set(answers.map(outcome))).toEqual(new Set([202]))
    expect(answers[0]?.headers.has('ratelimit')).toBe(false)
    expect(answers[0]?.headers.has('ratelimit-policy')).toBe(false)
  })
})

describe('failed authentication', () => {
  const api = useApi({ AUTH_FAILURES_PER_SECOND: '1', AUTH_FAILURES_BURST: '5' })
  const ask = async (key: string, path = '/api/scopes') => api().call(path, { headers: bearer(key) })

  it('is limited after many failures, while a valid key from the same address still works', async () => {
    const wrong = withAnotherSecret(tenant.key)
    const refused = await waitUntil(
      async () => {
        const answer = await ask(wrong)
        expect(outcome(await ask(tenant.key))).toBe(200)
        return answer.status === 429 && answer
      },
      { what: 'being told to wait', everyMs: 0 },
    )
    expect(outcome(refused)).toBe('429 rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const key of ['nonsense', people.admin.slice(0, -1)])
      expect(outcome(await ask(key, '/admin/tenants'))).toBe('429 rate_limited')
    expect(outcome(await ask(people.admin, '/admin/tenants'))).toBe(200)
    expect(outcome(await ask(people.tenant.key))).toBe(200)
    expect(outcome(await api().call('/api/scopes'))).toBe('401 credential_missing')
  })
})
