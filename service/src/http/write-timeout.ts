/**
 * Destroys connections whose client does not read the response. The response would stay in memory, and its request would count
 * against the concurrency limit of its tenant, for as long as the client likes. Event streams have a timeout of their own.
 */
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** After this time without progress the connection is destroyed; at the latest after twice this time, because progress is looked at that often. */
const TIMEOUT_MS = 20_000

/** The hook uses a callback, because it runs for every response. */
export function limitWrites(server: FastifyInstance, timeoutMs = TIMEOUT_MS): void {
  server.addHook('onSend', ({ raw: { socket } }, { raw: response }, payload, done) => {
    // A request that is injected in a test has no real socket.
    if (socket instanceof Socket) {
      // Node counts every part of a write that the operating system takes as progress, and resets the timeout for the next request.
      socket.setTimeout(timeoutMs)
      response.on('timeout', () => {
        // If nothing is left to write, the source of the response is slow, not the client.
        if (response.writableLength > 0) response.destroy()
      })
    }
    done(null, payload)
  })
}
