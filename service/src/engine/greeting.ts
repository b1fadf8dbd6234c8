/**
 * Whether a server at an address speaks at all. The client of NATS keeps its socket open for ever when a server takes the
 * connection and then says nothing, which would keep a command from ending; so that is found out here first.
 */
import { connect } from 'node:net'

const DEFAULT_PORT = 4222

/** Rejects where nothing is said in time; every NATS says `INFO` as soon as somebody connects, before any TLS. */
export async function awaitGreeting(url: string, withinMs: number, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host, port: Number(port || DEFAULT_PORT) })
  const stop = () => reject(new Error('nobody waits for it any more'))
  socket.once('data', () => resolve())
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('the connection was closed without a word')))
  socket.setTimeout(withinMs, () => reject(new Error(`nothing was said within ${withinMs} ms`)))
  signal.addEventListener('abort', stop, { once: true })
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}
