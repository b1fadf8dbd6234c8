/** A local server that speaks the protocol of chat completions: well, badly, slowly, as it is told to. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import type { Question } from '../../src/domain/judge.ts'

export interface JudgeEndpointRequest {
  readonly path: string
  readonly authorization: string | undefined
  /** The body as it came. */
  readonly raw: string
  readonly question: Question
}

export type JudgeBehaviour = (request: JudgeEndpointRequest, answer: ServerResponse) => void

export interface JudgeEndpoint {
  readonly url: string
  readonly requests: JudgeEndpointRequest[]
  behave(behaviour: JudgeBehaviour): void
}

/** Call at the top of a file. */
export function useJudgeEndpoint(): () => JudgeEndpoint {
  const requests: JudgeEndpointRequest[] = []
  let behaviour: JudgeBehaviour = judgeBy(() => 'unsure')
  const serve = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const request = await readRequest(incoming)
    requests.push(request)
    behaviour(request, answer)
  }
  const server = createServer((incoming, answer) => void serve(incoming, answer))
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return () => ({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave: (next) => void (behaviour = next),
  })
}

async function readRequest(incoming: IncomingMessage): Promise<JudgeEndpointRequest> {
  incoming.setEncoding('utf8')
  let raw = ''
  for await (const chunk of incoming) raw += String(chunk)
  const { messages } = JSON.parse(raw) as { messages: { role: string; content: string }[] }
  const asked = messages.find(({ role }) => role === 'user')?.content ?? '{}'
  const { url: path = '', headers } = incoming
  return { path, authorization: headers.authorization, raw, question: JSON.parse(asked) as Question }
}

export const TOKENS = 321

/** Says this text, as a model would. */
export function say(
  answer: ServerResponse,
  content: string,
  usage: unknown = { total_tokens: TOKENS },
): void {
  answer.setHeader('content-type', 'application/json')
  answer.end(
    JSON.stringify({
      id: 'answer',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'made-up',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 300, completion_tokens: 21, ...(usage as object) },
    }),
  )
}

/** Quotes both texts whole, and decides as it is told to. */
export function judgeBy(decide: (question: Question) => string): JudgeBehaviour {
  return ({ question }, answer) => say(answer, verdictOn(question, decide(question)))
}

export function verdictOn({ a, b }: Question, verdict: string): string {
  return JSON.stringify({ quote_a: a.text, quote_b: b.text, verdict })
}
