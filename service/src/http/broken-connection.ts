/**
 * Answers requests that fail in Node's HTTP parser: malformed headers or bodies, timeouts, oversized headers, CONNECT. Node would close
 * the connection, or send an empty response; these clients get a problem document like all others.
 */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { ProblemCode } from '@concord/contract'
import { PROBLEM_TYPE, problemDocument } from './problems.ts'

export interface BrokenConnections {
  /** Answers a parser error or a timeout. */
  answer(error: Error & { code?: string }, socket: Socket): void
  watch(server: Server): void
}

const CODES: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/** The time in which the client can read the response before the connection is destroyed. */
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
    // Our side is closed. A client that keeps sending would keep the connection open, so it is destroyed.
    const linger = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(linger))
  }

  return {
    answer(error, socket) {
      // The client is gone, or a response has been started and cannot be replaced.
      if (error.code === 'ECONNRESET' || !socket.writable || answering.get(socket)?.headersSent)
        socket.destroy()
      else refuse(CODES[error.code ?? ''] ?? 'malformed_request', socket)
    },
    watch(server) {
      server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
        answering.set(socket, response)
        response.once('close', () => answering.delete(socket))
      })
      // Unknown expectations are ignored, as RFC 9110 allows; Node would refuse them with an empty response.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response))
      server.on('connect', (_request, socket) => {
        // Node removes its own error listener before it emits `connect`. Without one, a client that resets the connection ends the process.
        socket.on('error', () => socket.destroy())
        refuse('method_not_allowed', socket, ['Allow: GET, POST'])
      })
    },
  }
}
