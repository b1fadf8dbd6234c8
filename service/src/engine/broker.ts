/**
 * The connection to NATS. It transports messages and decides nothing: without it the service starts and serves, reports
 * the outage in its health, and resumes as soon as the server is back.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import { awaitGreeting } from './greeting.ts'

export interface Broker extends Part {
  isConnected(): boolean
  /** For the other files of this folder. Undefined until the first connection. */
  connection(): NatsConnection | undefined
  /** Publishes while connected, and drops the message otherwise. Nothing important may depend on it. */
  announce(subject: string, payload: string): void
  /** Subscribes. The subscription survives reconnects and may be made before the connection exists. */
  listen(subject: string, onMessage: (payload: string) => void): void
}

const FIRST_CONNECTION_MS = 1_000
const RETRY_MS = 500
const ANSWER_MS = 2_000

interface Listener {
  readonly subject: string
  readonly onMessage: (payload: string) => void
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

  /** Retries until it succeeds or the broker is stopped. The retries of the client itself cannot be cancelled. */
  async function open(): Promise<void> {
    while (!stopped.signal.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- one try at a time
      const opened = await openOnce().catch((error: unknown) => {
        log.warn({ err: error }, 'the broker cannot be reached; retrying')
      })
      if (opened) return use(opened)
      // oxlint-disable-next-line no-await-in-loop -- one try at a time
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
      // Wait for the first connection, so that the first health response is true, but not for long: the service must
      // start while the broker is down.
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
    listen(subject, onMessage) {
      const listener = { subject, onMessage }
      listeners.push(listener)
      if (connection) subscribe(connection, listener, log)
    },
  }
}

function connectionOptions(url: string): Parameters<typeof connect>[0] {
  const { protocol, host, username, password } = new URL(url)
  return {
    servers: `${protocol}//${host}`,
    // The client ignores the scheme. Without this it would accept a server without TLS and send it the password.
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

function subscribe(connection: NatsConnection, { subject, onMessage }: Listener, log: Log): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) log.warn({ err: error, subject }, 'a broker message could not be read')
      else onMessage(message.string())
    },
  })
}

async function followStatus(connection: NatsConnection, report: (connected: boolean) => void): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'staleConnection') report(false)
    if (status.type === 'reconnect') report(true)
  }
}
