/** Tests responses that a client does not read, on real sockets with a short timeout. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { z } from 'zod'
import { UNLIMITED } from '../../src/platform/token-bucket.ts'
import { useDatabase } from '../support/database.ts'
import { noLimits } from '../support/limits.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { buildServer } from '../support/server.ts'
import type { TestHttpServer } from '../support/server.ts'
import { openConnection } from '../support/sockets.ts'
import type { RawConnection } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)
const TIMEOUT_MS = 400
/** More than the buffers of both ends of a connection hold. */
const LENGTH = 40_000_000
const large = 'x'.repeat(LENGTH)
let server: TestHttpServer
let address: string
let tenant: TestTenant

/** Ends after three timeouts in which there is nothing to write. */
async function* slowly(): AsyncGenerator<string> {
  yield 'begun'
  await delay(3 * TIMEOUT_MS)
  yield 'ended'
}

beforeAll(async () => {
  const perTenant = { requests: UNLIMITED, bytes: UNLIMITED, requestsAtOnce: 1, streams: 1 }
  const file = { answers: { 200: 'file' }, files: { 'text/plain': z.string() }, tier: 'public' } as const
  const fileOf = (content: () => string | Readable) => () => ({
    status: 200,
    body: { type: 'text/plain', content: content() },
  })
  const list = {
    path: '/api/list',
    tier: 'public',
    answers: { 200: z.object({ text: z.string() }) },
  } as const
  server = buildServer(
    pools(),
    [
      madeUpRoute(list, 'tenant', () => ({ status: 200, body: { text: large } })),
      madeUpRoute(
        { path: '/api/report', ...file },
        'tenant',
        fileOf(() => large),
      ),
      madeUpRoute(
        { path: '/api/export', ...file },
        'tenant',
        fileOf(() => Readable.from(Array.from({ length: 40 }, () => large.slice(0, 1_000_000)))),
      ),
      madeUpRoute(
        { path: '/api/slow', ...file },
        'tenant',
        fileOf(() => Readable.from(slowly())),
      ),
      madeUpRoute({ path: '/api/small', tier: 'public' }, 'tenant'),
    ],
    undefined,
    noLimits({ perTenant }),
    { writeTimeoutMs: TIMEOUT_MS },
  )
  tenant = await makeTenant(pools())
  address = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

async function request(path: string): Promise<RawConnection> {
  const connection = await openConnection(address)
  connection.socket.pause()
  connection.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`)
  return connection
}

const statusOfSmall = async () =>
  (await fetch(`${address}/api/small`, { headers: { authorization: `Bearer ${tenant.key}` } })).status

it.each(['/api/list', '/api/report', '/api/export'])(
  'A response that the client does not read is given up, and its permit released: %s',
  async (path) => {
    const accepted = once(server.server, 'connection')
    const { socket } = await request(path)
    const [ours] = (await accepted) as [Socket]
    await waitUntil(() => ours.writableLength > 0, { what: 'The response to fill the connection' })
    await waitUntil(() => ours.destroyed, { what: 'The connection to be destroyed' })
    await waitUntil(async () => (await statusOfSmall()) === 200, { what: 'The permit to be released' })
    expect(ours.destroyed).toBe(true)
    socket.destroy()
  },
)

it('A response that the client reads slowly is sent to its end', async () => {
  const { socket } = await request('/api/report')
  const begun = performance.now()
  let received = 0
  // Encoded as latin1, so that a character is a byte.
  socket.on('data', (chunk: string) => void (received += chunk.length)).pause()
  for (let time = 0; time < 250; time += 1) {
    if (received > LENGTH) break
    socket.resume()
    await delay(10)
    socket.pause()
    await delay(TIMEOUT_MS / 4)
  }
  expect(received).toBeGreaterThan(LENGTH)
  expect(performance.now() - begun).toBeGreaterThan(2 * TIMEOUT_MS)
  socket.destroy()
})

it('A response whose source pauses for longer than the timeout is sent to its end', async () => {
  const reply = await fetch(`${address}/api/slow`, { headers: { authorization: `Bearer ${tenant.key}` } })
  expect(await reply.text()).toBe('begunended')
})
