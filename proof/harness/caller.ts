/** Asks one process of the service, over open connections, and notes when each question left and what came back. */
import { createRawClient } from './http.ts'
import type { RawClient } from './http.ts'

export interface Question {
  readonly method?: string
  readonly path: string
  readonly bearer?: string
  readonly tenantKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly timeoutMs?: number
}

export interface Reply {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** By the wall clock, which is that of Postgres as well: both run on this machine. */
  readonly sentAt: number
  readonly ms: number
}

export interface Caller {
  readonly name: string
  readonly url: string
  ask(question: Question): Promise<Reply>
  /** The body of an answer that must be a success. */
  get<Body>(question: Question): Promise<Body>
  close(): void
}

/** `hear` is told of every answer, so that whoever looks for secrets misses none. */
export function createCaller(name: string, url: string, hear: (reply: Reply) => void): Caller {
  const client: RawClient = createRawClient(url)

  async function ask(question: Question): Promise<Reply> {
    const bytes = toBytes(question)
    const sentAt = Date.now()
    const started = performance.now()
    const answer = await client.send({ bytes, ...(question.timeoutMs && { timeoutMs: question.timeoutMs }) })
    const { status, headers } = answer
    const reply = {
      status,
      headers,
      text: answer.body.toString('utf8'),
      sentAt,
      ms: performance.now() - started,
    }
    hear(reply)
    return reply
  }

  return {
    name,
    url,
    ask,
    async get<Body>(question: Question) {
      const { status, text } = await ask(question)
      if (status >= 300)
        throw new Error(`${question.method ?? 'GET'} ${question.path} answered ${status}: ${text}`)
      return JSON.parse(text) as Body
    },
    close: () => client.close(),
  }
}

function toBytes({ method = 'GET', path, bearer, tenantKey, headers = {}, body }: Question): Buffer {
  const payload = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const lines = Object.entries({
    Host: 'service.example',
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(tenantKey !== undefined && { 'X-Tenant-API-Key': tenantKey }),
    ...(payload && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(payload)),
    }),
    ...headers,
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${payload}`)
}
