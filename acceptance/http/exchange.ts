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

export async function exchange(url: string, request: Request): Promise<Reply> {
  const { protocol, hostname, port } = new URL(url)
  const start = protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = start(
      {
        hostname,
        port,
        method: request.method,
        path: request.path,
        headers: { ...lengthOf(request), ...request.headers },
        agent: false,
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
      (incoming) => void readReply(incoming).then(resolve, reject),
    )
    outgoing.once('error', reject)
    outgoing.end(request.body)
  })
}

function lengthOf({ body, chunked }: Request): Record<string, string> {
  if (body === undefined) return {}
  return chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) }
}

async function readReply(incoming: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = Object.entries(incoming.headersDistinct).map(([name, values = []]) => [
    name,
    values.join(', '),
  ])
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: Buffer.concat(chunks).toString('utf8'),
  }
}
