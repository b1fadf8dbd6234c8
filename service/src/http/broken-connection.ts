/**
 * Answers what never became a request: a broken header block or body, a time limit, headers without end, CONNECT. Node
 * would close the connection without a word or with an empty answer; everyone else gets a problem document, so do these.
 */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { ProblemCode } from '@concord/contract'
import { PROBLEM_TYPE, problemDocument } from './problems.ts'

export interface BrokenConnections {
  /** For a parser error or a time limit. */
  answer(error: Error & { code?: string }, socket: Socket): void
  watch(server: Server): void
}

const CODES: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** Long enough for the answer to be read before the connection is cut. */
const LINGER_MS = 1_000

export function createBrokenConnections(publicUrl: string): BrokenConnections {
  const answering = new WeakMap<Duplex, ServerResponse>()

  function refuse(code: ProblemCode, socket: Duplex, headers: readonly string[] = []): void {
    const document = problemDocument(code, { publicUrl, requestId: randomUUID() })
    const body = JSON.stringify(document)
    socket.end(
      [
        `HTTP/1.1 ${document.status} ${STATUS_CODES[document.status] ?? ''}`,
        `Content-Type: ${PROBLEM_TYPE}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${document.request_id}`,
        'Connection: close',
        ...headers,
        '',
        body,
      ].join('\r\n'),
    )
    // A client that goes on sending would keep the connection: our side is closed by now, and nothing closes the other.
    const linger = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(linger))
  }

  return {
    answer(error, socket) {
      // Nobody is left to answer, or an answer has begun and a second one in its middle would be garbage.
      if (error.code === 'ECONNRESET' || !socket.writable || answering.get(socket)?.headersSent)
        socket.destroy()
      else refuse(CODES[error.code ?? ''] ?? 'malformed_request', socket)
    },
    watch(server) {
      server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
        answering.set(socket, response)
        response.once('close', () => answering.delete(socket))
      })
      // An expectation we do not know is ignored, as RFC 9110 allows, instead of refused with an empty answer.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response))
      server.on('connect', (_request, socket) => refuse('method_not_allowed', socket, ['Allow: GET, POST']))
    },
  }
}
