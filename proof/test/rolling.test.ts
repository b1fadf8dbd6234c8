/** Tests the parts of the proof of rolling: a balancer that behaves like one, and a verdict that notices every bad end. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { waitUntil } from '@concord/tools/launch'
import { afterEach, describe, expect, test } from 'vitest'
import { startBalancer } from '../proofs/rolling/balancer.ts'
import type { Balancer } from '../proofs/rolling/balancer.ts'
import type { Departure } from '../proofs/rolling/rolls.ts'
import { judgeRolls } from '../proofs/rolling/verdict.ts'

interface Process {
  readonly url: string
  readonly server: Server
  ready: boolean
  asked: number
  connections: number
  answer(response: ServerResponse): void
}

const processes: Process[] = []
let balancer: Balancer | undefined

/** An HTTP server that says whether it is ready, and answers everything else as the test wants. */
async function startProcess(): Promise<Process> {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.writeHead(started.ready ? 200 : 503).end()
    else {
      started.asked += 1
      started.answer(response)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const started: Process = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    server,
    ready: true,
    asked: 0,
    connections: 0,
    answer: (response) => void response.end('done'),
  }
  server.on('connection', () => void (started.connections += 1))
  processes.push(started)
  return started
}

async function balance(count: number): Promise<Balancer> {
  for (let started = 0; started < count; started += 1) await startProcess()
  const begun = startBalancer({ known: () => processes.map(({ url }) => url), lookEveryMs: 20 })
  balancer = begun
  await waitUntil(() => begun.urls().length === count, { what: 'all being ready' })
  return begun
}

const ask = (through: Balancer) =>
  through.send((url) => Buffer.from(`GET /thing HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`))

afterEach(async () => {
  await balancer?.stop()
  for (const { server } of processes.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe('the balancer', () => {
  test('shares requests among all that are ready, over connections that it keeps', async () => {
    const through = await balance(2)
    for (let sent = 0; sent < 40; sent += 1) expect((await ask(through)).status).toBe(200)
    expect(processes.map(({ asked }) => asked)).toEqual([20, 20])
    // One after the other needs one, and the questions whether it is ready may come in between.
    for (const { connections } of processes) expect(connections).toBeLessThanOrEqual(2)
  })

  test('sends nothing more to one that is not ready, and again once it is', async () => {
    const through = await balance(2)
    const [first] = processes
    if (!first) throw new Error('there is a first one')
    first.ready = false
    await waitUntil(() => !through.urls().includes(first.url), { what: 'the first one being out' })
    const before = first.asked
    for (let sent = 0; sent < 10; sent += 1) await ask(through)
    expect(first.asked).toBe(before)
    first.ready = true
    await waitUntil(() => through.urls().includes(first.url), { what: 'the first one being in again' })
  })

  test('takes an answer that ends its connection for a farewell', async () => {
    const through = await balance(1)
    const [only] = processes
    if (!only) throw new Error('there is one')
    only.answer = (response) => void response.writeHead(200, { connection: 'close' }).end('done')
    only.ready = false
    expect((await ask(through)).status).toBe(200)
    expect(through.urls()).toEqual([])
    expect(through.tally.farewells).toBe(1)
  })

  test('never sends a request twice: one that is cut off has failed', async () => {
    const through = await balance(2)
    for (const each of processes) each.answer = (response) => void response.destroy()
    await expect(ask(through)).rejects.toThrow('reset')
    expect(processes.reduce((sum, { asked }) => sum + asked, 0)).toBe(1)
  })

  test('has nobody to send to when none is ready', async () => {
    const through = await balance(1)
    for (const each of processes) each.ready = false
    await waitUntil(() => through.urls().length === 0, { what: 'nobody being ready' })
    await expect(ask(through)).rejects.toThrow('no API is ready')
  })

  test('knows how many requests are on their way to whom', async () => {
    const through = await balance(1)
    const [only] = processes
    if (!only) throw new Error('there is one')
    const held: ServerResponse[] = []
    only.answer = (response) => void held.push(response)
    const asking = ask(through)
    await waitUntil(() => held.length === 1, { what: 'the request arriving' })
    expect(through.underWay(only.url)).toBe(1)
    held[0]?.end()
    await asking
    expect(through.underWay(only.url)).toBe(0)
  })
})

function departure(change: Partial<Departure> = {}): Departure {
  return { role: 'api', name: 'api 1', at: 0, exitMs: 900, exitCode: 0, inFlight: 2, ...change }
}

describe('the verdict on rolls', () => {
  test('finds nothing where everybody left in order', () => {
    expect(judgeRolls([departure(), departure({ role: 'worker', exitMs: 1_500, inFlight: 0 })])).toEqual({
      slowestMs: 1_500,
      disorderly: [],
      byRole: new Map([
        ['api', { all: 1, busy: 1 }],
        ['worker', { all: 1, busy: 0 }],
      ]),
    })
  })

  test('names whoever ended by a signal, or with anything but 0', () => {
    const { disorderly } = judgeRolls([departure({ exitCode: null }), departure({ exitCode: 1 })])
    expect(disorderly).toEqual(['api 1 ended with a signal', 'api 1 ended with 1'])
  })
})
