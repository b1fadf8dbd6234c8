/**
 * The HTTP client of the proofs. A request is a record; what it does not say is left out of the bytes, and nothing is
 * added, merged or followed. `createHttpClient` keeps its connections open; `send` and `requestJson` use one of their own.
 */
import { createRawClient } from './http/raw.ts'

export { createRawClient, NoAnswer } from './http/raw.ts'
export type { RawClient, Silence } from './http/raw.ts'
export type { Answer } from './http/answer.ts'

export type Header = readonly [name: string, value: string]

export interface HttpRequest {
  /** POST where there is a body, GET where there is none. */
  readonly method?: string
  /** With the query string. */
  readonly path: string
  readonly bearer?: string | undefined
  readonly tenantKey?: string | undefined
  readonly tenantId?: string | undefined
  /** Added last; as a list, a name may come twice. */
  readonly headers?: readonly Header[] | Readonly<Record<string, string>>
  /** Bytes are sent as they are, without a type; text as it is, and anything else, as JSON. */
  readonly body?: unknown
  /** The length of the body is not announced. */
  readonly chunked?: boolean | undefined
  readonly timeoutMs?: number
  /** See RawRequest. */
  readonly listenMs?: number
  readonly awaitsEvent?: boolean
}

export interface HttpResponse {
  readonly status: number
  /** By lower-case name; repeated ones are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** By the wall clock, which Postgres shares: both run on this machine. */
  readonly sentAt: number
  readonly ms: number
}

export interface HttpClient {
  readonly url: string
  send(request: HttpRequest): Promise<HttpResponse>
  /** The body of a response that must be a success. */
  json<Body>(request: HttpRequest): Promise<Body>
  close(): void
}

/** `onResponse` sees every response, so that a search for secrets misses none. */
export function createHttpClient(url: string, onResponse?: (response: HttpResponse) => void): HttpClient {
  const raw = createRawClient(url)
  const exchange = async (request: HttpRequest) => {
    const response = await sendVia(raw.send, url, request)
    onResponse?.(response)
    return response
  }
  return {
    url,
    send: exchange,
    json: async <Body>(request: HttpRequest) => readJson(request, await exchange(request)) as Body,
    close: raw.close,
  }
}

/** Over a connection of its own. */
export async function send(url: string, request: HttpRequest): Promise<HttpResponse> {
  return sendVia((raw) => createRawClient(url).send({ ...raw, fresh: true }), url, request)
}

/** The body of a response that must be a success. */
export async function requestJson<Body>(url: string, request: HttpRequest): Promise<Body> {
  return readJson(request, await send(url, request)) as Body
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next_cursor: string | null
}

/** Every item of a list, page by page. */
export async function requestAll<Item>(url: string, request: HttpRequest, limit = 100): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = `limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const path = `${request.path}${request.path.includes('?') ? '&' : '?'}${query}`
    const page: Page<Item> = await requestJson(url, { ...request, path })
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

export function headersOf({ bearer, tenantKey, tenantId, headers = [] }: HttpRequest): Header[] {
  return [
    ...(bearer === undefined ? [] : [['Authorization', `Bearer ${bearer}`] as const]),
    ...(tenantKey === undefined ? [] : [['X-Tenant-API-Key', tenantKey] as const]),
    ...(tenantId === undefined ? [] : [['X-Tenant-ID', tenantId] as const]),
    ...(Array.isArray(headers) ? (headers as readonly Header[]) : Object.entries(headers)),
  ]
}

/** The request as it goes over the wire. */
export function requestBytes(url: string, request: HttpRequest): Buffer {
  const { body, method = body === undefined ? 'GET' : 'POST', path, chunked } = request
  const payload = payloadOf(body)
  const own: Header[] = [['Host', new URL(url).host]]
  const given = headersOf(request)
  const isTyped = Buffer.isBuffer(body) || given.some(([name]) => name.toLowerCase() === 'content-type')
  if (payload.length > 0 && !isTyped) own.push(['Content-Type', 'application/json'])
  if (chunked) own.push(['Transfer-Encoding', 'chunked'])
  else if (body !== undefined || method !== 'GET') own.push(['Content-Length', String(payload.length)])
  const lines = [...own, ...given].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return Buffer.concat([head, ...(chunked ? chunksOf(payload) : [payload])])
}

/** The body as it goes over the wire. */
export function payloadOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function chunksOf(payload: Buffer): Buffer[] {
  const size = `${payload.length.toString(16)}\r\n`
  const end = Buffer.from('0\r\n\r\n')
  return payload.length === 0 ? [end] : [Buffer.from(size), payload, Buffer.from('\r\n'), end]
}

type SendRaw = ReturnType<typeof createRawClient>['send']

async function sendVia(sendRaw: SendRaw, url: string, request: HttpRequest): Promise<HttpResponse> {
  const { method, timeoutMs, listenMs, awaitsEvent } = request
  const bytes = requestBytes(url, request)
  const sentAt = Date.now()
  const started = performance.now()
  const answer = await sendRaw({
    bytes,
    head: method === 'HEAD',
    ...(timeoutMs && { timeoutMs }),
    ...(listenMs && { listenMs }),
    ...(awaitsEvent && { awaitsEvent }),
  })
  const { status, headers, body } = answer
  return { status, headers, text: body.toString('utf8'), sentAt, ms: performance.now() - started }
}

function readJson({ method, path, body }: HttpRequest, { status, text }: HttpResponse): unknown {
  const name = method ?? (body === undefined ? 'GET' : 'POST')
  if (status < 200 || status > 299) throw new Error(`${name} ${path} answered ${status}: ${text}`)
  return JSON.parse(text)
}
