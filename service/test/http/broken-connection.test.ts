/** Tests the answer to bytes that never became a request: still a problem document. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { codeOf } from '../support/problem.ts'
import { buildServer } from '../support/server.ts'
import type { TestHttpServer } from '../support/server.ts'
import { exchange, openConnection } from '../support/sockets.ts'
import type { SocketAnswer } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)
let server: TestHttpServer
let address: string

beforeAll(async () => {
  server = buildServer(pools(), [
    madeUpRoute({ path: '/thing' }),
    madeUpRoute({ path: '/things', method: 'POST' }),
  ])
  // The limits themselves are tested elsewhere; here they are short, so that nobody has to wait for them.
  Object.assign(server.server, { headersTimeout: 150, requestTimeout: 300, connectionsCheckingInterval: 50 })
  address = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

describe('bytes that are no request', () => {
  it.each([
    ['not HTTP at all', 'hello\r\n\r\n'],
    ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown version', 'GET /thing HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no Host', 'GET /thing HTTP/1.1\r\n\r\n'],
    ['a header without a colon', 'GET /thing HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a NUL in a header', 'GET /thing HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['two lengths', 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'the same length twice',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
    ],
    [
      'a length and chunks, as smugglers send',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a chunk that is none', 'POST /things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  ])('are refused as a problem document: %s', async (_, text) => {
    const [answer] = await exchange(address, text)
    expect(['malformed_request', 'duplicate_header']).toContain(codeOf(answer))
  })

  it('are refused with 431 when the headers have no end', async () => {
    const [answer] = await exchange(
      address,
      `GET /thing HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    expect(codeOf(answer)).toBe('headers_too_large')
  })

  it('are refused as a problem document on a connection that was used before, too', async () => {
    const connection = await openConnection(address)
    connection.send('GET /thing HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.answers(1))[0]?.status).toBe(200)
    connection.send('nonsense\r\n\r\n')
    expect(codeOf((await connection.untilClosed())[1])).toBe('malformed_request')
  })

  it('do not keep the next caller from being served', async () => {
    await exchange(address, 'hello\r\n\r\n')
    expect((await fetch(`${address}/thing`)).status).toBe(200)
  })
})

/** Reads nothing while it sends, as a client does that sends its whole body before it looks for an answer. */
async function sendAll(text: string, piece: string, { pieces = Infinity, everyMs = 0 }): Promise<Sent> {
  const connection = await openConnection(address)
  const { socket } = connection
  const begun = performance.now()
  socket.pause()
  socket.write(text)
  let sent = 0
  for (; sent < pieces && !socket.destroyed; sent += 1) {
    if (!socket.write(piece)) await Promise.race([happens(socket, 'drain'), happens(socket, 'close')])
    if (everyMs > 0) await delay(everyMs)
  }
  const ms = performance.now() - begun
  socket.resume()
  return { ms, sent, answers: await connection.untilClosed() }
}

interface Sent {
  readonly ms: number
  /** The pieces that found room. */
  readonly sent: number
  readonly answers: readonly SocketAnswer[]
}

const happens = (socket: Socket, event: string) => new Promise((resolve) => socket.once(event, resolve))

describe('a client that goes on sending after it was refused', () => {
  const broken = 'POST /things\0 HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n'
  const KIB = 'x'.repeat(1024)

  it.each([
    ['at once', { pieces: 15 }],
    ['for some seconds', { pieces: 15, everyMs: 200 }],
  ])('reads its answer after 15 MiB, sent %s', async (_, pace) => {
    const { answers } = await sendAll(broken, KIB.repeat(1024), pace)
    expect(answers.map((each) => codeOf(each))).toEqual(['malformed_request'])
  })

  it('after CONNECT reads its answer too', async () => {
    const { answers } = await sendAll('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', KIB, {
      pieces: 10,
      everyMs: 200,
    })
    expect(answers.map((each) => codeOf(each))).toEqual(['method_not_allowed'])
  })

  it('is cut off after some seconds, however little it sends', { timeout: 20_000 }, async () => {
    const { ms } = await sendAll(broken, 'x', { everyMs: 100 })
    expect(ms).toBeGreaterThan(4_000)
    expect(ms).toBeLessThan(15_000)
  })

  it('is cut off after 16 MiB and what was on its way by then', { timeout: 20_000 }, async () => {
    const { sent } = await sendAll(broken, KIB.repeat(1024), {})
    expect(sent).toBeLessThan(40)
  })

  it('is cut off a second after its last byte', { timeout: 20_000 }, async () => {
    const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => undefined)
    const begun = performance.now()
    socket.write(broken)
    socket.resume()
    await once(socket, 'end')
    // Our half stays open, so only the server can end the connection: a byte to a connection that is gone is reset.
    while (!socket.destroyed && performance.now() - begun < 10_000) {
      await delay(1_300)
      socket.write('x')
      await delay(100)
    }
    expect(performance.now() - begun).toBeLessThan(4_900)
  })
})

describe('a slow sender', () => {
  it('of headers is answered with 408', async () => {
    const [answer] = await exchange(address, 'GET /thing HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect(codeOf(answer)).toBe('request_timeout')
  })

  it('of a body is answered with 408', async () => {
    const headers =
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n'
    const [answer] = await exchange(address, `${headers}\r\n{`)
    expect(codeOf(answer)).toBe('request_timeout')
  })

  it('who hangs up in the middle does no harm', async () => {
    const connection = await openConnection(address)
    connection.send(
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    connection.socket.resetAndDestroy()
    await connection.untilClosed()
    expect((await fetch(`${address}/thing`)).status).toBe(200)
  })
})

describe('a client that resets its connection', () => {
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  beforeAll(() => void process.on('uncaughtException', note))
  afterAll(() => void process.off('uncaughtException', note))

  it.each([
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
    ['an upgrade', 'GET /thing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['nonsense', 'hello\r\n\r\n'],
  ])('right after %s does not end the process', async (_, text) => {
    uncaught.length = 0
    for (const waits of [false, true])
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const connection = await openConnection(address)
          connection.send(text)
          if (waits) await connection.answers(1)
          connection.socket.resetAndDestroy()
          await connection.untilClosed()
        }),
      )
    expect((await fetch(`${address}/thing`)).status).toBe(200)
    expect(uncaught).toEqual([])
  })
})
