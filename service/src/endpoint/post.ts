/**
 * Sends one POST over a keep-alive connection. It follows no redirects, limits the size of the response, and has no
 * timeout of its own besides the signal. `fetch` would time out after five minutes without headers, which a model on a
 * small machine needs.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export interface PostRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

export interface PostResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Connections {
  post(request: PostRequest): Promise<PostResponse>
  /** Closes all connections; requests in flight fail. */
  close(): void
}

export class ResponseTooLong extends Error {}

const IDLE_CLOSE_MS = 1_000

export function createConnections(protocol: string, maxBytes: number): Connections {
  const isHttps = protocol === 'https:'
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = isHttps ? httpsRequest : httpRequest

  async function begin(
    { url, headers, body, signal }: PostRequest,
    isRepeated = false,
  ): Promise<IncomingMessage> {
    const request = send(url, { method: 'POST', agent, headers, signal })
    const began = performance.now()
    try {
      return await responseTo(request, body)
    } catch (error) {
      // The server closed an idle connection at the moment it was used again. A later reset may have cost tokens.
      const wasIdle = request.reusedSocket && isReset(error) && performance.now() - began < IDLE_CLOSE_MS
      if (isRepeated || !wasIdle || signal.aborted) throw error
      return begin({ url, headers, body, signal }, true)
    }
  }

  return {
    async post(request) {
      const response = await begin(request)
      const { statusCode: status = 0, headers } = response
      return { status, headers, body: await readText(response, maxBytes) }
    },
    close: () => agent.destroy(),
  }
}

function responseTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request.on('response', resolve)
  // Errors after the response are those of reading it, which reports them.
  request.on('error', reject)
  request.end(body)
  return promise
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      response.destroy()
      throw new ResponseTooLong()
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
