/**
 * A language model behind HTTP that misbehaves: it is slow, busy, breaks off, hangs, answers nonsense or invents quotes, and goes away for
 * a while. It keeps count of what it was paid for.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chance } from '../../harness/chance.ts'

export const FAULTS = [
  'busy',
  'server error',
  'half an answer',
  'silence',
  'no JSON',
  'another form',
  'invented quotes',
] as const
export type ModelFault = (typeof FAULTS)[number]

export interface FaultyModel {
  readonly url: string
  readonly faults: Readonly<Record<ModelFault, number>>
  /** Requests that were answered in full, by what was asked. */
  readonly paid: ReadonlyMap<string, number>
  /** The most requests that were in flight at the same time. */
  peak(): number
  leave(): Promise<void>
  comeBack(): Promise<void>
}

export interface FaultyModelOptions {
  readonly chance: Chance
  readonly slowestMs: number
  /** This many requests meet no fault at first and are answered late, so that as many as may be are in flight. */
  readonly calmRequests: number
  readonly calmMs: number
}

/** Sentences with this word are answered without a fault, for as many tokens as were allowed. */
export const COSTLY = 'costly'
const INVENTED = 'Nobody ever wrote this sentence'
/** One request in so many meets each of the faults. */
const RARITY = 30

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
}

export async function withFaultyModel<Result>(
  options: FaultyModelOptions,
  work: (model: FaultyModel) => Promise<Result>,
): Promise<Result> {
  const faults: Record<ModelFault, number> = {
    busy: 0,
    'server error': 0,
    'half an answer': 0,
    silence: 0,
    'no JSON': 0,
    'another form': 0,
    'invented quotes': 0,
  }
  const paid = new Map<string, number>()
  let [inFlight, peak, port, received] = [0, 0, 0, 0]
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    inFlight += 1
    peak = Math.max(peak, inFlight)
    response.once('close', () => (inFlight -= 1))
    void serve(incoming, response).catch(() => response.destroy())
  })

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readAll(incoming)
    const body = JSON.parse(text) as ChatBody
    const asked = body.messages.find(({ role }) => role === 'user')?.content ?? '{}'
    const isCostly = asked.includes(COSTLY)
    received += 1
    const isCalm = isCostly || received <= options.calmRequests
    const fault = isCalm ? undefined : drawFault(options.chance)
    if (fault) faults[fault] += 1
    const afterMs =
      received <= options.calmRequests ? options.calmMs : options.chance.between(10, options.slowestMs)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (fault && misbehave(fault, response)) return
    // Only what was sent to the end.
    if (!fault) response.once('finish', () => paid.set(asked, (paid.get(asked) ?? 0) + 1))
    const allowed = body.max_tokens ?? body.max_completion_tokens ?? 0
    const tokens = isCostly
      ? { input: Math.floor(text.length / 4), output: allowed }
      : { input: 1, output: 1 }
    send(response, 200, completion(contentOf(asked, fault), tokens))
  }

  const listen = () => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const leave = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen()
  ;({ port } = server.address() as AddressInfo)
  try {
    const url = `http://127.0.0.1:${port}/v1`
    return await work({ url, faults, paid, peak: () => peak, leave, comeBack: listen })
  } finally {
    if (server.listening) await leave()
  }
}

function drawFault(chance: Chance): ModelFault | undefined {
  return FAULTS[chance.between(0, RARITY - 1)]
}

/** Whether that was all. */
function misbehave(fault: ModelFault, response: ServerResponse): boolean {
  if (fault === 'busy') send(response, 429, { error: { message: 'later' } }, { 'retry-after': '1' })
  else if (fault === 'server error') send(response, 500, { error: { message: 'no' } })
  else if (fault === 'half an answer') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' })
    response.write('{"choices":[{"message":{"content":"{')
    setTimeout(() => response.destroy(), 10)
  } else return fault === 'silence'
  return true
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  incoming.setEncoding('utf8')
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return text
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function completion(content: string, { input, output }: { readonly input: number; readonly output: number }) {
  return {
    id: 'proof',
    object: 'chat.completion',
    created: 1,
    model: 'faulty',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

function contentOf(asked: string, fault: ModelFault | undefined): string {
  if (fault === 'no JSON') return 'All in all the figures look fine.'
  if (fault === 'another form') return JSON.stringify({ statements: [] })
  const { text } = JSON.parse(asked) as { readonly text?: string }
  if (text === undefined) return JSON.stringify({ pairs: [] })
  const sentences = text.match(/[^.\n]+\./g) ?? []
  const quotes = sentences.map((sentence) => sentence.trim())
  const shown = fault === 'invented quotes' ? quotes.map((quote) => `${INVENTED}: ${quote}`) : quotes
  return JSON.stringify({
    claims: shown.map((q) => ({ q, s: 'the site', a: 'employees', v: '1', t: null, m: 'fact', p: q })),
  })
}
