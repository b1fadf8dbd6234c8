import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { discardBody } from '../../src/http/unread-body.ts'

const server = createServer()
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

/** A request whose body has been announced and not sent yet. */
async function beginRequest(length: number): Promise<{ request: IncomingMessage; socket: Socket }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  const requested = once(server, 'request')
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`)
  const [request] = (await requested) as [IncomingMessage]
  return { request, socket }
}

describe('a body that no handler reads', () => {
  it('is read to its end', async () => {
    const { request, socket } = await beginRequest(3_000_000)
    const discarding = discardBody(request)
    socket.write(Buffer.alloc(3_000_000))
    await discarding
    expect(request.complete).toBe(true)
  })

  it('is not waited for if it was read already', async () => {
    const { request, socket } = await beginRequest(3)
    socket.write('abc')
    request.resume()
    await once(request, 'end')
    await expect(discardBody(request)).resolves.toBeUndefined()
  })

  it('is not waited for if its sender disconnects', async () => {
    const { request, socket } = await beginRequest(3_000_000)
    const discarding = discardBody(request)
    socket.destroy()
    await expect(discarding).resolves.toBeUndefined()
    expect(request.complete).toBe(false)
  })
})
