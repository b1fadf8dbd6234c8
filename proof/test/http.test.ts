/** The HTTP client of the proofs: exactly these bytes out, exactly one response or one reason back. */
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createHttpClient, createRawClient, NoAnswer, requestBytes, requestJson } from '../harness/http.ts'
import type { RawClient } from '../harness/http.ts'
import { readAnswer } from '../harness/http/answer.ts'
import { readFrames } from '../harness/http/event-frames.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that does with each connection what the test says; its address. */
async function listen(serve: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function clientOf(serve: (socket: Socket) => void): Promise<RawClient> {
  const client = createRawClient(await listen(serve))
  closers.push(client.close)
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

  test('sends no more of a large request once it is answered, and does not use that connection again', async () => {
    let connections = 0
    const client = await clientOf((socket) => {
      connections += 1
      // Answered on sight, and the rest is left where it is.
      socket.once('data', () => socket.pause().write(OK))
    })
    const large = Buffer.alloc(40_000_000, 0x20)
    expect(await client.send({ bytes: large })).toMatchObject({ status: 200, reusable: false })
    await client.send({ bytes })
    expect(connections).toBe(2)
  })

  test('sends a large request whole where nobody answers before its end', async () => {
    const large = Buffer.alloc(3_000_000, 0x20)
    let received = 0
    const client = await clientOf((socket) =>
      socket.on('data', (chunk) => {
        received += chunk.length
        if (received === large.length) socket.write(OK)
      }),
    )
    expect(await client.send({ bytes: large })).toMatchObject({ status: 200, reusable: true })
  })

  test('sends a large request whole after an interim answer', async () => {
    const large = Buffer.alloc(1_000_000, 'x')
    let received = 0
    const client = await clientOf((socket) =>
      socket.on('data', (chunk) => {
        if (received === 0) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
        received += chunk.length
        if (received === large.length) socket.write(OK)
      }),
    )
    expect(await client.send({ bytes: large, timeoutMs: 5_000 })).toMatchObject({ status: 200 })
  })

  test('listens to a stream for as long as it is told', async () => {
    const client = await clientOf((socket) =>
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1\n\n')
        setTimeout(() => socket.write('data: later\n\n'), 50)
      }),
    )
    expect((await client.send({ bytes })).body.toString()).toBe('retry: 1\n\n')
    expect((await client.send({ bytes, listenMs: 400 })).body.toString()).toBe('retry: 1\n\ndata: later\n\n')
  })

  test('waits for an event that is known to come', async () => {
    const client = await clientOf((socket) =>
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1\n\n')
        setTimeout(() => socket.write('data: later\n\n'), 200)
      }),
    )
    const { body } = await client.send({ bytes, listenMs: 1, awaitsEvent: true })
    expect(body.toString()).toBe('retry: 1\n\ndata: later\n\n')
  })

  test('opens a new connection where the other side closed the last one meanwhile', async () => {
    let connections = 0
    const client = await clientOf((socket) => {
      connections += 1
      socket.once('close', () => (connections += 10))
      socket.on('data', () => socket.write(OK, () => setTimeout(() => socket.end(), 20)))
    })
    await client.send({ bytes })
    await expect.poll(() => connections).toBe(11)
    await expect(client.send({ bytes })).resolves.toMatchObject({ status: 200 })
  })

  test('says that nobody listens', async () => {
    const client = createRawClient('http://127.0.0.1:1')
    await expect(client.send({ bytes })).rejects.toBeInstanceOf(NoAnswer)
  })
})

describe('a request', () => {
  const url = 'http://service.example:80'
  const text = (request: Parameters<typeof requestBytes>[1]) => requestBytes(url, request).toString()

  test('is sent with its keys, and with headers that come twice as they are', () => {
    const headers = [['X-Tenant-ID', 'one'] as const, ['X-Tenant-ID', 'two'] as const]
    expect(text({ path: '/a?b', bearer: 'k', tenantKey: 't', headers })).toBe(
      'GET /a?b HTTP/1.1\r\nHost: service.example\r\nAuthorization: Bearer k\r\nX-Tenant-API-Key: t\r\n' +
        'X-Tenant-ID: one\r\nX-Tenant-ID: two\r\n\r\n',
    )
  })

  test('carries JSON with its length in bytes, and text as it is', () => {
    expect(text({ path: '/', body: { a: 'ä' } })).toMatch(/^POST [^]*Content-Length: 10\r\n\r\n{"a":"ä"}$/)
    const typed = text({ path: '/', body: '{"a', headers: { 'content-type': 'text/plain' } })
    expect(typed.match(/content-type: .*/gi)).toEqual(['content-type: text/plain'])
    expect(text({ method: 'DELETE', path: '/' })).toContain('Content-Length: 0\r\n')
  })

  test('that must succeed says what came instead', async () => {
    const body = '{"code":"not_found"}'
    const refusal = `HTTP/1.1 404 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const place = await listen((socket) => socket.on('data', () => socket.write(refusal)))
    await expect(requestJson(place, { path: '/x' })).rejects.toThrow(
      'GET /x answered 404: {"code":"not_found"}',
    )
  })

  test('is heard of with its response by whoever collects them', async () => {
    const heard: string[] = []
    const place = await listen((socket) => socket.on('data', () => socket.write(OK)))
    const client = createHttpClient(place, (response) => void heard.push(response.text))
    closers.push(client.close)
    await client.send({ path: '/' })
    expect(heard).toEqual(['ok'])
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

  test('that is a stream counts as soon as its first bytes come, and its connection is not used again', () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n'
    expect(read(head)).toBeUndefined()
    const begun = read(`${head}retry: 3000\n\n`)
    expect(begun).toMatchObject({ status: 200, reusable: false, stream: true })
    expect(begun?.body.toString()).toBe('retry: 3000\n\n')
  })

  test('that is a stream in chunks shows those that came whole', () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(read(`${head}3\r\nab`)).toBeUndefined()
    expect(read(`${head}3\r\nabc\r\n2\r\nd`)?.body.toString()).toBe('abc')
  })

  test('with bytes behind it leaves a connection that is not used again', () => {
    expect(read(`${OK}${OK}`)).toMatchObject({ status: 200, reusable: false })
  })

  test('is given without its Content-Encoding, and a body that does not follow it is no answer', () => {
    const answerOf = (encoding: string, body: Buffer) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`
      return readAnswer(Buffer.concat([Buffer.from(head), body]), { head: false, ended: false })
    }
    expect(answerOf('gzip', gzipSync('a body'))?.body.toString()).toBe('a body')
    expect(answerOf('br', brotliCompressSync('a body'))?.body.toString()).toBe('a body')
    expect(() => answerOf('gzip', Buffer.from('a body'))).toThrow('incorrect header check')
    expect(() => answerOf('zstd', Buffer.from('a body'))).toThrow('not an encoding')
  })
})

describe('event frames', () => {
  test('are read with their id, kind and data; comments and the time to wait are not events', () => {
    const text = 'retry: 3000\n\n: alive\n\nid: 7\nevent: document.queued\ndata: {"a": "b: c"}\n\n'
    expect(readFrames(text)).toEqual([{ id: '7', event: 'document.queued', data: '{"a": "b: c"}' }])
  })

  test('are not read before they are whole', () => {
    expect(readFrames('event: a\ndata: 1\n\nevent: b\ndata: 2\n')).toHaveLength(1)
    expect(readFrames('event: a\ndata: 1')).toEqual([])
  })

  test('may hold characters that end a line elsewhere', () => {
    expect(readFrames('data: "a\u2028b"\n\n')).toMatchObject([{ data: '"a\u2028b"' }])
  })
})
