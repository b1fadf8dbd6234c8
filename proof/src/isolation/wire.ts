/** One HTTP exchange with its headers exactly as given, repeats included, over connections that stay open. */
import { Agent, request as open } from 'node:http'

export type Header = readonly [name: string, value: string]

export interface WireRequest {
  readonly method: string
  /** With the query string. */
  readonly path: string
  readonly headers: readonly Header[]
  /** JSON text. */
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: readonly Header[]
  readonly body: string
}

export interface Wire {
  send(baseUrl: string, request: WireRequest): Promise<Answer>
  close(): void
}

/** Long enough for a busy machine, short enough that a request without an answer ends the run. */
const PATIENCE_MS = 20_000

export function createWire(): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return {
    send: (baseUrl, request) => exchange(agent, new URL(baseUrl), request),
    close: () => agent.destroy(),
  }
}

function exchange(agent: Agent, base: URL, { method, path, headers, body }: WireRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = open({
      agent,
      host: base.hostname,
      port: base.port,
      method,
      path,
      // As a flat list Node sends them untouched: nothing is merged, dropped or added.
      headers: [['Host', base.host] as const, ...bodyHeaders(method, body), ...headers].flat(),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    outgoing.once('error', reject)
    outgoing.once('response', (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
      incoming.once('error', reject)
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: pairs(incoming.rawHeaders), body: text }),
      )
    })
    outgoing.end(body)
  })
}

/** Without a length Node would announce a body in chunks, even an empty one. */
function bodyHeaders(method: string, body: string | undefined): Header[] {
  if (body === undefined) return method === 'GET' ? [] : [['Content-Length', '0']]
  return [
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(body))],
  ]
}

function pairs(rawHeaders: readonly string[]): Header[] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index): Header => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ])
}
