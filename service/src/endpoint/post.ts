/**
 * One POST over a kept-alive connection. It follows no redirect, reads no more than it is told to, and has no time limit of its
 * own: the signal is the limit. `fetch` would give up after five minutes without headers, which a model on a small machine needs.
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
  /** Closes idle connections. */
  close(): void
}

export class ResponseTooLong extends Error {}

export function createConnections(protocol: string, maxBytes: number): Connections {
  const isHttps = protocol === 'https:'
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = isHttps ? httpsRequest : httpRequest

  async function attempt(
    { url, headers, body, signal }: PostRequest,
    mayRepeat: boolean,
  ): Promise<PostResponse> {
    const request = send(url, { method: 'POST', agent, headers, signal })
    try {
      const response = await responseTo(request, body)
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: await readText(response, maxBytes),
      }
    } catch (error) {
      // The server closed an idle connection at the moment it was used again.
      if (mayRepeat && request.reusedSocket && isReset(error) && !signal.aborted)
        return attempt({ url, headers, body, signal }, false)
      throw error
    }
  }

  return {
    post: (request) => attempt(request, true),
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
