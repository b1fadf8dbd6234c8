/**
 * A judge for this proof, behind HTTP: every pair is a conflict. It answers everything at once, except from `hesitate` until
 * `goOn`: then it answers one question and keeps the others waiting.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HesitantJudge {
  /** Settings of the processes that ask it. */
  readonly env: Readonly<Record<string, string>>
  /** How many questions wait for an answer. */
  waiting(): number
  /** Answers the next question and keeps those after it waiting. */
  hesitate(): void
  /** Answers what waits and whatever comes. */
  goOn(): void
}

export async function withHesitantJudge<Result>(
  work: (judge: HesitantJudge) => Promise<Result>,
): Promise<Result> {
  let answersAtOnce = Infinity
  let waiting: (() => void)[] = []
  const receive = async (incoming: IncomingMessage, response: ServerResponse) => {
    const question = await readQuestion(incoming)
    const reply = () => sendVerdict(response, question)
    if (answersAtOnce > 0) reply()
    else waiting.push(reply)
    answersAtOnce -= 1
  }
  const server = createServer((incoming, response) => void receive(incoming, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await work({
      env: {
        JUDGE_URL: `http://127.0.0.1:${port}/v1`,
        JUDGE_MODEL: 'hesitant',
        JUDGE_TIMEOUT_MS: '120000',
        JUDGE_CONCURRENCY: '4',
      },
      waiting: () => waiting.length,
      hesitate() {
        answersAtOnce = 1
      },
      goOn() {
        answersAtOnce = Infinity
        for (const reply of waiting) reply()
        waiting = []
      },
    })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  }
}

interface Question {
  readonly a: { readonly text: string }
  readonly b: { readonly text: string }
}

async function readQuestion(incoming: IncomingMessage): Promise<Question> {
  incoming.setEncoding('utf8')
  let body = ''
  for await (const chunk of incoming) body += String(chunk)
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
  return JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '{}') as Question
}

function sendVerdict(response: ServerResponse, { a, b }: Question): void {
  const content = JSON.stringify({ quote_a: a.text, quote_b: b.text, verdict: 'conflict' })
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      id: 'proof',
      object: 'chat.completion',
      created: 1,
      model: 'hesitant',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 },
    }),
  )
}
