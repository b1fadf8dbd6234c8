/** Bodies that drip in: one of JSON has 15 s, a file has the 60 s of the server, and neither is given up before. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { useDatabase } from '../support/database.ts'
import { createMemoryLog } from '../support/log.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { codeOf } from '../support/problem.ts'
import { buildServer } from '../support/server.ts'
import type { TestHttpServer } from '../support/server.ts'
import { openConnection } from '../support/sockets.ts'
import type { RawConnection } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)
const log = createMemoryLog()
let server: TestHttpServer
let address: string

beforeAll(async () => {
  server = buildServer(
    pools(),
    [
      madeUpRoute({ path: '/things', method: 'POST', body: z.looseObject({}) }),
      madeUpRoute({ path: '/files', method: 'POST', body: z.unknown(), bodyMediaTypes: ['text/plain'] }),
    ],
    log,
  )
  address = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const head = (path: string, type: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`

/** A byte twice a second, also after the other side has closed its half, until the connection is gone or nothing is left. */
async function drip(connection: RawConnection, pieces: readonly string[]): Promise<number> {
  const begun = performance.now()
  for (const piece of pieces) {
    if (connection.socket.closed) break
    connection.send(piece)
    await delay(500)
  }
  return performance.now() - begun
}

describe.concurrent('a body that drips in', () => {
  it.each([
    ['with a length', 'Content-Length: 400', 'x'],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n'],
  ])('as JSON %s is refused after 15 s with 408, and the connection is cut', async (_, length, piece) => {
    const connection = await openConnection(address)
    connection.send(head('/things', 'application/json', `X-Request-Id: late-${piece.length}\r\n${length}`))
    const pieces = Array.from({ length: 80 }, () => piece)
    const took = await drip(connection, pieces)
    const [answer] = await connection.untilClosed()
    expect(codeOf(answer)).toBe('request_timeout')
    expect(answer?.headers).toMatchObject({ connection: 'close', 'x-request-id': `late-${piece.length}` })
    expect(log.text()).toContain(`late-${piece.length}`)
    expect(took).toBeGreaterThan(14_000)
    // 15 s, and the 5 s in which the rest is discarded; the remaining time is for a busy machine.
    expect(took).toBeLessThan(25_000)
  })

  it('as JSON is taken where it arrives in time', async () => {
    const connection = await openConnection(address)
    const body = JSON.stringify({ name: 'slow' })
    connection.send(head('/things', 'application/json', `Content-Length: ${body.length}`))
    await drip(connection, [...body.slice(0, 14).split(''), body.slice(14)])
    expect((await connection.answers(1))[0]?.status).toBeLessThan(300)
    // The time limit went with the request, so the connection may be used again.
    await delay(10_000)
    connection.send('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.answers(2))[1]?.status).toBe(404)
    connection.socket.destroy()
  })

  it('as a file is still taken after 17 s', async () => {
    const connection = await openConnection(address)
    connection.send(head('/files', 'text/plain', 'Content-Length: 35'))
    const took = await drip(connection, 'x'.repeat(35).split(''))
    expect(took).toBeGreaterThan(17_000)
    expect((await connection.answers(1))[0]?.status).toBeLessThan(300)
    connection.socket.destroy()
  })
})
