/**
 * A language model for proofs, behind HTTP: it speaks chat completions and follows fixed rules. Every sentence is a claim, and states the
 * same where its time comes first ("In May, it rained." and "It rained in May."); two statements contradict each other where
 * they are alike but for their first number.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelCounts {
  extract: number
  compare: number
  /** Requests about the statements of one document. */
  within: number
  verify: number
  /** Characters of requests that compare. */
  compared: number
  /** New statements of requests that compare, and earlier ones that they were compared with. */
  fresh: number
  earlier: number
}

export interface ModelServer {
  /** Settings of the processes that ask it. */
  readonly env: Readonly<Record<string, string>>
  readonly counts: Readonly<ModelCounts>
  close(): Promise<void>
}

async function startModelServer(): Promise<ModelServer> {
  const counts: ModelCounts = {
    extract: 0,
    compare: 0,
    within: 0,
    verify: 0,
    compared: 0,
    fresh: 0,
    earlier: 0,
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void answer(request, response, counts)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: { MODEL_URL: `http://127.0.0.1:${port}/v1`, MODEL_NAME: 'rules-for-proofs' },
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export async function withModelServer<Result>(
  work: (server: ModelServer) => Promise<Result>,
): Promise<Result> {
  const server = await startModelServer()
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

export interface Lines {
  readonly claims: readonly string[]
}

export interface PromptSide {
  readonly title: string | null
  readonly statement: string
}

/** One of the four requests. */
export interface ModelPrompt {
  readonly text?: string
  /** The answer for one document. */
  readonly claims?: readonly string[]
  readonly new?: Lines
  readonly earlier?: readonly Lines[]
  readonly a?: PromptSide
  readonly b?: PromptSide
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  counts: ModelCounts,
): Promise<void> {
  incoming.setEncoding('utf8')
  let body = ''
  for await (const chunk of incoming) body += String(chunk)
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
  const asked = messages.find(({ role }) => role === 'user')?.content ?? '{}'
  const question = JSON.parse(asked) as ModelPrompt
  count(question, asked.length, counts)
  const content = JSON.stringify(replyTo(question))
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      id: 'proof',
      object: 'chat.completion',
      created: 1,
      model: 'rules-for-proofs',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: Math.ceil(body.length / 4),
        completion_tokens: Math.ceil(content.length / 4),
        total_tokens: Math.ceil((body.length + content.length) / 4),
      },
    }),
  )
}

function count(question: ModelPrompt, length: number, counts: ModelCounts): void {
  const { text, claims: own, new: fresh, earlier = [] } = question
  counts[text !== undefined ? 'extract' : own ? 'within' : fresh ? 'compare' : 'verify'] += 1
  if (!fresh) return
  counts.compared += length
  counts.fresh += fresh.claims.length
  counts.earlier += earlier.reduce((sum, { claims }) => sum + claims.length, 0)
}

/** The answer to one of the four requests. */
export function replyTo({ text, claims, new: fresh, earlier, a, b }: ModelPrompt): object {
  if (text !== undefined) return { claims: extract(text) }
  if (claims) return { pairs: pairsWithin(claims) }
  return fresh && earlier ? { pairs: pairsOf(fresh, earlier) } : verdictOn(a, b)
}

function extract(text: string): object[] {
  return (text.match(/[^.\n]+\./g) ?? []).map((found) => {
    const sentence = found.trim()
    const statement = sentence.replace(/^In ([^,]+), (.+)\.$/, '$2 in $1.')
    const [subject = statement] = statement.split(/ (?:had|has|is|was) /)
    const value = /\d[\d,]*/.exec(statement)?.[0] ?? statement
    return { q: sentence, s: subject, a: 'what is stated', v: value, t: null, m: 'fact', p: statement }
  })
}

const masked = (statement: string) => statement.replace(/\d[\d,]*/, '#')

function numbered(lines: readonly string[]): { readonly no: string; readonly statement: string }[] {
  return lines.map((line) => {
    const [no = '', ...words] = line.split(' ')
    return { no, statement: words.join(' ') }
  })
}

function pairsOf(fresh: Lines, earlier: readonly Lines[]): object[] {
  const byMask = Map.groupBy(numbered(earlier.flatMap(({ claims }) => claims)), ({ statement }) =>
    masked(statement),
  )
  return numbered(fresh.claims).flatMap((own) =>
    (byMask.get(masked(own.statement)) ?? [])
      .filter(({ statement }) => statement !== own.statement)
      .map(({ no }) => ({ a: own.no, b: no, relation: 'conflict', why: 'other numbers', confidence: 0.9 })),
  )
}

function pairsWithin(claims: readonly string[]): object[] {
  const lines = numbered(claims)
  return lines.flatMap((one, at) =>
    lines
      .slice(at + 1)
      .filter(({ statement }) => statement !== one.statement && masked(statement) === masked(one.statement))
      .map(({ no }) => ({ a: one.no, b: no, why: 'other numbers', confidence: 0.9 })),
  )
}

function verdictOn(a: PromptSide | undefined, b: PromptSide | undefined): object {
  const isConflict = masked(a?.statement ?? '') === masked(b?.statement ?? '')
  return {
    verdict: isConflict ? 'conflict' : 'compatible',
    title: `What holds: ${[a?.statement ?? '', b?.statement ?? ''].toSorted().join(' or ')}`,
    explanation: `${a?.title} states: ${a?.statement} But ${b?.title} states: ${b?.statement}`,
    period: null,
    severity: 'medium',
    confidence: 0.9,
  }
}
