/** What the raw client promises: exactly these bytes out, exactly one answer or one reason back. */
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createRawClient, NoAnswer } from '../src/http.ts'
import type { RawClient } from '../src/http.ts'
import { readAnswer } from '../src/http/answer.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that does with each connection what the test says. */
async function clientOf(serve: (socket: Socket) => void): Promise<RawClient> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = createRawClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  closers.push(() => {
    client.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return client
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const bytes = Buffer.from('GET / HTTP/1.1\r\n\r\n')

describe('a raw client', () => {
  test('sends the bytes unchanged, whatever they are', async () => {
    const odd = Buffer.from([0x00, 0xff, 0x0a, 0x0d, 0x47])
    let received = Buffer.alloc(0)
    const client = await clientOf((socket) =>
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk])
        socket.write(OK)
      }),
    )
    await client.send({ bytes: odd })
    expect(received).toEqual(odd)
  })

  test('uses a connection again after a whole answer, and a new one when asked to', async () => {
    let connections = 0
    const client = await clientOf((socket) => {
      connections += 1
      socket.on('data', () => socket.write(OK))
    })
    await client.send({ bytes })
    await client.send({ bytes })
    expect(connections).toBe(1)
    await client.send({ bytes, fresh: true })
    expect(connections).toBe(2)
  })

  test('says that there was no answer when the connection closes without one', async () => {
    const client = await clientOf((socket) => socket.on('data', () => socket.destroy()))
    await expect(client.send({ bytes })).rejects.toMatchObject({ silence: 'reset' })
  })

  test('says that there was no answer when half of one came', async () => {
    const client = await clientOf((socket) => socket.on('data', () => socket.end(OK.slice(0, -1))))
    await expect(client.send({ bytes })).rejects.toMatchObject({ silence: 'reset' })
  })

  test('says that there was no answer when none comes in time', async () => {
    const client = await clientOf(() => undefined)
    await expect(client.send({ bytes, timeoutMs: 50 })).rejects.toMatchObject({ silence: 'timed out' })
  })

  test('says that what came is not HTTP', async () => {
    const client = await clientOf((socket) => socket.on('data', () => socket.write('SSH-2.0\r\n\r\n')))
    await expect(client.send({ bytes })).rejects.toMatchObject({ silence: 'malformed answer' })
  })

  test('says that nobody listens', async () => {
    const client = createRawClient('http://127.0.0.1:1')
    await expect(client.send({ bytes })).rejects.toBeInstanceOf(NoAnswer)
  })
})

describe('an answer', () => {
  const read = (text: string, { head = false, ended = false } = {}) =>
    readAnswer(Buffer.from(text), { head, ended })

  test('is not read before it is whole, at whichever byte it is cut', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'
    for (const whole of [OK, chunked]) {
      for (let length = 0; length < whole.length; length += 1)
        expect(read(whole.slice(0, length))).toBeUndefined()
      expect(read(whole)?.body.toString()).toBe('ok')
    }
  })

  test('may come behind an interim one', () => {
    expect(read(`HTTP/1.1 100 Continue\r\n\r\n${OK}`)).toMatchObject({ status: 200, reusable: true })
  })

  test('to HEAD has no body although it tells its length', () => {
    expect(read('HTTP/1.1 405 No\r\nContent-Length: 99\r\n\r\n', { head: true })?.body).toHaveLength(0)
  })

  test('without a length is whole when the connection ends', () => {
    expect(read('HTTP/1.1 200 OK\r\n\r\nrest')).toBeUndefined()
    expect(read('HTTP/1.1 200 OK\r\n\r\nrest', { ended: true })?.body.toString()).toBe('rest')
  })

  test('that is a stream counts as soon as it begins, and its connection is not used again', () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'
    expect(read(head)).toMatchObject({ status: 200, reusable: false })
  })

  test('with bytes behind it leaves a connection that is not used again', () => {
    expect(read(`${OK}${OK}`)).toMatchObject({ status: 200, reusable: false })
  })
})
