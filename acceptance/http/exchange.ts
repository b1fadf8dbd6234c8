/** One request, one answer, over a connection of its own. Sends what it is given: no redirects, no tidied paths. */
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface Request {
  readonly method: string
  /** As it goes over the wire, query included. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Send the body without announcing its length. */
  readonly chunked?: boolean
}

export interface Reply {
  readonly status: number
  /** By lower-case name; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Longer than the service may take for anything that is tested here. */
const PATIENCE_MS = 10_000

/** An event stream has no end of its own: its head and the first bytes are the answer, and then it is left. */
export async function exchange(url: string, request: Request): Promise<Reply> {
  const incoming = await send(url, request, AbortSignal.timeout(PATIENCE_MS))
  const endless = isEventStream(incoming.headers['content-type'])
  const chunks: Buffer[] = []
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer)
    if (endless) break
  }
  return { ...headOf(incoming), text: Buffer.concat(chunks).toString('utf8') }
}

/** The answer as soon as its head is there; the signal ends it at any time. */
export async function send(url: string, request: Request, signal: AbortSignal): Promise<IncomingMessage> {
  const { protocol, hostname, port } = new URL(url)
  const start = protocol === 'https:' ? requestHttps : requestHttp
  const { method, path, body } = request
  const headers = { ...lengthOf(request), ...request.headers }
  return new Promise((resolve, reject) => {
    const outgoing = start({ hostname, port, method, path, headers, agent: false, signal }, resolve)
    // Not only once: what is left before its end fails a second time, when nobody listens any more.
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export function isEventStream(contentType: string | undefined): boolean {
  return contentType?.startsWith('text/event-stream') ?? false
}

export function headOf(incoming: IncomingMessage): Pick<Reply, 'status' | 'headers'> {
  const headers = Object.entries(incoming.headersDistinct).map(([name, values = []]) => [
    name,
    values.join(', '),
  ])
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
  }
}

function lengthOf({ body, chunked }: Request): Record<string, string> {
  if (body === undefined) return {}
  return chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) }
}
