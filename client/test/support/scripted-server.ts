/** A server that answers what the test says, request by request, and remembers what it was asked. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { afterEach } from 'vitest'

export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type ScriptedReply = (response: ServerResponse, asked: ScriptedRequest) => void

export interface ScriptedServer {
  readonly url: string
  readonly asked: readonly ScriptedRequest[]
}

const servers: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((close) => close()))
})

/** One reply for each request, in order; the last one for all that follow. */
export async function serve(...replies: readonly ScriptedReply[]): Promise<ScriptedServer> {
  const asked: ScriptedRequest[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      const reply = replies[Math.min(asked.length, replies.length - 1)]
      asked.push(one)
      reply?.(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, asked }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): ScriptedReply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): ScriptedReply {
  const body = {
    type: `/problems/${code}`,
    title: 'Title',
    status,
    detail: 'Do this.',
    instance: 'urn:x',
    code,
    request_id: 'r1',
  }
  return json(status, body, { 'content-type': 'application/problem+json; charset=utf-8', ...headers })
}

/** Cut off without an answer. */
export const cut: ScriptedReply = (response) => void response.socket?.destroy()

/** Never answered. */
export const silent: ScriptedReply = () => undefined

/** A stream that says this and then stays open, or ends, or is cut off. */
export function events(text: string, then: 'open' | 'end' | 'cut' = 'open'): ScriptedReply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text, () => {
      if (then === 'end') response.end()
      if (then === 'cut') response.socket?.destroy()
    })
  }
}

export function frame(id: number | string, type = 'document.queued'): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ type, id: String(id), data: { seq: id } })}\n\n`
}
