/** Tests the retries: which requests, how often and when; and what is thrown in the end. */
import { describe, expect, it } from 'vitest'
import {
  ConcordProblem,
  ConnectionFailed,
  createClient,
  isProblem,
  TimedOut,
  UnexpectedAnswer,
} from '../src/index.ts'
import type { ClientOptions, Concord } from '../src/index.ts'
import { pauseBefore } from '../src/retrying.ts'
import { retryAfterMs } from '../src/requests.ts'
import { cut, json, problem, serve, silent } from './support/scripted-server.ts'

const keys = { tenantId: 'tenant', tenantKey: 'key', adminKey: 'admin', internalsKey: 'internals' }
const retry = { baseMs: 1, maxMs: 5 }

function clientOf(url: string, options: Partial<ClientOptions> = {}): Concord {
  return createClient({ baseUrl: url, ...keys, retry, ...options })
}

const accepted = json(202, { document_id: 'd1', seq: 2 })
const ingest = { scope_id: 'first-case', name: 'Note', text: 'A text.' }

describe('a call that may be repeated', () => {
  it.each([
    ['a connection that is cut off', cut],
    ['a proxy without a service', json(502, {}, { 'content-type': 'text/html' })],
    ['a proxy that waited too long', json(504, {}, { 'content-type': 'text/html' })],
    ['a service that cannot answer just now', problem(503, 'unavailable', { 'retry-after': '0' })],
    ['a limit', problem(429, 'rate_limited', { 'retry-after': '0' })],
  ])('is tried again after %s', async (_, failure) => {
    const server = await serve(failure, failure, accepted)
    expect(await clientOf(server.url).ingestDocument(ingest)).toMatchObject({ seq: 2 })
    expect(server.asked).toHaveLength(3)
  })

  it('is the same request each time, with one key made for it', async () => {
    const server = await serve(cut, cut, accepted)
    const concord = clientOf(server.url)
    await concord.ingestDocument(ingest)
    await concord.ingestDocument(ingest)
    const sent = server.asked.map(
      ({ body }) => (JSON.parse(body) as { idempotency_key: string }).idempotency_key,
    )
    expect(sent[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(sent.slice(0, 3)).size).toBe(1)
    expect(sent[3]).not.toBe(sent[0])
  })

  it('keeps the key of its caller, in the body or in a header', async () => {
    const server = await serve(accepted)
    const concord = clientOf(server.url)
    await concord.ingestDocument({ ...ingest, idempotency_key: 'mine' })
    await concord.ingestDocument(ingest, { headers: { 'Idempotency-Key': 'mine' } })
    expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({ idempotency_key: 'mine' })
    expect(JSON.parse(server.asked[1]?.body ?? '')).not.toHaveProperty('idempotency_key')
    expect(server.asked[1]?.headers['idempotency-key']).toBe('mine')
  })

  it('gives each document of a batch a key, and one that is registered an id', async () => {
    const server = await serve(json(200, { results: [] }), json(201, {}))
    const concord = clientOf(server.url)
    await concord.ingestBatch({ documents: [ingest, { ...ingest, idempotency_key: 'mine' }] })
    await concord.registerDocument({ scope_id: 'first-case', name: 'Note' })
    const { documents } = JSON.parse(server.asked[0]?.body ?? '') as {
      documents: { idempotency_key: string }[]
    }
    expect(documents[0]?.idempotency_key).toMatch(/^[0-9a-f-]{36}$/)
    expect(documents[1]?.idempotency_key).toBe('mine')
    expect(JSON.parse(server.asked[1]?.body ?? '')).toHaveProperty('document_id')
  })

  it.each<[string, number, (concord: Concord) => Promise<unknown>]>([
    ['creates a scope', 201, (concord) => concord.createOwnScope({ scope_id: 'first-case' })],
    [
      'resolves a contradiction',
      200,
      (concord) =>
        concord.resolveContradiction({
          scopeId: 'first-case',
          contradictionId: '439a9366-d6ba-2b4a-119e-9d3d4283523e',
          outcome: 'resolved',
          holds: 'a',
          reason: 'Audited.',
        }),
    ],
    [
      'lets a document be read again',
      202,
      (concord) => concord.retryDocument({ scopeId: 'first-case', documentId: 'd1' }),
    ],
  ])('that %s is tried again under one Idempotency-Key', async (_, status, call) => {
    const server = await serve(cut, cut, json(status, {}), json(status, {}))
    const concord = clientOf(server.url)
    await call(concord)
    await call(concord)
    const sent = server.asked.map(({ headers }) => headers['idempotency-key'])
    expect(sent[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(sent.slice(0, 3)).size).toBe(1)
    expect(sent[3]).not.toBe(sent[0])
  })

  it('is given up after as many attempts as allowed, with what the last one met', async () => {
    const server = await serve(cut)
    const call = clientOf(server.url).getLiveness({}, { attempts: 3 })
    await expect(call).rejects.toBeInstanceOf(ConnectionFailed)
    expect(server.asked).toHaveLength(3)
  })

  it('does not wait longer than its time for what the service asks it to wait', async () => {
    const server = await serve(problem(503, 'unavailable', { 'retry-after': '30' }))
    const began = performance.now()
    const call = clientOf(server.url, { timeoutMs: 1_000 }).getLiveness()
    await expect(call).rejects.toMatchObject({ code: 'unavailable', retryAfterMs: 30_000 })
    expect(performance.now() - began).toBeLessThan(900)
  })

  it.each([
    ['the service', problem(429, 'rate_limited', { 'retry-after': '1' })],
    ['a gateway', json(503, {}, { 'content-type': 'text/html', 'retry-after': '1' })],
  ])('waits as long as Retry-After of %s says', async (_, busy) => {
    const server = await serve(busy, json(200, { status: 'ok' }))
    const began = performance.now()
    await clientOf(server.url).getLiveness()
    expect(performance.now() - began).toBeGreaterThan(990)
  })
})

describe('a file', () => {
  it('has more time to arrive and to be read than one attempt of other calls', async () => {
    const server = await serve((response, asked) => void setTimeout(() => accepted(response, asked), 300))
    const concord = clientOf(server.url, { attemptTimeoutMs: 50, timeoutMs: 150 })
    const file = new TextEncoder().encode('A text.')
    expect(await concord.ingestFile({ scopeId: 'first-case', name: 'a.txt', file })).toMatchObject({ seq: 2 })
    expect(server.asked).toHaveLength(1)
  })
})

describe('a call that must not be repeated', () => {
  it.each([
    ['a connection that is cut off', cut, ConnectionFailed],
    ['a proxy that gave up', json(502, {}, { 'content-type': 'text/html' }), UnexpectedAnswer],
    ['a service that may have done it', problem(503, 'unavailable'), ConcordProblem],
  ])('is not, after %s', async (_, failure, error) => {
    const server = await serve(failure)
    await expect(clientOf(server.url).createTenant({ name: 'Acme' })).rejects.toBeInstanceOf(error)
    expect(server.asked).toHaveLength(1)
  })

  it.each([problem(429, 'rate_limited'), problem(503, 'overloaded')])(
    'is repeated where it was refused unread',
    async (refusal) => {
      const server = await serve(refusal, json(201, { tenant_id: 't' }))
      expect(await clientOf(server.url).createTenant({ name: 'Acme' })).toEqual({ tenant_id: 't' })
    },
  )
})

describe('an answer', () => {
  it('that is a problem is thrown with all it says, at once', async () => {
    const server = await serve(problem(404, 'scope_not_found'))
    const error: unknown = await clientOf(server.url)
      .getOwnScope({ scopeId: 'none' })
      .catch((each: unknown) => each)
    expect(isProblem(error, 'scope_not_found')).toBe(true)
    expect(isProblem(error, 'rate_limited', 'tenant_mismatch')).toBe(false)
    expect(isProblem(error)).toBe(true)
    expect(error).toMatchObject({ status: 404, requestId: 'r1', detail: 'Do this.', errors: [] })
    expect(server.asked).toHaveLength(1)
  })

  it('503 of a health route is its answer, unless it is a problem', async () => {
    const server = await serve(
      json(503, { status: 'down' }),
      problem(503, 'unavailable', { 'retry-after': '0' }),
      json(200, { status: 'ok' }),
    )
    const concord = clientOf(server.url)
    expect(await concord.getReadiness()).toEqual({ status: 'down' })
    expect(await concord.getReadiness()).toEqual({ status: 'ok' })
  })

  it('that leads elsewhere is not followed, so that no key goes there', async () => {
    const server = await serve(json(307, {}, { location: '/elsewhere' }))
    const call = clientOf(server.url).getLiveness()
    await expect(call).rejects.toBeInstanceOf(UnexpectedAnswer)
    await expect(call).rejects.toThrow('it points to /elsewhere')
    expect(server.asked).toHaveLength(1)
  })

  it('that is the problem of a gateway is none of the service', async () => {
    const server = await serve(
      json(403, { title: 'Blocked', detail: 'By rule 7.' }, { 'content-type': 'application/problem+json' }),
    )
    const call = clientOf(server.url).listOwnScopes()
    await expect(call).rejects.toBeInstanceOf(UnexpectedAnswer)
    await expect(call).rejects.toThrow('By rule 7.')
  })

  it('200 that is a page and no JSON is one of something else, and not asked for again', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>Sign in</html>')
    })
    const call = clientOf(server.url).listOwnScopes()
    await expect(call).rejects.toBeInstanceOf(UnexpectedAnswer)
    await expect(call).rejects.toThrow('Sign in')
    expect(server.asked).toHaveLength(1)
  })

  it('that never comes is given up in time', async () => {
    const server = await serve(silent)
    const concord = clientOf(server.url, { attemptTimeoutMs: 50, timeoutMs: 300 })
    await expect(concord.getLiveness()).rejects.toBeInstanceOf(TimedOut)
    expect(server.asked.length).toBeGreaterThan(1)
  })

  it('is not waited for once the caller has gone', async () => {
    const server = await serve(silent)
    const leaving = new AbortController()
    const call = clientOf(server.url).getLiveness({}, { signal: leaving.signal })
    leaving.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})

describe('pauses', () => {
  it('grow, never beyond their bound, and begin where the service says', () => {
    const policy = { attempts: 9, baseMs: 100, maxMs: 1_000 }
    const draw = (tried: number, error?: unknown) =>
      Array.from({ length: 500 }, () => pauseBefore(tried, policy, error))
    expect(Math.max(...draw(1))).toBeLessThanOrEqual(100)
    expect(Math.max(...draw(3))).toBeGreaterThan(300)
    expect(Math.max(...draw(9))).toBeLessThanOrEqual(1_000)
    expect(Math.min(...draw(9))).toBeLessThan(100)
  })

  it('are read from Retry-After as seconds and as a date', () => {
    expect(retryAfterMs('2')).toBe(2_000)
    expect(retryAfterMs('Mon, 16 Nov 2026 12:00:05 GMT', Date.parse('2026-11-16T12:00:00Z'))).toBe(5_000)
    expect(retryAfterMs('soon')).toBeUndefined()
    expect(retryAfterMs(null)).toBeUndefined()
  })
})
