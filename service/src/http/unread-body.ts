/**
 * A body that is refused before it was read. Closing the connection while the rest is on its way would reset it, and
 * the answer would be lost with it; so the rest is read and thrown away first, within bounds.
 */
import type { IncomingMessage } from 'node:http'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 64 * 1024 * 1024

/** Resolves when the client has sent everything, or more of it than anyone should wait for. */
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
  // One that was read through a stream that broke stands still.
  request.resume()
  await promise
  clearTimeout(timer)
  request.off('data', discard).off('end', finish).off('error', finish).off('close', finish)
}
