/**
 * How long a body may take to arrive. The limit of the server is long enough for a file over a slow line; a JSON body is small, so
 * one that drips in would only keep a connection, and a place among the requests of its tenant, from others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** From the moment at which the caller was let in. */
const JSON_BODY_MS = 15_000

/** Calls once if the body has not arrived whole by then; never once it has, or once the request is answered. */
export function watchBody(request: IncomingMessage, response: ServerResponse, giveUp: () => void): void {
  if (request.complete || !hasBody(request)) return
  const timer = setTimeout(giveUp, JSON_BODY_MS)
  const stop = () => clearTimeout(timer)
  request.once('end', stop).once('close', stop)
  response.once('close', stop)
}

/** The error that Node gives to a request that takes longer than the limit of the server. */
export function lateBody(): Error {
  return Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
