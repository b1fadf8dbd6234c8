import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { useServer } from '../support/server.ts'
import { openConnection } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)

let opened = 0
const source = async () => {
  opened += 1
}
const routes = [
  madeUpRoute({ path: '/thing' }),
  madeUpRoute({ path: '/things', method: 'POST' }),
  madeUpRoute({ path: '/news', answers: { 200: 'event-stream' } }, 'none', () => ({
    status: 200,
    body: source,
  })),
]
const service = useServer(pools, routes)
let address = ''

beforeAll(async () => {
  address = await service().server.listen({ host: '127.0.0.1', port: 0 })
})

/** The bytes on the wire: whatever followed the header block would be taken for the next answer. */
async function bytesOf(method: string, path: string): Promise<string> {
  const { socket, send } = await openConnection(address)
  send(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  return received
}

describe('HEAD', () => {
  it('is answered with the header block of GET and not one byte more', async () => {
    const [head, get] = [await bytesOf('HEAD', '/thing'), await bytesOf('GET', '/thing')]
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/)
    const own = (bytes: string) =>
      (bytes.split('\r\n\r\n', 1)[0] ?? '').replaceAll(/^(?:x-request-id|date):.*$/gim, '')
    expect(own(head)).toBe(own(get))
    expect(get.length).toBeGreaterThan(head.length)
  })

  it('of an event stream says what it is and opens none', async () => {
    const head = await bytesOf('HEAD', '/news')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toContain('content-type: text/event-stream; charset=utf-8')
    expect(head).toMatch(/\r\n\r\n$/)
    expect(opened).toBe(0)
    await bytesOf('GET', '/news')
    expect(opened).toBe(1)
  })

  it('where there is no GET is refused', async () => {
    expect(await bytesOf('HEAD', '/things')).toMatch(/^HTTP\/1\.1 405 [^]*\r\nallow: POST\r\n/)
  })
})
