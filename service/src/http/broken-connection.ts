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

interface ConnectionError extends Error {
  readonly code?: string
  readonly requestId?: string
}

export interface BrokenConnections {
  /** Answers a parser error or a timeout. The answer has the id of the request if the error has it. */
  answer(error: ConnectionError, socket: Socket): void
  watch(server: Server): void
}

const CODES: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}

/**
 * The limits within which a client may go on sending after its response: the time in total, the time since its last byte, and the bytes.
 * Destroying the connection while bytes arrive would reset it, and a client that has not read its response yet would lose it.
 */
const LINGER_MS = 5_000
const LINGER_IDLE_MS = 1_000
const LINGER_BYTES = 16 * 1024 * 1024

export function createBrokenConnections(publicUrl: string): BrokenConnections {
  const answering = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()

  function refuse(
    code: ProblemCode,
    socket: Duplex,
    {
      headers = [],
      requestId = randomUUID(),
    }: { headers?: readonly string[]; requestId?: string | undefined },
  ): void {
    const document = problemDocument(code, { publicUrl, requestId })
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
    refused.add(socket)
    discardInput(socket)
  }

  return {
    answer(error, socket) {
      // Node may report further errors of a connection whose rest is discarded, for example that a request on it timed out.
      if (refused.has(socket)) return
      // The client is gone, or a response has been started and cannot be replaced.
      if (error.code === 'ECONNRESET' || !socket.writable || answering.get(socket)?.headersSent)
        socket.destroy()
      else refuse(CODES[error.code ?? ''] ?? 'malformed_request', socket, { requestId: error.requestId })
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
        refuse('method_not_allowed', socket, { headers: ['Allow: GET, POST'] })
      })
    },
  }
}

/** Reads and drops what the client still sends, until it closes the connection or reaches a limit. Our side is closed by then. */
function discardInput(socket: Duplex): void {
  const end = () => socket.destroy()
  const inTotal = setTimeout(end, LINGER_MS)
  const sinceLastByte = setTimeout(end, LINGER_IDLE_MS)
  let discarded = 0
  // The parser of the connection listens too, and would report each further chunk as an error.
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > LINGER_BYTES) end()
    else sinceLastByte.refresh()
  })
  socket.resume()
  socket.once('close', () => {
    clearTimeout(inTotal)
    clearTimeout(sinceLastByte)
  })
}
