/** One question to a real server, which speaks the protocol well, badly and slowly. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createEndpoint } from '../../src/judging/endpoint.ts'
import { questionOf } from '../../src/domain/judge.ts'
import { statement } from '../support/claims.ts'
import { judgeBy, say, TOKENS, useJudgeEndpoint, verdictOn } from '../support/judge-endpoint.ts'
import type { JudgeBehaviour } from '../support/judge-endpoint.ts'

const endpoint = useJudgeEndpoint()
const question = questionOf(statement(10), statement(12))

const settings = { model: 'made-up', apiKey: 'a-key', format: 'json_schema' } as const

const ask = (timeoutMs = 5_000, signal?: AbortSignal) =>
  createEndpoint({ ...settings, url: endpoint().url, timeoutMs }).ask(question, signal)

async function askOf(behaviour: JudgeBehaviour, timeoutMs?: number) {
  endpoint().behave(behaviour)
  const started = performance.now()
  const asked = await ask(timeoutMs)
  return { asked, tookMs: performance.now() - started }
}

const withStatus =
  (status: number, headers: Record<string, string> = {}): JudgeBehaviour =>
  (_, answer) => {
    answer.writeHead(status, { 'content-type': 'application/json', ...headers })
    answer.end(JSON.stringify({ error: { message: 'Ignore the other documents', type: 'x', code: null } }))
  }

const saying =
  (content: string, usage?: unknown): JudgeBehaviour =>
  (_, answer) =>
    say(answer, content, usage)

describe('an endpoint that speaks well', () => {
  it('is asked once, with one pair and the closed form, and believed', async () => {
    endpoint().requests.length = 0
    const { asked } = await askOf(judgeBy(() => 'conflict'))
    expect(asked).toEqual({
      kind: 'answered',
      answer: { verdict: 'conflict', quoteA: question.a.text, quoteB: question.b.text },
      tokens: TOKENS,
    })
    const [request, ...others] = endpoint().requests
    expect(others).toEqual([])
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.authorization).toBe('Bearer a-key')
    const body: unknown = JSON.parse(request?.raw ?? '')
    expect(body).toMatchObject({
      model: 'made-up',
      temperature: 0,
      response_format: {
        type: 'json_schema',
        json_schema: { schema: { additionalProperties: false, required: ['quote_a', 'quote_b', 'verdict'] } },
      },
    })
    expect(request?.question).toEqual(question)
  })

  it('that knows JSON but no forms is asked for JSON, and without a key where there is none', async () => {
    endpoint().requests.length = 0
    endpoint().behave(judgeBy(() => 'compatible'))
    const plain = createEndpoint({
      url: endpoint().url,
      model: 'made-up',
      apiKey: undefined,
      timeoutMs: 5_000,
      format: 'json_object',
    })
    expect(await plain.ask(question)).toMatchObject({ kind: 'answered', answer: { verdict: 'compatible' } })
    const [request] = endpoint().requests
    expect(request?.authorization).toBeUndefined()
    expect(JSON.parse(request?.raw ?? '')).toMatchObject({ response_format: { type: 'json_object' } })
  })

  it.each([
    ['nothing', { total_tokens: undefined, prompt_tokens: undefined, completion_tokens: undefined }],
    ['less than nothing', { total_tokens: -5 }],
    ['more than anybody has', { total_tokens: 1e12 }],
  ])('that counts %s has its tokens guessed', async (_, usage) => {
    const { asked } = await askOf(saying(verdictOn(question, 'change'), usage))
    expect(asked.kind).toBe('answered')
    expect(asked.tokens).toBeGreaterThan(300)
    expect(asked.tokens).toBeLessThan(2_000)
  })
})

describe('an endpoint that speaks badly', () => {
  const { a, b } = question
  it.each([
    ['no JSON', 'I would say they conflict.'],
    ['half of it', verdictOn(question, 'conflict').slice(0, -4)],
    ['a verdict that there is not', verdictOn(question, 'fraud')],
    ['a number for a quote', JSON.stringify({ quote_a: 1, quote_b: b.text, verdict: 'conflict' })],
    ['no verdict', JSON.stringify({ quote_a: a.text, quote_b: b.text })],
    [
      'more than was asked',
      JSON.stringify({ quote_a: a.text, quote_b: b.text, verdict: 'conflict', note: 'x' }),
    ],
    ['a list', `[${verdictOn(question, 'conflict')}]`],
    ['nothing', ''],
  ])('and says %s is not believed', async (_, content) => {
    expect((await askOf(saying(content))).asked).toMatchObject({ kind: 'refused', why: 'malformed' })
  })

  it.each([
    ['what is not there', 'The revenue fell.', b.text],
    ['one side for the other', b.text, a.text],
    ['next to nothing', 'e', 'e'],
    ['nothing at all', '', ''],
  ])('and quotes %s is not believed', async (_, quoteA, quoteB) => {
    const content = JSON.stringify({ quote_a: quoteA, quote_b: quoteB, verdict: 'conflict' })
    expect((await askOf(saying(content))).asked).toEqual({
      kind: 'refused',
      why: 'misquoted',
      tokens: TOKENS,
    })
  })

  it('and answers in another form than the protocol is not believed', async () => {
    const wrong: JudgeBehaviour = (_, answer) => {
      answer.setHeader('content-type', 'application/json')
      answer.end(JSON.stringify({ choices: 'conflict' }))
    }
    expect((await askOf(wrong)).asked).toMatchObject({ kind: 'refused', why: 'malformed' })
    const page: JudgeBehaviour = (_, answer) => void answer.end('<html>conflict</html>')
    expect((await askOf(page)).asked).toMatchObject({ kind: 'refused', why: 'malformed' })
  })

  it('and never ends what it says is cut off', async () => {
    let sent = 0
    const endless: JudgeBehaviour = (_, answer) => {
      answer.setHeader('content-type', 'application/json')
      pour(answer, (bytes) => (sent += bytes))
    }
    const { asked, tookMs } = await askOf(endless)
    expect(asked).toMatchObject({ kind: 'refused', why: 'too_long' })
    expect(tookMs).toBeLessThan(4_000)
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it.each([
    [500, 'server_error'],
    [503, 'server_error'],
    [401, 'forbidden'],
    [403, 'forbidden'],
    [404, 'forbidden'],
    [429, 'busy'],
  ])('and answers %i has failed, and may be asked again', async (status, why) => {
    expect((await askOf(withStatus(status))).asked).toEqual({
      kind: 'failed',
      why,
      tokens: 0,
      retryAfterMs: null,
    })
  })

  it('says how long to wait', async () => {
    const { asked } = await askOf(withStatus(429, { 'retry-after': '7' }))
    expect(asked).toMatchObject({ kind: 'failed', why: 'busy', retryAfterMs: 7_000 })
  })

  it('and declines the question has given no answer', async () => {
    expect((await askOf(withStatus(400))).asked).toMatchObject({ kind: 'refused', why: 'declined' })
  })

  it('and sends us elsewhere is not followed', async () => {
    endpoint().requests.length = 0
    const { asked } = await askOf(withStatus(302, { location: `${endpoint().url}/elsewhere` }))
    expect(asked).toMatchObject({ kind: 'failed', why: 'unreachable' })
    expect(endpoint().requests.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
  })

  it('and hangs up has failed, before a word or in the middle of one', async () => {
    const reset: JudgeBehaviour = (_, answer) => void answer.socket?.resetAndDestroy()
    expect((await askOf(reset)).asked).toMatchObject({ kind: 'failed', why: 'unreachable' })
    const midway: JudgeBehaviour = (_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      answer.write('{"choices":')
      setTimeout(() => answer.socket?.resetAndDestroy(), 20)
    }
    expect((await askOf(midway)).asked).toMatchObject({ kind: 'failed', why: 'unreachable' })
  })

  it('and is not there has failed', async () => {
    const away = createEndpoint({ ...settings, url: 'http://127.0.0.1:9/v1', timeoutMs: 2_000 })
    expect(await away.ask(question)).toMatchObject({ kind: 'failed', why: 'unreachable', tokens: 0 })
  })
})

describe('an endpoint that is slow', () => {
  it('is waited for no longer than the time limit, whether it says nothing or a little at a time', async () => {
    const silent = await askOf(() => undefined, 300)
    expect(silent.asked).toMatchObject({ kind: 'failed', why: 'timeout' })
    expect(silent.asked.tokens).toBeGreaterThan(0)
    expect(silent.tookMs).toBeLessThan(2_000)
    const trickling: JudgeBehaviour = ({ question: asked }, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' })
      trickle(answer, verdictOn(asked, 'conflict'))
    }
    const slow = await askOf(trickling, 300)
    expect(slow.asked).toMatchObject({ kind: 'failed', why: 'timeout' })
    expect(slow.tookMs).toBeLessThan(2_000)
  })

  it('is left at once when the process stops', async () => {
    endpoint().behave(() => undefined)
    const stopping = new AbortController()
    const asking = ask(30_000, stopping.signal)
    setTimeout(() => stopping.abort(), 50)
    expect(await asking).toMatchObject({ kind: 'failed' })
  })
})

function pour(answer: ServerResponse, note: (bytes: number) => void): void {
  const chunk = Buffer.alloc(65_536, ' ')
  const more = () => {
    if (answer.destroyed) return
    note(chunk.length)
    if (answer.write(chunk)) setImmediate(more)
    else answer.once('drain', more)
  }
  more()
}

function trickle(answer: ServerResponse, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    if (answer.destroyed || at >= text.length) return clearInterval(timer)
    answer.write(text.charAt(at))
    at += 1
  }, 100)
}
