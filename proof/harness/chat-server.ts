/** An endpoint of chat completions on this machine, whose answers a proof decides. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelPrompt } from './model-endpoint.ts'

export interface ReceivedChatMessage {
  readonly role: string
  readonly content: string
}

export interface ChatReply {
  readonly content: string
  /** Why the model does not answer. */
  readonly refusal?: string
  /** It stopped because its output tokens were used up. */
  readonly isCutOff?: boolean
}

/** `question` is what the last message holds. */
export type AnswerChat = (question: ModelPrompt, messages: readonly ReceivedChatMessage[]) => ChatReply

/** `work` gets the settings of the processes that ask it. */
export async function withChatServer<Result>(
  name: string,
  answer: AnswerChat,
  work: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const messages = await readMessages(incoming)
    const question = JSON.parse(messages.at(-1)?.content ?? '{}') as ModelPrompt
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(toCompletion(name, answer(question, messages))))
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    void serve(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await work({ MODEL_URL: `http://127.0.0.1:${port}/v1`, MODEL_NAME: name })
  } finally {
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}

async function readMessages(incoming: IncomingMessage): Promise<readonly ReceivedChatMessage[]> {
  incoming.setEncoding('utf8')
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return (JSON.parse(text) as { messages: ReceivedChatMessage[] }).messages
}

function toCompletion(model: string, { content, refusal, isCutOff = false }: ChatReply): object {
  return {
    id: 'proof',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: refusal ?? null },
        finish_reason: isCutOff ? 'length' : 'stop',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
  }
}
