/**
 * Limits how long a JSON body may take to arrive. The request timeout of the server allows for files over slow lines. A JSON body is
 * small, so a slow one would only occupy a connection and a concurrent request of its tenant.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Measured from the time at which the request was admitted. */
const JSON_BODY_MS = 15_000

/** Calls `giveUp` once if the body is not complete in time. Does not call it after the body is complete or the request is answered. */
export function watchBody(request: IncomingMessage, response: ServerResponse, giveUp: () => void): void {
  if (request.complete || !hasBody(request)) return
  const timer = setTimeout(giveUp, JSON_BODY_MS)
  const stop = () => clearTimeout(timer)
  request.once('end', stop).once('close', stop)
  response.once('close', stop)
}

/** Returns the error that Node creates for a request timeout, with the id of the request. */
export function lateBody(requestId: string): Error {
  const code = 'ERR_HTTP_REQUEST_TIMEOUT'
  return Object.assign(new Error('the body did not arrive in time'), { code, requestId })
}

/** True if the headers announce at least one byte, or chunks. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
