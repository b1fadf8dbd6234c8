/**
 * A server that speaks OpenAI's chat completions and answers from files. A request that has no answer yet is written to a file
 * and waits until some model, or a person, has written the answer; with `replay` it gets 503. So tests and measurements need no
 * model server, and the same answers give the same figures.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAnswerFiles } from './answers.ts'
import type { AnswerFiles } from './answers.ts'
import { chatCompletion, errorBody, InvalidRequest, parseChatRequest } from './protocol.ts'
import type { ChatRequest } from './protocol.ts'
import { createWaitingRequests } from './waiting.ts'
import type { WaitingRequests } from './waiting.ts'

export interface RecorderOptions {
  readonly dir: string
  /** Whether a request without an answer is refused instead of waiting. */
  readonly replay?: boolean
  /** Whether a request that is refused gets no answer instead of 503, so that its client does not take the model to be away. */
  readonly hold?: boolean
  /** Any free one where it is left out. */
  readonly port?: number
  readonly report?: (line: string) => void
}

export interface RecorderCounts {
  /** Requests that were answered. */
  answered: number
  /** Requests that had no answer when they came. */
  unknown: number
}

export interface Recorder {
  /** To be used as `MODEL_URL`. */
  readonly url: string
  readonly counts: Readonly<RecorderCounts>
  readonly packed: number
  waiting(): number
  stop(): Promise<void>
}

interface RecorderState {
  readonly files: AnswerFiles
  readonly waiting: WaitingRequests
  readonly counts: RecorderCounts
  readonly replay: boolean
  readonly hold: boolean
  readonly report: (line: string) => void
}

const MAX_BODY_BYTES = 16 * 1024 * 1024

export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { dir, replay = false, hold = false, port = 0, report = () => undefined } = options
  const files = openAnswerFiles(dir)
  const waiting = createWaitingRequests(files, report)
  const counts = { answered: 0, unknown: 0 }
  const state = { files, waiting, counts, replay, hold, report }
  // Longer than clients keep an idle connection, so that none sends into one that is being closed.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    serve(state, request, response).catch((error: unknown) => fail(response, error))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    counts,
    packed: files.packed,
    waiting: waiting.size,
    async stop() {
      waiting.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function serve(
  state: RecorderState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0]
  const route = `${request.method} ${path}`
  if (route === 'POST /v1/chat/completions') return answerChat(state, await readBody(request), response)
  const { counts, waiting } = state
  if (route === 'GET /health')
    return send(response, 200, { status: 'ok', waiting: waiting.size(), ...counts })
  if (route === 'GET /v1/models') return send(response, 200, MODELS)
  send(response, 404, errorBody('not_found', `There is no ${route} here; use POST /v1/chat/completions.`))
}

const MODELS = {
  object: 'list',
  data: [{ id: 'recorded', object: 'model', created: 0, owned_by: 'recorded' }],
}

function answerChat(state: RecorderState, body: string, response: ServerResponse): void {
  const { files, waiting, counts, replay } = state
  const request = parseChatRequest(body)
  const known = files.find(request.hash)
  if (known !== undefined && !('invalid' in known)) {
    counts.answered += 1
    return send(response, 200, chatCompletion(request, known))
  }
  counts.unknown += 1
  if (replay) {
    const why = notRecorded(request, known?.invalid)
    state.report(why)
    if (!state.hold) send(response, 503, errorBody('not_recorded', why))
    return
  }
  files.writeRequest(request)
  state.report(`${request.step ?? 'request'} ${request.hash} waits for its answer`)
  const keepAlive = keepWaiting(response)
  const giveUp = waiting.wait(request.hash, (answer) => {
    clearInterval(keepAlive)
    counts.answered += 1
    send(response, 200, chatCompletion(request, answer))
  })
  response.on('close', () => {
    clearInterval(keepAlive)
    giveUp()
  })
}

function notRecorded({ hash, step }: ChatRequest, invalid: string | undefined): string {
  if (invalid !== undefined) return `answers/${hash}.json cannot be used: ${invalid}.`
  return `There is no recorded answer for ${step ?? 'request'} ${hash}. Start the server without --replay to record one.`
}

const SPACE_EVERY_MS = 30_000

/** JSON may begin with spaces. They keep clients and proxies from giving up on an answer that takes long to write. */
function keepWaiting(response: ServerResponse): NodeJS.Timeout {
  return setInterval(() => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' })
    response.write(' ')
  }, SPACE_EVERY_MS)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BODY_BYTES) throw new InvalidRequest(`the body is longer than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function fail(response: ServerResponse, error: unknown): void {
  if (error instanceof InvalidRequest)
    return send(response, 400, errorBody('invalid_request_error', error.message))
  send(response, 500, errorBody('server_error', error instanceof Error ? error.message : String(error)))
}

function send(response: ServerResponse, status: number, body: object): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
