import { beforeEach, describe, expect, it } from 'vitest'
import { defaultBodyLimit } from '@concord/contract'
import { z } from 'zod'
import type { RouteAnswer } from '../../src/http/route.ts'
import { useDatabase } from '../support/database.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { codeOf } from '../support/problem.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const pools = usePools(database)

const CANARY = 'canary-that-must-not-leave'
let answer: () => RouteAnswer | Promise<RouteAnswer>

const named = z.object({ name: z.string() })
const routes = [
  madeUpRoute(
    { path: '/thing', answers: { 200: named, 201: z.strictObject({ name: z.string() }) } },
    'none',
    () => answer(),
  ),
  madeUpRoute({ path: '/page', answers: { 200: 'html' } }, 'none', () => answer()),
  madeUpRoute({ path: '/secret', noStore: true }, 'none', () => answer()),
  madeUpRoute({ path: '/body', method: 'POST', body: z.strictObject({ text: z.string() }) }, 'none', () =>
    answer(),
  ),
  madeUpRoute(
    { path: '/large', method: 'POST', body: z.strictObject({ text: z.string() }), bodyLimit: 100_000 },
    'none',
    () => answer(),
  ),
  madeUpRoute(
    { path: '/batch', method: 'POST', body: z.strictObject({ text: z.string() }), bodyLimit: 10_000_000 },
    'none',
    () => answer(),
  ),
  madeUpRoute({ path: '/bare', method: 'POST' }, 'none', () => answer()),
  madeUpRoute({ path: '/echo/{id}', params: z.strictObject({ id: z.string() }) }, 'none', ({ params }) => ({
    status: 200,
    body: { params },
  })),
]

const service = useServer(pools, routes)

beforeEach(() => {
  answer = () => ({ status: 200, body: {} })
})

const get = (url: string, headers: Record<string, string> = {}) => service().server.inject({ url, headers })

const post = (url: string, payload: string | Buffer, type = 'application/json') =>
  service().server.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })

describe('a response', () => {
  it('is sent as JSON with its status and headers', async () => {
    answer = () => ({ status: 201, body: { name: 'x' }, headers: { location: '/thing/x' } })
    const reply = await get('/thing')
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toEqual({ name: 'x' })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      location: '/thing/x',
      'x-content-type-options': 'nosniff',
    })
  })

  it('has only the fields of its schema', async () => {
    answer = () => ({ status: 200, body: { name: 'x', digest: CANARY, nested: { CANARY } } })
    const reply = await get('/thing')
    expect(reply.json()).toEqual({ name: 'x' })
  })

  it.each([
    ['a value of the wrong type', { status: 200, body: { name: { CANARY } } }],
    ['a property too many for a closed schema', { status: 201, body: { name: 'x', digest: CANARY } }],
    ['a status that the contract does not have', { status: 204, body: CANARY }],
    ['no body', { status: 200, body: undefined }],
  ])('that breaks its schema by %s becomes a 500 that says nothing of it', async (_, broken) => {
    answer = () => broken
    const reply = await get('/thing')
    expect(codeOf(reply)).toBe('internal_error')
    expect(reply.payload).not.toContain(CANARY)
  })

  it('is sent without its headers if it breaks its schema', async () => {
    answer = () => ({ status: 200, body: { name: 1 }, headers: { location: CANARY, etag: CANARY } })
    const reply = await get('/thing')
    expect(codeOf(reply)).toBe('internal_error')
    expect(JSON.stringify(reply.headers)).not.toContain(CANARY)
  })

  it('of a handler that fails is a 500 that says nothing of why, and the log says it', async () => {
    answer = () => {
      throw new Error(`relation ${CANARY} does not exist`)
    }
    const reply = await get('/thing', { 'x-request-id': 'find-me' })
    expect(codeOf(reply)).toBe('internal_error')
    expect(reply.payload).not.toContain(CANARY)
    const logged = service()
      .log.lines()
      .find((line) => line['request_id'] === 'find-me' && line['level'] === 'error')
    expect(JSON.stringify(logged)).toContain(CANARY)
  })

  it('that holds a secret is kept by no cache, and neither is its failure', async () => {
    expect((await get('/secret')).headers['cache-control']).toBe('no-store')
    answer = () => {
      throw new Error('no')
    }
    expect((await get('/secret')).headers['cache-control']).toBe('no-store')
  })

  it('may be a page for people', async () => {
    answer = () => ({ status: 200, body: '<!doctype html>' })
    const reply = await get('/page')
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.payload).toBe('<!doctype html>')
  })
})

describe('a request', () => {
  it('that accepts nothing we can give is refused before anything is done', async () => {
    let asked = false
    answer = () => ((asked = true), { status: 200, body: { name: 'x' } })
    expect(codeOf(await get('/thing', { accept: 'text/html' }))).toBe('not_acceptable')
    expect(codeOf(await get('/page', { accept: 'application/xml' }))).toBe('not_acceptable')
    expect(asked).toBe(false)
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    'application/jsonp',
    'multipart/form-data',
  ])('with a body of type %s is refused', async (type) => {
    expect(codeOf(await post('/body', '{"text":"x"}', type))).toBe('unsupported_media_type')
  })

  it.each(['application/x-www-form-urlencoded', 'text/plain'])(
    'without a byte of body is accepted where none is needed, although it has the type %s',
    async (type) => {
      expect((await post('/bare', '', type)).statusCode).toBe(200)
      expect(codeOf(await post('/body', '', type))).toBe('validation_failed')
    },
  )

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'])(
    'with a body of type %s is read',
    async (type) => {
      expect((await post('/body', '{"text":"x"}', type)).statusCode).toBe(200)
    },
  )

  it('is refused without repeating its body if that is not JSON', async () => {
    const reply = await post('/body', `{"text":"${CANARY}`)
    expect(codeOf(reply)).toBe('malformed_json')
    expect(reply.payload).not.toContain(CANARY)
    expect(service().log.text()).not.toContain(`${CANARY}"`)
  })

  it.each([
    ['{"text":"x","text":"y"}', 'a key occurs twice'],
    [`{"deep":${'['.repeat(20)}${']'.repeat(20)}}`, 'the body is nested too deeply, in more than 20 levels'],
    ['{"text":', 'the body is not JSON'],
    [
      '{"metadata":{"constructor":"x"}}',
      'a key is __proto__, constructor or prototype, which no body may have',
    ],
  ])('gets the reason if its body is malformed JSON: %s', async (body, reason) => {
    const reply = await post('/body', body)
    expect(reply.json<{ detail: string }>().detail).toContain(` The reason here: ${reason}.`)
  })

  it('with 700,000 unknown keys is refused with 400 and little processor time', async () => {
    const keys = Array.from({ length: 700_000 }, (_, index) => `"${index}":0`).join()
    const before = process.cpuUsage()
    const reply = await post('/batch', `{${keys}}`)
    const { user, system } = process.cpuUsage(before)
    expect(codeOf(reply)).toBe('malformed_json')
    expect(reply.json()).toMatchObject({ detail: expect.stringContaining('more than 10,000 keys') })
    expect((user + system) / 1_000).toBeLessThan(500)
  })

  it('gets the position of the fault if its body breaks the schema', async () => {
    const reply = await post('/body', '{"text":7}')
    expect(codeOf(reply)).toBe('validation_failed')
    expect(reply.json()).toMatchObject({ errors: [{ pointer: '#/text', code: 'wrong_type' }] })
  })

  it('may have a body up to the limit of its route, not one byte more', async () => {
    const body = (size: number) => `{"text":"${'x'.repeat(size - 11)}"}`
    expect((await post('/body', body(defaultBodyLimit))).statusCode).toBe(200)
    expect(codeOf(await post('/body', body(defaultBodyLimit + 1)))).toBe('payload_too_large')
    expect((await post('/large', body(100_000))).statusCode).toBe(200)
    expect(codeOf(await post('/large', body(100_001)))).toBe('payload_too_large')
  })

  it('passes its path parameters decoded, up to any length that the schema checks', async () => {
    expect((await get('/echo/a%2Fb%20%C3%A9')).json()).toEqual({ params: { id: 'a/b é' } })
    const long = 'x'.repeat(1_000)
    expect((await get(`/echo/${long}`)).json()).toEqual({ params: { id: long } })
  })
})
