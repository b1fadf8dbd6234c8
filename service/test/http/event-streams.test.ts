import { getEventListeners, once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Fault } from '../../src/domain/fault.ts'
import { createEventStreams } from '../../src/http/event-streams.ts'
import type { EventStreams } from '../../src/http/event-streams.ts'
import type { EventSink, EventSource } from '../../src/http/route.ts'
import { createMemoryLog } from '../support/log.ts'

let streams: EventStreams
let server: Server
let log: ReturnType<typeof createMemoryLog>
/** The source of the next stream, who asks, and whether that credential is still good. */
let source: EventSource
let revoked: Set<string>
let asked: string[]
const responses: ServerResponse[] = []
const served: Promise<void>[] = []
const sockets: Socket[] = []

beforeEach(async () => {
  // Sockets keep their own time; only what the streams measure is ours to move.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] })
  log = createMemoryLog()
  revoked = new Set()
  asked = []
  source = quiet
  streams = createEventStreams(log.log)
  await streams.start()
  server = createServer((request, response) => {
    const credential = request.headers.authorization ?? 'somebody'
    responses.push(response)
    const reauthenticate = async () => {
      asked.push(credential)
      if (revoked.has(credential)) throw new Fault('credential_revoked')
      if (credential === 'unknowable') throw new Error('connect ECONNREFUSED')
    }
    const endsAfterMs = credential === 'signed by a gateway' ? 600_000 : undefined
    const stream = { source, credential, reauthenticate, ...(endsAfterMs && { endsAfterMs }) }
    served.push(streams.serve(response, { 'x-request-id': 'r1' }, stream))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  vi.useRealTimers()
  for (const socket of sockets.splice(0)) socket.destroy()
  await streams.stop()
  server.closeAllConnections()
  server.close()
  responses.length = 0
  served.length = 0
})

/** Says nothing until it is told to stop. */
const quiet: EventSource = async ({ signal }) => {
  if (!signal.aborted) await once(signal, 'abort')
}

/** Gives the sink to the test, which may then send what it likes. */
function held(): Promise<EventSink> {
  const { promise, resolve } = Promise.withResolvers<EventSink>()
  source = async (sink) => {
    resolve(sink)
    await quiet(sink)
  }
  return promise
}

interface Client {
  readonly socket: Socket
  text(): string
  /** All that came, chunk sizes of the transfer left out. */
  body(): string
}

async function open(authorization = 'somebody', { reads = true } = {}): Promise<Client> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  let text = ''
  if (reads) socket.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
  const count = responses.length
  await until(() => responses.length > count)
  if (reads) await until(() => text.includes('retry'))
  return {
    socket,
    text: () => text,
    body: () => text.slice(text.indexOf('\r\n\r\n') + 4).replaceAll(/[0-9a-f]+\r\n([^]*?)\r\n/g, '$1'),
  }
}

/** By turns of the event loop, since the timers of this file stand still. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen in time')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const turns = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

describe('a stream', () => {
  it('begins as an event stream without caching or buffering, with the time to reconnect', async () => {
    const client = await open()
    const [head = ''] = client.text().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/)
    for (const header of [
      'content-type: text/event-stream; charset=utf-8',
      'cache-control: no-store',
      'x-accel-buffering: no',
      'x-request-id: r1',
    ])
      expect(head.toLowerCase()).toContain(header)
    expect(client.body()).toBe('retry: 3000\n\n')
  })

  it('writes each event as one frame: id, kind, and its data on one line', async () => {
    const sink = held()
    const client = await open()
    await (
      await sink
    ).send([
      { id: '7', event: 'document.queued', data: { text: 'two\nlines “é 🎉”' } },
      { event: 'resync', data: { head: 9 } },
    ])
    await until(() => client.body().includes('resync'))
    expect(client.body()).toBe(
      'retry: 3000\n\n' +
        'id: 7\nevent: document.queued\ndata: {"text":"two\\nlines “é 🎉”"}\n\n' +
        'event: resync\ndata: {"head":9}\n\n',
    )
  })

  it('ends when its source does', async () => {
    source = async (sink) => sink.send([{ event: 'last', data: {} }])
    const client = await open()
    await served[0]
    await until(() => client.text().endsWith('0\r\n\r\n'))
    expect(client.body()).toContain('event: last')
    expect(streams.count()).toBe(0)
  })

  it('ends if its source fails, and only the log has the reason', async () => {
    source = async () => {
      throw new Error('relation does not exist')
    }
    const client = await open()
    await served[0]
    await until(() => client.text().endsWith('0\r\n\r\n'))
    expect(client.text()).not.toContain('relation')
    expect(log.text()).toContain('relation does not exist')
  })
})

describe('silence', () => {
  it('is broken by a comment every fifteen seconds', async () => {
    const client = await open()
    await pass(14)
    await turns()
    expect(client.body()).not.toContain('alive')
    await pass(1)
    await until(() => client.body().includes(': alive\n\n'))
    await pass(15)
    await until(() => client.body().split(': alive').length === 3)
  })

  it('is not assumed while events arrive', async () => {
    const sink = held()
    const client = await open()
    for (let time = 0; time < 4; time += 1) {
      await pass(9)
      await (await sink).send([{ event: 'tick', data: { time } }])
    }
    await until(() => client.body().includes('"time":3'))
    expect(client.body()).not.toContain('alive')
  })
})

describe('a credential that is no longer good', () => {
  it('ends every stream that was opened with it within five seconds, and no other', async () => {
    const [first, second, other] = [await open('revoked'), await open('revoked'), await open('good')]
    revoked.add('revoked')
    await pass(4.9)
    await until(() => first.text().endsWith('0\r\n\r\n') && second.text().endsWith('0\r\n\r\n'))
    expect(streams.count()).toBe(1)
    expect(other.text().endsWith('0\r\n\r\n')).toBe(false)
  })

  it('ends its stream after a bounded time if it is valid once, so that the client authenticates again', async () => {
    const [bounded, other] = [await open('signed by a gateway'), await open('good')]
    await pass(599)
    await turns()
    expect(streams.count()).toBe(2)
    await pass(1.1)
    await until(() => bounded.text().endsWith('0\r\n\r\n'))
    expect(streams.count()).toBe(1)
    expect(other.text().endsWith('0\r\n\r\n')).toBe(false)
  })

  it('is not confused with one that cannot be checked at the moment', async () => {
    await open('unknowable')
    await pass(30)
    await turns()
    expect(asked.length).toBeGreaterThan(5)
    expect(streams.count()).toBe(1)
  })

  it('is checked once, however many streams it opened', async () => {
    for (let time = 0; time < 5; time += 1) await open('busy')
    await pass(3)
    expect(asked).toEqual(['busy'])
  })
})

describe('a client that leaves', () => {
  it('stops its source and is forgotten', async () => {
    const sink = held()
    const client = await open()
    expect(streams.count()).toBe(1)
    client.socket.destroy()
    await until(() => streams.count() === 0)
    expect((await sink).signal.aborted).toBe(true)
    await served[0]
  })

  it('is forgotten also while its source was fetching events', async () => {
    const fetched = Promise.withResolvers<void>()
    source = async (sink) => {
      // A follower that reads a page from the database just now.
      await fetched.promise
      await sink.send([{ event: 'late', data: {} }])
    }
    const client = await open()
    client.socket.destroy()
    await until(() => responses[0]?.destroyed === true)
    fetched.resolve()
    await turns()
    await pass(60)
    await turns()
    expect(streams.count()).toBe(0)
  })
})

describe('a client that does not read', () => {
  const LARGE = 'x'.repeat(64 * 1024)

  /** Sends as long as it is let; says how much that was, in bytes. */
  function pump(): { sent: () => number; sink: Promise<EventSink> } {
    const { promise, resolve } = Promise.withResolvers<EventSink>()
    let sent = 0
    source = async (sink) => {
      resolve(sink)
      while (!sink.signal.aborted) {
        sent += LARGE.length
        await sink.send([{ event: 'large', data: LARGE }])
        await new Promise((next) => setImmediate(next))
      }
    }
    return { sent: () => sent, sink: promise }
  }

  /** Nothing more is taken: the same count after many turns. */
  async function untilStuck(sent: () => number): Promise<number> {
    for (;;) {
      const before = sent()
      await turns()
      if (before > 0 && sent() === before) return before
    }
  }

  it('is not written to any more, so that it costs a bounded amount of memory', async () => {
    const { sent } = pump()
    await open('slow', { reads: false })
    const stuck = await untilStuck(sent)
    // The size of the buffers of both ends, and one chunk on our side.
    expect(stuck).toBeLessThan(32 * 1024 * 1024)
    expect(responses[0]?.writableLength).toBeLessThan(2 * LARGE.length)
    await pass(15)
    await turns()
    expect(sent()).toBe(stuck)
    expect(responses[0]?.writableLength).toBeLessThan(2 * LARGE.length)
  })

  it('is disconnected after twenty seconds, and delays no other client meanwhile', async () => {
    const { sent } = pump()
    const slow = await open('slow', { reads: false })
    await untilStuck(sent)
    const sink = held()
    const quick = await open('quick')
    await (await sink).send([{ event: 'news', data: {} }])
    await until(() => quick.body().includes('news'))
    await pass(19)
    await turns()
    expect(streams.count()).toBe(2)
    await pass(2)
    await until(() => streams.count() === 1)
    await served[0]
    expect(responses[0]?.destroyed).toBe(true)
    slow.socket.destroy()
  })

  it('gets everything that was sent if it reads in time', async () => {
    const { sent, sink } = pump()
    const slow = await open('slow', { reads: false })
    const stuck = await untilStuck(sent)
    await pass(10)
    let received = 0
    slow.socket.on('data', (chunk: Buffer) => void (received += chunk.length))
    await until(() => sent() > stuck && received > stuck)
    expect((await sink).signal.aborted).toBe(false)
    // Patience begins anew with each time that it reads.
    await pass(15)
    await turns()
    expect(streams.count()).toBe(1)
  })

  it('has at most one slice of many events in memory', async () => {
    const { promise, resolve } = Promise.withResolvers<EventSink>()
    source = async (sink) => {
      resolve(sink)
      const data = 'x'.repeat(40_000)
      await sink.send(Array.from({ length: 500 }, (_, id) => ({ id: String(id), event: 'large', data })))
    }
    const client = await open('slow', { reads: false })
    await promise
    await turns()
    expect(responses[0]?.writableLength).toBeGreaterThan(0)
    expect(responses[0]?.writableLength).toBeLessThan(3 * 40_000)
    let received = ''
    client.socket.setEncoding('utf8').on('data', (chunk: string) => void (received += chunk))
    await until(() => received.endsWith('0\r\n\r\n'))
    expect(received.match(/^id: \d+$/gm)).toEqual(Array.from({ length: 500 }, (_, id) => `id: ${id}`))
  })

  it('leaves nothing behind, however often it does that', async () => {
    const { sink } = pump()
    const client = await open('slow', { reads: false })
    let received = 0
    client.socket.on('data', (chunk: Buffer) => void (received += chunk.length))
    await until(() => received > 8 * 1024 * 1024)
    const listeners = getEventListeners((await sink).signal, 'abort').length
    expect(listeners).toBeLessThan(10)
  })
})

describe('stopping', () => {
  it('ends every stream, including those of clients that do not read', async () => {
    const clients = [await open(), await open()]
    source = async (sink) => {
      while (!sink.signal.aborted) await sink.send([{ event: 'large', data: 'x'.repeat(1_000_000) }])
    }
    await open('slow', { reads: false })
    await turns()
    await streams.stop()
    await Promise.all(served)
    expect(streams.count()).toBe(0)
    await until(() => clients.every((client) => client.text().endsWith('0\r\n\r\n')))
  })

  it('ends streams that are opened afterwards at once', async () => {
    await streams.stop()
    const client = await open()
    await served[0]
    await until(() => client.text().endsWith('0\r\n\r\n'))
    expect(streams.count()).toBe(0)
  })

  it('twice, and before the start, is harmless', async () => {
    await Promise.all([streams.stop(), streams.stop()])
    await expect(createEventStreams(log.log).stop()).resolves.toBeUndefined()
  })
})
