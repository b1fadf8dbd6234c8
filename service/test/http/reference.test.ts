import { fastify } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { rememberSuccess, serveReferenceScript } from '../../src/http/reference.ts'

describe('what is loaded once', () => {
  it('is loaded by the first who asks, for all', async () => {
    let times = 0
    const load = rememberSuccess(async () => (times += 1))
    expect(await Promise.all([load(), load(), load()])).toEqual([1, 1, 1])
    expect(await load()).toBe(1)
  })

  it('is loaded again by the next who asks when it failed', async () => {
    let times = 0
    const load = rememberSuccess(async () => {
      times += 1
      if (times === 1) throw new Error('the disk is away')
      return times
    })
    const together = await Promise.allSettled([load(), load()])
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(times).toBe(1)
    expect(await load()).toBe(2)
  })
})

describe('the script of the reference', () => {
  const server = fastify()
  serveReferenceScript(server)
  afterAll(() => server.close())
  const get = (headers: Record<string, string> = {}) =>
    server.inject({ url: '/docs/assets/scalar.js', headers })

  it('is sent to all clients from the same bytes, so that one that does not read it keeps no copy', async () => {
    const others = fastify()
    const sent: unknown[] = []
    others.addHook('onSend', async (_request, _reply, payload) => {
      sent.push(payload)
    })
    serveReferenceScript(others)
    for (const encoding of ['identity', 'identity', 'gzip', 'gzip'])
      await others.inject({ url: '/docs/assets/scalar.js', headers: { 'accept-encoding': encoding } })
    expect(sent.map((payload) => Buffer.isBuffer(payload))).toEqual([true, true, true, true])
    expect(sent[1]).toBe(sent[0])
    expect(sent[3]).toBe(sent[2])
    await others.close()
  }, 60_000)

  it('is sent compressed to who takes it, and not at all to who has it', async () => {
    const plain = await get()
    expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=3600', vary: 'Accept-Encoding' })
    const compressed = await get({ 'accept-encoding': 'gzip' })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    const known = await get({ 'if-none-match': String(plain.headers['etag']) })
    expect([known.statusCode, known.payload]).toEqual([304, ''])
  }, 60_000)
})
