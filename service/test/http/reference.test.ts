import { once } from 'node:events'
import { fastify } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { rememberSuccess, serveReferenceScript } from '../../src/http/reference.ts'
import { openConnection } from '../support/sockets.ts'

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

  it('is in memory once, however many clients do not read it', async () => {
    const others = fastify()
    serveReferenceScript(others)
    const address = await others.listen({ host: '127.0.0.1', port: 0 })
    const length = (await (await fetch(`${address}/docs/assets/scalar.js`)).arrayBuffer()).byteLength
    const before = process.memoryUsage().arrayBuffers
    const clients = await Promise.all(Array.from({ length: 20 }, () => openConnection(address)))
    for (const { socket, send } of clients) {
      socket.pause()
      send('GET /docs/assets/scalar.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n')
    }
    await Promise.all(clients.map(({ socket }) => once(socket, 'readable')))
    // A copy for each client would be 20 lengths. What the clients have received, and garbage of other tests, is counted too.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(12 * length)
    for (const { socket } of clients) socket.destroy()
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
