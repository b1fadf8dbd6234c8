/**
 * Checks that a server at an address sends anything. If a server accepts the connection and then stays silent, the
 * client of NATS keeps its socket open for ever, and a command would never end. So this check comes first.
 */
import { connect } from 'node:net'

const DEFAULT_PORT = 4222

/** Rejects if the server sends nothing in time. NATS sends `INFO` as soon as a client connects, before TLS. */
export async function awaitGreeting(url: string, withinMs: number, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host, port: Number(port || DEFAULT_PORT) })
  const stop = () => reject(new Error('the check was aborted'))
  socket.once('data', () => resolve())
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('the server closed the connection and sent nothing')))
  socket.setTimeout(withinMs, () => reject(new Error(`the server sent nothing within ${withinMs} ms`)))
  signal.addEventListener('abort', stop, { once: true })
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}
