/** A local server that speaks chat completions: well, badly or slowly, as a test tells it to. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { ModelRequest, ModelStep } from '../../src/domain/model.ts'

export interface ReceivedRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

export type Behaviour = (request: ReceivedRequest, response: ServerResponse) => void

export interface TestModelServer {
  readonly url: string
  readonly requests: ReceivedRequest[]
  behave(behaviour: Behaviour): void
  /** Connections that were opened so far. */
  connections(): number
  /** Goes away, with all connections. */
  leave(): Promise<void>
  /** Is back at the same address. */
  comeBack(): Promise<void>
}

/** Call at the top of a file. */
export function useModelServer(): () => TestModelServer {
  const requests: ReceivedRequest[] = []
  let behaviour: Behaviour = answerWith('{}')
  let connections = 0
  let port = 0
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await receive(incoming)
    requests.push(request)
    behaviour(request, response)
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    void serve(incoming, response)
  })
  server.on('connection', () => (connections += 1))
  const listen = () => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const leave = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  beforeAll(async () => {
    await listen()
    ;({ port } = server.address() as AddressInfo)
  })
  afterEach(() => {
    requests.length = 0
    behaviour = answerWith('{}')
  })
  afterAll(() => (server.listening ? leave() : undefined))
  return () => ({
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    behave: (next) => void (behaviour = next),
    connections: () => connections,
    leave,
    comeBack: listen,
  })
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  incoming.setEncoding('utf8')
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  const { url: path = '', headers } = incoming
  return { path, authorization: headers.authorization, body: JSON.parse(text) as Record<string, unknown> }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export const USAGE = { prompt_tokens: 300, completion_tokens: 21, total_tokens: 321 }

/** The completion that a server which speaks well sends; `over` replaces parts of the first choice. */
export function completion(content: unknown, over: object = {}, usage: unknown = USAGE): object {
  const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', ...over }
  return { id: 'x', object: 'chat.completion', created: 1, model: 'served-model', choices: [choice], usage }
}

export const answerWith =
  (content: unknown, over?: object, usage?: unknown): Behaviour =>
  (_, response) =>
    sendJson(response, 200, completion(content, over, usage))

export const failWith =
  (status: number, headers: Record<string, string> = {}, error: object = {}): Behaviour =>
  (_, response) =>
    sendJson(response, status, { error: { message: 'Bearer a-key was wrong', ...error } }, headers)

export const modelRequest = (user = '{"text":"a"}', step: ModelStep = 'extract'): ModelRequest => ({
  step,
  promptVersion: 1,
  system: 'Read it.',
  user,
  schemaName: `concord_${step}_v1`,
  schema: { type: 'object', properties: { claims: { type: 'array' } }, required: ['claims'] },
  maxOutputTokens: 500,
})
