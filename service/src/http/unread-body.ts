/**
 * Discards the rest of a request body that is refused. Closing the connection while the client is sending would reset it, and
 * the response would be lost. So the rest is read and dropped first, up to a limit.
 */
import type { IncomingMessage } from 'node:http'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 64 * 1024 * 1024

/** Resolves when the body has been read, or when the limit on time or bytes is reached. */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const finish = () => resolve()
  const timer = setTimeout(finish, TIMEOUT_MS)
  let discarded = 0
  const discard = (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > MAX_BYTES) finish()
  }
  request.on('data', discard).once('end', finish).once('error', finish).once('close', finish)
  // A body that was piped through a destroyed stream is paused.
  request.resume()
  await promise
  clearTimeout(timer)
  request.off('data', discard).off('end', finish).off('error', finish).off('close', finish)
}
