import { describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createListener } from '../../src/http/listener.ts'
import { startAll } from '../../src/platform/lifecycle.ts'
import { useDatabase } from '../support/database.ts'
import { createMemoryLog, silentLog } from '../support/log.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { buildServer } from '../support/server.ts'
import { openConnection } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)

/** A listening server whose one slow route answers when the test says so. */
async function listenWithSlowRoute(DRAIN_SECONDS = 20) {
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const slow = madeUpRoute({ path: '/slow' }, 'none', async () => {
    arrived.resolve()
    await release.promise
    return { status: 200, body: { done: true } }
  })
  const server = buildServer(pools(), [slow, madeUpRoute({ path: '/thing' })])
  const listener = createListener(server, { HOST: '127.0.0.1', PORT: 0, DRAIN_SECONDS })
  const log = createMemoryLog()
  const running = await startAll([listener], log.log)
  return { address: listener.address(), arrived: arrived.promise, release: release.resolve, running, log }
}

const refused = async (address: string) =>
  fetch(`${address}/thing`).then(
    () => false,
    () => true,
  )

describe('a listener', () => {
  it('reports its address once started', async () => {
    const { address, running } = await listenWithSlowRoute()
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${address}/thing`)).status).toBe(200)
    await running.stop()
    expect(await refused(address)).toBe(true)
  })

  it('fails to start on a port that is taken, with a message', async () => {
    const { address, running } = await listenWithSlowRoute()
    const server = buildServer(pools(), [])
    const PORT = Number(new URL(address).port)
    const second = createListener(server, { HOST: '127.0.0.1', PORT, DRAIN_SECONDS: 1 })
    await expect(startAll([second], silentLog)).rejects.toThrow('listener did not start')
    await Promise.all([running.stop(), server.close()])
  })

  it('finishes the request in flight before it stops, and takes no new one meanwhile', async () => {
    const { address, arrived, release, running } = await listenWithSlowRoute()
    const connection = await openConnection(address)
    connection.send('GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await arrived
    let stopped = false
    const stopping = running.stop().then(() => (stopped = true))
    await waitUntil(() => refused(address), { what: 'the port closing' })
    expect(stopped).toBe(false)
    release()
    const [answer] = await connection.untilClosed()
    expect(answer).toMatchObject({ status: 200, body: '{"done":true}' })
    await stopping
  })

  it('is stopped soon after the last request, although its connection would be kept alive', async () => {
    const { address, arrived, release, running, log } = await listenWithSlowRoute(2)
    const connection = await openConnection(address)
    connection.send('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived
    const stopping = running.stop()
    await waitUntil(() => refused(address), { what: 'the port closing' })
    release()
    expect((await connection.answers(1))[0]?.status).toBe(200)
    await stopping
    connection.socket.destroy()
    expect(log.lines(), 'a part that was overdue').toEqual([])
  })

  it('closes idle connections at once', async () => {
    const { address, running, log } = await listenWithSlowRoute(3)
    const connection = await openConnection(address)
    connection.send('GET /thing HTTP/1.1\r\nHost: x\r\n\r\n')
    await connection.answers(1)
    await running.stop()
    await connection.untilClosed()
    expect(log.lines()).toEqual([])
  })

  it('closes the connection after the response to a request in flight, and announces that in the response', async () => {
    const { address, arrived, release, running } = await listenWithSlowRoute(3)
    const connection = await openConnection(address)
    connection.send('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived
    const stopping = running.stop()
    await waitUntil(() => refused(address), { what: 'the port closing' })
    release()
    const [answer] = await connection.untilClosed()
    await stopping
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
  })

  it('stops waiting for a request after its timeout', async () => {
    const { address, arrived, release, running, log } = await listenWithSlowRoute(0)
    const inFlight = fetch(`${address}/slow`)
    await arrived
    await running.stop()
    expect(log.lines()).toContainEqual(expect.objectContaining({ part: 'listener', level: 'warn' }))
    release()
    await (await inFlight).text()
  })
})
