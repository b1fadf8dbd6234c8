/** The server of recorded answers, by real HTTP and real files. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestHash } from '@concord/service/src/model/request-hash.ts'
import type { ModelRequest } from '@concord/service/src/domain/model.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '../launch/waiting.ts'
import { packAnswers } from './pack.ts'
import { startRecorder } from './recorder.ts'
import type { Recorder, RecorderOptions } from './recorder.ts'

let dir: string
const started: Recorder[] = []

beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'recorder-'))))
afterEach(async () => {
  await Promise.all(started.splice(0).map((recorder) => recorder.stop()))
  rmSync(dir, { recursive: true })
})

async function start(options: Omit<RecorderOptions, 'dir'> = {}): Promise<Recorder> {
  const recorder = await startRecorder({ dir, ...options })
  started.push(recorder)
  return recorder
}

const requestAbout = (user: string): ModelRequest => ({
  step: 'extract',
  promptVersion: 1,
  system: 'Read it.',
  user,
  schemaName: 'concord_extract_v1',
  schema: { type: 'object', properties: { claims: {} } },
  maxOutputTokens: 500,
})

const bodyOf = ({ system, user, schemaName, schema }: ModelRequest) => ({
  model: 'some-model',
  temperature: 0,
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ],
  response_format: { type: 'json_schema', json_schema: { name: schemaName, strict: true, schema } },
})

const post = (recorder: Recorder, body: unknown, signal?: AbortSignal) =>
  fetch(`${recorder.url}/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  })

interface Completion {
  model: string
  choices: { message: { content: string }; finish_reason: string }[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

const completionOf = async (response: Response): Promise<Completion> => (await response.json()) as Completion

function answer(hash: string, value: unknown): void {
  const file = join(dir, 'answers', `${hash}.json`)
  mkdirSync(join(dir, 'answers'), { recursive: true })
  writeFileSync(`${file}.draft`, typeof value === 'string' ? value : JSON.stringify(value))
  renameSync(`${file}.draft`, file)
}

describe('a request whose answer is known', () => {
  it('is answered by the hash that the service computes, whatever client sends it', async () => {
    const request = requestAbout('one')
    answer(requestHash(request), { model: 'model-a', content: { claims: [] } })
    const recorder = await start()
    const completion = await completionOf(await post(recorder, bodyOf(request)))
    expect(completion).toMatchObject({
      model: 'model-a',
      choices: [{ message: { role: 'assistant', content: '{"claims":[]}' }, finish_reason: 'stop' }],
      usage: { completion_tokens: Math.ceil('{"claims":[]}'.length / 4) },
    })
    expect(completion.usage.total_tokens).toBe(
      completion.usage.prompt_tokens + completion.usage.completion_tokens,
    )
    const { messages, ...others } = bodyOf(request)
    const inParts = messages.map(({ role, content }) => ({
      content: [{ type: 'text', text: content }],
      role,
    }))
    const again = await post(recorder, { messages: inParts, ...others, model: 'another', seed: 7 })
    expect(await again.json()).toEqual(completion)
    expect(recorder.counts).toEqual({ answered: 2, unknown: 0 })
  })

  it('gets text as text, and the usage that was recorded', async () => {
    const request = requestAbout('one')
    const usage = { prompt_tokens: 11, completion_tokens: 7 }
    answer(requestHash(request), { model: 'model-a', content: 'half {', usage })
    const completion = await completionOf(await post(await start({ replay: true }), bodyOf(request)))
    expect(completion.choices[0]?.message.content).toBe('half {')
    expect(completion.usage).toEqual({ ...usage, total_tokens: 18 })
  })
})

describe('a request whose answer is not known', () => {
  it('is written down and waits until the answer is there, together with hundreds of others', async () => {
    const recorder = await start()
    const requests = Array.from({ length: 300 }, (_, n) => requestAbout(`document ${n}`))
    const asking = requests.map((request) => post(recorder, bodyOf(request)).then(completionOf))
    await waitUntil(() => recorder.waiting() === requests.length, { what: 'all requests wait' })
    for (const request of requests.toReversed()) {
      const hash = requestHash(request)
      const written: unknown = JSON.parse(readFileSync(join(dir, 'requests', `${hash}.json`), 'utf8'))
      expect(written).toEqual({
        hash,
        step: 'extract',
        schemaName: 'concord_extract_v1',
        messages: bodyOf(request).messages,
        schema: request.schema,
      })
      answer(hash, { model: 'model-a', content: { about: request.user } })
    }
    const contents = (await Promise.all(asking)).map(({ choices }) => choices[0]?.message.content)
    expect(contents).toEqual(requests.map(({ user }) => JSON.stringify({ about: user })))
    expect(readdirSync(join(dir, 'requests'))).toHaveLength(requests.length)
    expect(recorder.waiting()).toBe(0)
  })

  it('waits on while its answer is half written or wrong, and the fault is reported', async () => {
    const reports: string[] = []
    const recorder = await start({ report: (line) => void reports.push(line) })
    const request = requestAbout('one')
    const hash = requestHash(request)
    const asking = post(recorder, bodyOf(request)).then(completionOf)
    await waitUntil(() => recorder.waiting() === 1, { what: 'the request waits' })
    answer(hash, '{"model": "model-a", "cont')
    await waitUntil(() => reports.some((line) => line.includes('it is not JSON')), { what: 'a first report' })
    answer(hash, { model: 'model-a' })
    await waitUntil(() => reports.some((line) => line.includes('content is missing')), {
      what: 'a second report',
    })
    expect(recorder.waiting()).toBe(1)
    answer(hash, { model: 'model-a', content: {} })
    expect((await asking).choices[0]?.message.content).toBe('{}')
    expect(reports.filter((line) => line.includes('cannot be used'))).toHaveLength(2)
  })

  it('stops to wait when its client goes away, and can still be answered', async () => {
    const recorder = await start()
    const request = requestAbout('one')
    const leaving = new AbortController()
    const asking = post(recorder, bodyOf(request), leaving.signal)
    await waitUntil(() => recorder.waiting() === 1, { what: 'the request waits' })
    leaving.abort()
    await expect(asking).rejects.toThrow('aborted')
    await waitUntil(() => recorder.waiting() === 0, { what: 'nobody waits' })
    answer(requestHash(request), { model: 'model-a', content: { n: 1 } })
    const completion = await completionOf(await post(recorder, bodyOf(request)))
    expect(completion.choices[0]?.message.content).toBe('{"n":1}')
  })

  it('gets 503 in replay, with its hash, and nothing is written', async () => {
    const response = await post(await start({ replay: true }), bodyOf(requestAbout('one')))
    expect(response.status).toBe(503)
    const hash = requestHash(requestAbout('one'))
    expect(await response.json()).toMatchObject({
      error: {
        message: `There is no recorded answer for extract ${hash}. Start the server without --replay to record one.`,
      },
    })
    expect(existsSync(join(dir, 'requests'))).toBe(false)
  })

  it('gets nothing where refused requests are held, and is reported', async () => {
    const reports: string[] = []
    const recorder = await start({ replay: true, hold: true, report: (line) => void reports.push(line) })
    const leaving = new AbortController()
    const asking = post(recorder, bodyOf(requestAbout('one')), leaving.signal)
    await waitUntil(() => reports.length === 1, { what: 'the report' })
    expect(reports[0]).toContain(requestHash(requestAbout('one')))
    leaving.abort()
    await expect(asking).rejects.toThrow('aborted')
  })
})

describe('packed answers', () => {
  const requests = ['one', 'two', 'three'].map(requestAbout)
  const out = () => join(dir, 'model-a.jsonl.gz')
  const writeAll = () => {
    for (const request of requests) answer(requestHash(request), { content: { about: request.user } })
  }

  it('are the same bytes for the same answers, and are replayed', async () => {
    writeAll()
    const recorded = '2026-11-18'
    expect(packAnswers({ dir, out: out(), model: 'model-a', recorded })).toBe(3)
    const bytes = readFileSync(out())
    rmSync(join(dir, 'answers'), { recursive: true })
    const recorder = await start({ replay: true })
    for (const request of requests) {
      const { model, choices } = await completionOf(await post(recorder, bodyOf(request)))
      expect({ model, content: choices[0]?.message.content }).toEqual({
        model: 'model-a',
        content: JSON.stringify({ about: request.user }),
      })
    }
    expect(recorder.packed).toBe(3)
    requests.reverse()
    writeAll()
    packAnswers({ dir, out: out(), model: 'model-a', recorded })
    expect(readFileSync(out()).equals(bytes)).toBe(true)
  })

  it('are not written where an answer names no model or cannot be used', () => {
    writeAll()
    expect(() => packAnswers({ dir, out: out() })).toThrow('add --model NAME')
    answer(requestHash(requestAbout('one')), '{')
    expect(() => packAnswers({ dir, out: out(), model: 'model-a' })).toThrow('it is not JSON')
    expect(existsSync(out())).toBe(false)
  })
})

describe('a request that is not one', () => {
  it.each([
    ['no JSON', '{', 'the body is not JSON'],
    ['no messages', {}, 'messages: expected a list of at least one message'],
    ['pictures', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 'must be text'],
    ['a stream', { stream: true, messages: [] }, 'recorded answers are not streamed'],
  ])('with %s gets 400', async (_, body, message) => {
    const response = await post(await start(), body)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(message)
  })

  it('goes nowhere gets 404, and health and models are told', async () => {
    const { url } = await start()
    const get = async (path: string) => (await fetch(new URL(path, url))).json()
    expect(await get('/health')).toEqual({ status: 'ok', waiting: 0, answered: 0, unknown: 0 })
    expect(await get('/v1/models')).toMatchObject({ object: 'list', data: [{ id: 'recorded' }] })
    expect((await fetch(new URL('/v2', url))).status).toBe(404)
  })
})
