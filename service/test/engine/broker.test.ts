import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { connect } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort, startChild, waitUntil } from '@concord/tools/launch'
import { startPrivateNats } from '@concord/tools/services'
import { testServices } from '@concord/tools/testing'
import type { PrivateNats } from '@concord/tools/services'
import { createBroker } from '../../src/engine/broker.ts'
import type { Broker } from '../../src/engine/broker.ts'
import { makeCertificate } from '../support/certificate-file.ts'
import { createMemoryLog, silentLog } from '../support/log.ts'

let dir: string
let nats: PrivateNats
const brokers: Broker[] = []

beforeAll(async () => {
  const { serverPath } = testServices().nats
  dir = await mkdtemp(join(tmpdir(), 'concord-broker-'))
  nats = await startPrivateNats({ dir, serverPath, limits: { syncInterval: '2m' } })
})
afterEach(async () => {
  for (const broker of brokers.splice(0)) await broker.stop()
})
afterAll(async () => {
  await nats.remove()
  await rm(dir, { recursive: true })
})

const address = (port = nats.port) => `nats://${nats.user}:${nats.password}@127.0.0.1:${port}`

async function open(url = address(), log = silentLog): Promise<Broker> {
  const broker = createBroker(url, log)
  brokers.push(broker)
  await broker.start()
  return broker
}

const connected = (broker: Broker) =>
  waitUntil(() => broker.isConnected(), { what: 'the broker being connected', everyMs: 20 })

async function hearing(broker: Broker, subject: string): Promise<string[]> {
  const heard: string[] = []
  broker.listen(subject, (payload) => void heard.push(payload))
  return heard
}

/** Announced again until heard: an announcement may be lost, and nothing may depend on it. */
const announceUntilHeard = (from: Broker, subject: string, payload: string, heard: readonly string[]) =>
  waitUntil(
    () => {
      if (heard.includes(payload)) return true
      from.announce(subject, payload)
      return false
    },
    { what: `hearing ${payload}`, everyMs: 20 },
  )

describe('a broker', () => {
  it('carries an announcement to every listener, the sender included, and to no other subject', async () => {
    const [one, two] = [await open(), await open()]
    const [first, second, other] = [
      await hearing(one, 'a.keys'),
      await hearing(two, 'a.keys'),
      await hearing(two, 'b.keys'),
    ]
    await Promise.all([connected(one), connected(two)])
    await announceUntilHeard(one, 'a.keys', 'key-1', second)
    await announceUntilHeard(one, 'a.keys', 'key-2', first)
    expect(other).toEqual([])
  })

  it('receives subjects that were subscribed before the start', async () => {
    const broker = createBroker(address(), silentLog)
    brokers.push(broker)
    const heard = await hearing(broker, 'early')
    await broker.start()
    await connected(broker)
    await announceUntilHeard(broker, 'early', 'x', heard)
    expect(heard).toContain('x')
  })

  it('is refused by a server with another password, and the service still starts', async () => {
    const { log, text } = createMemoryLog()
    const broker = await open(`nats://${nats.user}:wrong@127.0.0.1:${nats.port}`, log)
    expect(broker.isConnected()).toBe(false)
    await waitUntil(() => text().includes('cannot be reached'), { what: 'a line in the log' })
  })
})

describe('without a server', () => {
  it('a broker starts, drops what is announced, and connects once there is one', async () => {
    await nats.stop()
    const broker = await open()
    const heard = await hearing(broker, 'later')
    expect(broker.isConnected()).toBe(false)
    broker.announce('later', 'lost')
    await nats.restart()
    await connected(broker)
    await announceUntilHeard(broker, 'later', 'found', heard)
    expect(heard).not.toContain('lost')
  })

  it('a broker can be stopped twice, and does not retry afterwards', async () => {
    const port = await freePort()
    const broker = await open(address(port))
    await broker.stop()
    await broker.stop()
    let attempts = 0
    const listener = createServer(() => void (attempts += 1)).listen(port, '127.0.0.1')
    // Longer than the longest pause between two attempts.
    await waitUntil(() => attempts > 0, { what: 'an attempt', withinMs: 1_500 }).catch(() => undefined)
    listener.close()
    expect(attempts).toBe(0)
  })

  it('a broker can be stopped before it was started', async () => {
    const broker = createBroker(address(), silentLog)
    await broker.stop()
    expect(broker.isConnected()).toBe(false)
  })
})

describe('when the server is killed', () => {
  it('a broker reports the loss, reconnects, and receives messages again', async () => {
    const [speaker, listener] = [await open(), await open()]
    const heard = await hearing(listener, 'keys')
    await Promise.all([connected(speaker), connected(listener)])
    await announceUntilHeard(speaker, 'keys', 'before', heard)
    nats.kill('SIGKILL')
    await waitUntil(() => !speaker.isConnected() && !listener.isConnected(), {
      what: 'both noticing',
      everyMs: 20,
    })
    speaker.announce('keys', 'meanwhile')
    await nats.restart()
    await Promise.all([connected(speaker), connected(listener)])
    await announceUntilHeard(speaker, 'keys', 'after', heard)
    expect(heard.filter((each) => each !== 'after')).toEqual(['before'])
  })
})

describe('once stopped', () => {
  it('a broker is disconnected, reports that, and announces nothing', async () => {
    const broker = await open()
    await connected(broker)
    await broker.stop()
    expect(broker.isConnected()).toBe(false)
    const outsider = await connect({ servers: nats.url, user: nats.user, pass: nats.password })
    const heard: string[] = []
    outsider.subscribe('after', { callback: (_, message) => void heard.push(message.string()) })
    broker.announce('after', 'x')
    outsider.publish('after', 'y')
    await outsider.flush()
    await outsider.drain()
    expect(heard).toEqual(['y'])
  })
})

describe('an address that begins with tls', () => {
  it('is refused by a client before it sends user or password, if the server has no TLS', async () => {
    let received = ''
    const attempts: string[] = []
    const server = createServer((socket) => {
      attempts.push('connected')
      socket.on('error', () => undefined)
      socket.on('data', (data) => void (received += data.toString('latin1')))
      socket.write('INFO {"server_id":"plain","version":"2.15.1","proto":1,"max_payload":1048576}\r\n')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const { log, text } = createMemoryLog()
      const broker = await open(`tls://concord:secret-of-nats@127.0.0.1:${port}`, log)
      await waitUntil(() => attempts.length > 1 && text().includes('cannot be reached'), {
        what: 'a second try',
        withinMs: 30_000,
      })
      expect(broker.isConnected()).toBe(false)
      expect(received).not.toContain('CONNECT')
      expect(received).not.toContain('secret-of-nats')
      await broker.stop()
    } finally {
      server.close()
    }
  })

  it('leads to a server that has TLS and a certificate that is trusted', async () => {
    const { certificate, key } = await makeCertificate(dir)
    const { serverPath } = testServices().nats
    const port = await freePort()
    const args = ['-a', '127.0.0.1', '-p', String(port), '--user', 'concord', '--pass', 'secret']
    const tls = ['--tls', '--tlscert', certificate, '--tlskey', key]
    const child = startChild({ command: serverPath, args: [...args, ...tls], env: {} })
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, await readFile(certificate, 'utf8')])
    try {
      await connected(await open(`tls://concord:secret@localhost:${port}`))
      setDefaultCACertificates(trusted)
      const { log, text } = createMemoryLog()
      const doubtful = await open(`tls://concord:secret@localhost:${port}`, log)
      await waitUntil(() => text().includes('cannot be reached'), { what: 'a refusal', withinMs: 30_000 })
      expect(doubtful.isConnected()).toBe(false)
    } finally {
      setDefaultCACertificates(trusted)
      for (const broker of brokers.splice(0)) await broker.stop()
      await child.stop()
    }
  })
})
