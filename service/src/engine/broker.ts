/**
 * The connection to NATS. It carries, it never decides: the service starts and serves without it, says so in
 * its health, and goes on as soon as the server is back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { awaitGreeting } from './greeting.ts'

export interface Broker extends Part {
  isConnected(): boolean
  /** For the other files of this folder; undefined until the first connection. */
  connection(): NatsConnection | undefined
  /** Sends when connected and drops when not: nothing that matters may depend on it. */
  announce(subject: string, payload: string): void
  /** Kept across reconnects; may be called before the connection exists. */
  listen(subject: string, hear: (payload: string) => void): void
}

const FIRST_CONNECTION_MS = 1_000
const RETRY_MS = 500
const ANSWER_MS = 2_000

interface Listener {
  readonly subject: string
  readonly hear: (payload: string) => void
}

export function createBroker(url: string, log: Log): Broker {
  const stopped = new AbortController()
  const listeners: Listener[] = []
  let connection: NatsConnection | undefined
  let connected = false
  let opening: Promise<void> | undefined

  async function openOnce(): Promise<NatsConnection> {
    await awaitGreeting(url, ANSWER_MS, stopped.signal)
    return connect(connectionOptions(url))
  }

  /** Tried until it succeeds or nobody wants it any more; the client's own waiting could not be called off. */
  async function open(): Promise<void> {
    while (!stopped.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      const opened = await openOnce().catch((error: unknown) => {
        log.warn({ err: error }, 'the broker cannot be reached; it is tried again')
      })
      if (opened) return use(opened)
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      await delay(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  async function use(opened: NatsConnection): Promise<void> {
    if (stopped.signal.aborted) return opened.close()
    connection = opened
    connected = true
    for (const listener of listeners) subscribe(opened, listener, log)
    void followStatus(opened, (state) => {
      connected = state
      log.info({ connected }, 'broker connection changed')
    })
  }

  return {
    name: 'broker',
    async start() {
      opening = open()
      // A broker that is there is waited for, so that the first health answer is true; one that is down must
      // not keep the service from starting.
      await Promise.race([
        opening,
        delay(FIRST_CONNECTION_MS, undefined, { signal: stopped.signal, ref: false }),
      ])
    },
    async stop() {
      stopped.abort()
      connected = false
      await opening
      await connection?.close()
    },
    isConnected: () => connected,
    connection: () => connection,
    announce(subject, payload) {
      if (connected) connection?.publish(subject, payload)
    },
    listen(subject, hear) {
      const listener = { subject, hear }
      listeners.push(listener)
      if (connection) subscribe(connection, listener, log)
    },
  }
}

function connectionOptions(url: string): Parameters<typeof connect>[0] {
  const { protocol, host, username, password } = new URL(url)
  return {
    servers: `${protocol}//${host}`,
    // The client drops the scheme. Without this it would take a server that offers no TLS, and send it the password.
    ...(protocol === 'tls:' && { tls: {} }),
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    name: 'concord',
    timeout: ANSWER_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    reconnectJitter: 500,
    // Two missed pings find a half-open connection in about ten seconds instead of four minutes.
    pingInterval: 5_000,
    maxPingOut: 2,
  }
}

function subscribe(connection: NatsConnection, { subject, hear }: Listener, log: Log): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) log.warn({ err: error, subject }, 'a broker message could not be read')
      else hear(message.string())
    },
  })
}

async function followStatus(connection: NatsConnection, report: (connected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') report(false)
    if (status.type === 'reconnect') report(true)
  }
}
