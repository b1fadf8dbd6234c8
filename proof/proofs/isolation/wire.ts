/**
 * One HTTP exchange with its headers exactly as given, repeats included, over connections that stay open. Of an event
 * stream, which never ends, the beginning is read, and then it is closed.
 */
import { Agent, request as open } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { readFrames } from '../../harness/http/event-frames.ts'

export type Header = readonly [name: string, value: string]

export interface WireRequest {
  readonly method: string
  /** With the query string. */
  readonly path: string
  readonly headers: readonly Header[]
  /** JSON text. */
  readonly body?: string
  /** If it opens a stream, there is an event in it for sure: wait for that instead of a moment. */
  readonly awaitsEvent?: boolean
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
/** How long a stream is read: until this after its first bytes, or after its first event. */
const MOMENT_MS = 60
/** An event that should come and does not is left for whoever looks at the answer to notice. */
const EVENT_PATIENCE_MS = 5_000

export function createWire(): Wire {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return {
    send: (baseUrl, request) => exchange(agent, new URL(baseUrl), request),
    close: () => agent.destroy(),
  }
}

function exchange(agent: Agent, base: URL, request: WireRequest): Promise<Answer> {
  const { method, path, headers, body } = request
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
      const read = isStream(incoming) ? readBeginning(outgoing, incoming, request) : readWhole(incoming)
      read.then((text) => resolve(toAnswer(incoming, text)), reject)
    })
    outgoing.end(body)
  })
}

function toAnswer(incoming: IncomingMessage, body: string): Answer {
  return { status: incoming.statusCode ?? 0, headers: pairs(incoming.rawHeaders), body }
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false
}

function readWhole(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
    incoming.once('error', reject)
    incoming.once('end', () => resolve(text))
  })
}

function readBeginning(
  outgoing: ClientRequest,
  incoming: IncomingMessage,
  { awaitsEvent = false }: WireRequest,
): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    let moment: NodeJS.Timeout | undefined
    const finish = () => {
      clearTimeout(moment)
      clearTimeout(patience)
      // Closing it is an error to the request, which has its answer already.
      outgoing.on('error', () => undefined).destroy()
      resolve(text)
    }
    const patience = setTimeout(finish, EVENT_PATIENCE_MS)
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (!awaitsEvent || readFrames(text).length > 0) moment ??= setTimeout(finish, MOMENT_MS)
    })
    incoming.once('end', finish).once('error', finish)
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
