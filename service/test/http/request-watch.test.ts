import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { operations } from '@concord/contract'
import type { Caller } from '../../src/domain/caller.ts'
import { watchRequests } from '../../src/http/request-watch.ts'
import { tenantStream } from '../../src/http/route.ts'
import type { TraceFacts, Tracing } from '../../src/platform/tracing.ts'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const caller: Caller = { tier: 'admin', actor: 'ck_a_0000000000' }
const routes = [tenantStream(operations.streamOwnScopeEvents, () => async () => undefined)]

let answered: { operation: string | undefined; status: number; ms: number | undefined }[]
let begun: { name: string; traceparent: string | undefined }[]
let ended: TraceFacts[]
let server: FastifyInstance

/** Follows everybody, and keeps what it is told. */
const tracing: Tracing = {
  begin(name, traceparent) {
    begun.push({ name, traceparent })
    return { traceparent: TRACEPARENT, step: () => undefined, end: (_, facts) => void ended.push(facts) }
  },
  join: () => undefined,
}

beforeEach(async () => {
  ;[answered, begun, ended] = [[], [], []]
  server = fastify()
  server.decorateRequest('caller', undefined)
  server.decorateRequest('operationName', undefined)
  watchRequests(
    server,
    { answered: (operation, status, ms) => void answered.push({ operation, status, ms }), tracing },
    routes,
  )
  // Authenticates like auth.ts does: sets caller and operation name before the handler.
  server.addHook('onRequest', async (request) => {
    request.operationName = request.url === '/stream' ? 'streamOwnScopeEvents' : 'listTenants'
    if (request.headers.authorization) request.caller = caller
  })
  server.get('/who', (request, reply) => reply.send({ trace: request.caller?.trace?.traceparent ?? null }))
  server.get('/stream', async () => 'frames')
  server.get('/broken', async () => {
    throw new Error('it broke')
  })
})
afterEach(() => server.close())

const ask = (url: string, headers: Readonly<Record<string, string>> = { authorization: 'x' }) =>
  server.inject({ url, headers })

describe('a watched request', () => {
  it('is reported once, with its operation, status and duration', async () => {
    await ask('/who')
    expect(answered).toEqual([{ operation: 'listTenants', status: 200, ms: expect.any(Number) }])
  })

  it('is reported also if it broke', async () => {
    await ask('/broken')
    expect(answered).toMatchObject([{ operation: 'listTenants', status: 500 }])
    expect(ended).toMatchObject([{ 'http.response.status_code': 500 }])
  })

  it('has no duration and no trace if it stays open', async () => {
    await ask('/stream')
    expect(answered).toEqual([{ operation: 'streamOwnScopeEvents', status: 200, ms: undefined }])
    expect(begun).toEqual([])
  })

  it('joins the trace of its caller, and the handler gets that trace', async () => {
    const { json } = await ask('/who', { authorization: 'x', traceparent: TRACEPARENT, 'x-request-id': 'r' })
    expect(json()).toEqual({ trace: TRACEPARENT })
    expect(begun).toEqual([{ name: 'listTenants', traceparent: TRACEPARENT }])
    expect(ended).toMatchObject([{ 'http.request.method': 'GET', 'http.response.status_code': 200 }])
    // It may be known to many requests at once, and belongs to none of them.
    expect(caller).toEqual({ tier: 'admin', actor: 'ck_a_0000000000' })
  })

  it('is not traced without a caller', async () => {
    await ask('/who', { traceparent: TRACEPARENT })
    expect(begun).toEqual([])
    expect(answered).toHaveLength(1)
  })
})
