/** Tests the parts of the proof of the database: a network that really breaks, and a verdict that notices each kind of harm. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, waitUntil } from '@concord/tools/launch'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Exchange } from '../proofs/database/askers.ts'
import { networkFaults } from '../harness/network/line.ts'
import { planRestarts, restartKinds } from '../proofs/database/outages.ts'
import type { Outage } from '../proofs/database/outages.ts'
import { openProxy, SLOW_MS } from '../harness/network/proxy.ts'
import type { NetworkProxy } from '../harness/network/proxy.ts'
import {
  exchangesOf,
  findHangs,
  findWrong,
  recoveriesOf,
  successesDuring,
} from '../proofs/database/verdict.ts'
import { createHistory } from '../harness/history.ts'
import { seededRandom } from '../harness/statistics.ts'

describe('the network before the database', () => {
  let echo: Server
  let proxy: NetworkProxy
  let arrivals: number[]
  const clients: Client[] = []

  beforeEach(async () => {
    arrivals = []
    echo = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => {
        arrivals.push(bytes.length)
        socket.write(bytes)
      })
    })
    await once(echo.listen(0, '127.0.0.1'), 'listening')
    proxy = await openProxy()
    proxy.aim({ host: '127.0.0.1', port: portOf(echo) })
  })

  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy()
    await proxy.close()
    echo.close()
  })

  async function dial(): Promise<Client> {
    const client = await openClient(proxy.port)
    clients.push(client)
    return client
  }

  test('passes everything on in fair weather', async () => {
    const client = await dial()
    const text = 'x'.repeat(3_000_000)
    client.socket.write(text)
    await client.until(text.length)
    expect(client.text()).toBe(text)
  })

  test('passes the end of a connection on, behind its last byte', async () => {
    const client = await dial()
    client.socket.end('the last word')
    await once(client.socket, 'close')
    expect(client.text()).toBe('the last word')
  })

  test('takes its time each way when it is slow', async () => {
    const client = await dial()
    proxy.set('slow')
    const asked = performance.now()
    client.socket.write('one')
    await client.until(3)
    expect(performance.now() - asked).toBeGreaterThan(2 * SLOW_MS - 10)
  })

  test('passes single bytes when it trickles', async () => {
    const client = await dial()
    proxy.set('trickle')
    client.socket.write('a few words')
    await client.until(11)
    expect(client.text()).toBe('a few words')
    expect(arrivals.length).toBeGreaterThan(5)
  })

  test('swallows nothing in a blackhole, but passes nothing on until it is over', async () => {
    const before = await dial()
    before.socket.write('1')
    await before.until(1)
    expect(proxy.set('blackhole')).toBe(1)
    before.socket.write('2')
    const during = await dial()
    during.socket.write('3')
    await delay(150)
    expect([before.text(), during.text(), arrivals]).toEqual(['1', '', [1]])
    proxy.set('fair')
    await before.until(2)
    await during.until(1)
    expect([before.text(), during.text()]).toEqual(['12', '3'])
  })

  test('cuts what is open, and again what is opened meanwhile, while it resets', async () => {
    const before = await dial()
    before.socket.write('1')
    await before.until(1)
    proxy.set('reset')
    await waitUntil(() => before.error() === 'ECONNRESET', { what: 'the first connection being cut' })
    const during = await dial()
    await waitUntil(() => during.error() === 'ECONNRESET', { what: 'the second connection being cut' })
    proxy.set('fair')
    const after = await dial()
    after.socket.write('2')
    await after.until(1)
    expect(after.error()).toBeUndefined()
  })

  test('cuts a connection to where nobody is', async () => {
    proxy.aim({ host: '127.0.0.1', port: await freePort() })
    const client = await dial()
    await waitUntil(() => client.error() !== undefined, { what: 'the connection being cut' })
    expect(client.error()).toBe('ECONNRESET')
  })

  test('keeps the order of what was sent while the weather changes', async () => {
    const client = await dial()
    const text = Array.from({ length: 200 }, (_, at) => `${at} `).join('')
    for (const [at, word] of text.split(/(?<= )/).entries()) {
      if (at % 40 === 0)
        proxy.set(networkFaults.filter((fault) => fault !== 'reset')[(at / 40) % 3] ?? 'fair')
      client.socket.write(word)
      if (at % 10 === 0) await delay(5)
    }
    proxy.set('fair')
    await client.until(text.length)
    expect(client.text()).toBe(text)
  })
})

interface Client {
  readonly socket: Socket
  text(): string
  error(): string | undefined
  until(length: number): Promise<void>
}

async function openClient(port: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const pieces: Buffer[] = []
  let received = 0
  let error: string | undefined
  socket.on('error', (each: NodeJS.ErrnoException) => void (error = each.code))
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece)
    received += piece.length
  })
  await once(socket, 'connect')
  return {
    socket,
    text: () => Buffer.concat(pieces).toString(),
    error: () => error,
    until: async (length) =>
      void (await waitUntil(() => received >= length, { what: `${length} bytes`, everyMs: 5 })),
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

describe('the plan of restarts', () => {
  test('gives every kind its share, in an order that the seed decides', () => {
    const plan = planRestarts(20, seededRandom(3))
    for (const kind of restartKinds)
      expect(plan.filter((each) => each === kind).length).toBeGreaterThanOrEqual(6)
    expect(planRestarts(20, seededRandom(3))).toEqual(plan)
    expect(planRestarts(20, seededRandom(4))).not.toEqual(plan)
  })

  test('has crashes in a short run, and one of them during recovery', () => {
    expect(planRestarts(2, seededRandom(1)).toSorted((a, b) => a.length - b.length)).toEqual([
      'crash',
      'crash during recovery',
    ])
  })
})

function exchange(change: Partial<Exchange> = {}): Exchange {
  return { at: 1_000, ms: 20, what: '202', path: '/api/ingest', ...change }
}

const outage: Outage = { kind: 'crash', at: 2_000, darkUntil: 2_500, overAt: 3_000, underWay: 1 }

describe('the verdict on requests', () => {
  test('knows every try of a document, with its time', () => {
    const history = createHistory('run')
    const call = history.open({ tenantId: 't', tenantKey: 'k', scopeId: 's' })
    history.record(call, { at: 1, ms: 7_000, outcome: 'unknown', what: 'timed out' })
    history.record(call, { at: 8_000, ms: 9, outcome: 'ok', what: '202' }, '{"document_id":"d"}')
    expect(exchangesOf(history.calls)).toEqual([
      exchange({ at: 1, ms: 7_000, what: 'timed out' }),
      exchange({ at: 8_000, ms: 9 }),
    ])
  })

  test('finds an answer that came late, and one that never came', () => {
    const late = exchange({ ms: 6_001, what: '503' })
    const never = exchange({ ms: 10, what: 'timed out' })
    expect(findHangs([exchange({ ms: 6_000 }), late, never], 6_000)).toEqual([late, never])
  })

  test('takes 503 for an answer, and 500, 401 and a cut connection for faults', () => {
    const wrong = ['500', '401', 'reset', 'refused', 'malformed answer'].map((what) => exchange({ what }))
    const good = ['200', '202', '404', '503'].map((what) => exchange({ what }))
    expect(findWrong([...good, ...wrong])).toEqual(wrong)
  })
})

describe('the verdict on outages', () => {
  test('counts from the moment when the database is back to the first success', () => {
    const successes = [exchange({ at: 1_900, ms: 150 }), exchange({ at: 2_900, ms: 1_100 })]
    expect(recoveriesOf([outage], successes)).toEqual([1_000])
  })

  test('counts a success that came before anybody saw the database as none to wait for', () => {
    expect(recoveriesOf([outage], [exchange({ at: 2_550, ms: 50 })])).toEqual([0])
  })

  test('finds an outage after which nothing succeeded, whoever else was answered', () => {
    const others = [
      exchange({ at: 3_100, what: '503' }),
      exchange({ at: 3_100, what: '200', path: '/readyz' }),
    ]
    expect(recoveriesOf([outage], others)).toEqual([Infinity])
  })

  test('counts what was accepted while it lasted, and nothing that began or ended outside', () => {
    const inside = exchange({ at: 2_100, ms: 100 })
    const outside = [exchange({ at: 1_950, ms: 100 }), exchange({ at: 2_950, ms: 100 })]
    expect(successesDuring(outage, [inside, ...outside, exchange({ at: 2_100, what: '503' })])).toBe(1)
  })
})
