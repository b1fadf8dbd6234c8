import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { useDatabase } from '../support/database.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const pools = usePools(database)

const LONG = 'The rent is GBP 185,000 a year. '.repeat(200)
const body = { text: LONG }
const long = () => ({ status: 200, body })
const answers = { 200: z.object({ text: z.string() }) }
const routes = [
  madeUpRoute({ path: '/long', answers, conditional: true }, 'none', long),
  madeUpRoute({ path: '/secret', answers, noStore: true }, 'none', long),
  madeUpRoute({ path: '/short', answers }, 'none', () => ({ status: 200, body: { text: 'short' } })),
]
const service = useServer(pools, routes)

const get = (url: string, accepted?: string, headers: Record<string, string> = {}) =>
  service().server.inject({
    url,
    headers: { ...(accepted !== undefined && { 'accept-encoding': accepted }), ...headers },
  })

describe('a long answer', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip, deflate', gunzipSync],
    ['gzip', 'br;q=0, gzip;q=0.5', gunzipSync],
    ['br', '*', brotliDecompressSync],
  ])('is sent as %s to a caller that accepts %s', async (encoding, accepted, decompress) => {
    const reply = await get('/long', accepted)
    expect(reply.headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(reply.rawPayload.length),
      vary: 'Accept-Encoding',
    })
    expect(reply.rawPayload.length).toBeLessThan(LONG.length / 10)
    expect(JSON.parse(decompress(reply.rawPayload).toString())).toEqual(body)
  })

  it.each([undefined, '', 'identity', 'deflate', 'gzip;q=0, br;q=0.000', '*;q=0'])(
    'is sent as it is where %j is accepted, and caches are told that it varies',
    async (accepted) => {
      const reply = await get('/long', accepted)
      expect(reply.headers).not.toHaveProperty('content-encoding')
      expect(reply.headers['vary']).toBe('Accept-Encoding')
      expect(reply.json()).toEqual(body)
    },
  )

  it('has a weak tag, by which the caller is spared it the next time', async () => {
    const first = await get('/long', 'gzip')
    const tag = String(first.headers['etag'])
    expect(tag).toMatch(/^W\/"/)
    const again = await get('/long', 'gzip', { 'if-none-match': tag })
    expect(again.statusCode).toBe(304)
    expect(again.payload).toBe('')
    expect(again.headers).toMatchObject({ etag: tag.slice(2), vary: first.headers['vary'] })
  })

  it('is not sent if the caller has any version of it', async () => {
    const reply = await get('/long', 'gzip', { 'if-none-match': '*' })
    expect([reply.statusCode, reply.payload]).toEqual([304, ''])
  })

  it('that no cache may keep is never compressed: it can hold a key', async () => {
    const reply = await get('/secret', 'gzip, br')
    expect(reply.headers).not.toHaveProperty('content-encoding')
    expect(reply.headers).not.toHaveProperty('vary')
    expect(reply.json()).toEqual(body)
  })

  it('has the same headers when only they are asked for', async () => {
    const whole = await get('/long', 'gzip')
    const head = await service().server.inject({
      method: 'HEAD',
      url: '/long',
      headers: { 'accept-encoding': 'gzip' },
    })
    expect({ ...head.headers, 'x-request-id': '', date: '' }).toEqual({
      ...whole.headers,
      'x-request-id': '',
      date: '',
    })
  })
})

describe('a short answer', () => {
  it('is sent as it is', async () => {
    const reply = await get('/short', 'gzip, br')
    expect(reply.headers).not.toHaveProperty('content-encoding')
    expect(reply.json()).toEqual({ text: 'short' })
  })
})
