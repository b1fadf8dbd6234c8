/** Single requests to a real server that speaks the protocol well, badly and slowly. */
import { waitUntil } from '@concord/tools/launch'
import { describe, expect, it } from 'vitest'
import { ModelFailure } from '../../src/domain/model.ts'
import { createModelEndpoint } from '../../src/endpoint/model-endpoint.ts'
import type { ModelEndpointSettings } from '../../src/endpoint/model-endpoint.ts'
import { chatHash, requestHash } from '../../src/model/request-hash.ts'
import {
  answerWith,
  completion,
  failWith,
  modelRequest,
  sendJson,
  USAGE,
  useModelServer,
} from '../support/model-endpoint.ts'
import type { Behaviour, ReceivedRequest } from '../support/model-endpoint.ts'

const server = useModelServer()

interface SentBody {
  readonly messages: { role: string; content: string }[]
  readonly response_format: { readonly json_schema: { readonly name: string; readonly schema: unknown } }
}

const open = (over: Partial<ModelEndpointSettings> = {}) =>
  createModelEndpoint({
    url: server().url,
    apiKey: 'a-key',
    nameOf: (step) => `${step}-model`,
    format: 'json_schema',
    timeoutMs: 5_000,
    concurrency: 10,
    ...over,
  })

/** How a single request ends with an endpoint that has answered before. */
async function failureOf(
  behaviour: Behaviour,
  over: Partial<ModelEndpointSettings> = {},
): Promise<ModelFailure> {
  const endpoint = open(over)
  server().behave(answerWith('{}'))
  await endpoint.ask(modelRequest())
  server().behave(behaviour)
  return failureFrom(endpoint.ask(modelRequest()))
}

async function failureFrom(asking: Promise<unknown>): Promise<ModelFailure> {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ModelFailure)) throw new Error('there was no failure', { cause: error })
  return error
}

describe('an endpoint that speaks well', () => {
  it('is sent the messages and the schema, and its answer is returned as it is', async () => {
    server().behave(answerWith('{"claims": [ ]}'))
    const request = modelRequest()
    expect(await open().ask(request)).toEqual({
      content: '{"claims": [ ]}',
      model: 'served-model',
      usage: { inputTokens: 300, outputTokens: 21 },
    })
    expect(server().requests).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer a-key',
        body: {
          model: 'extract-model',
          messages: [
            { role: 'system', content: 'Read it.' },
            { role: 'user', content: request.user },
          ],
          max_tokens: 500,
          temperature: 0,
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'concord_extract_v1', strict: true, schema: request.schema },
          },
        },
      },
    ])
  })

  it('receives a request whose body has the hash that the service computes', async () => {
    const request = modelRequest()
    await open().ask(request)
    const [sent] = server().requests.map(({ body }) => body as unknown as SentBody)
    const { name, schema } = sent?.response_format.json_schema ?? {}
    expect(chatHash({ messages: sent?.messages ?? [], schemaName: name ?? null, schema })).toBe(
      requestHash(request),
    )
  })

  it('that knows no schemas is told the schema in words, and gets no key where there is none', async () => {
    await open({ format: 'json_object', apiKey: undefined, url: `${server().url}//` }).ask(modelRequest())
    const [request] = server().requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.authorization).toBeUndefined()
    expect(request?.body['response_format']).toEqual({ type: 'json_object' })
    expect(JSON.stringify(request?.body['messages'])).toContain('\\"required\\":[\\"claims\\"]')
  })

  it.each([
    [
      'parts',
      [
        { type: 'text', text: '{"a"' },
        { type: 'text', text: ':1}' },
      ],
      '{"a":1}',
    ],
    ['nothing', null, ''],
  ])('may answer with %s', async (_, content, text) => {
    server().behave(answerWith(content))
    expect(await open().ask(modelRequest())).toMatchObject({ content: text })
  })

  it.each([
    ['nothing', undefined],
    ['less than nothing', { prompt_tokens: -5, completion_tokens: 1 }],
    ['more than there can be', { prompt_tokens: 1e15, completion_tokens: 1 }],
  ])('and counts %s has its tokens estimated', async (_, usage) => {
    server().behave((_request, response) =>
      sendJson(response, 200, { ...completion('{"claims":[]}'), usage }),
    )
    const answer = await open().ask(modelRequest())
    expect(answer.usage.inputTokens).toBeGreaterThan(50)
    expect(answer.usage.inputTokens).toBeLessThan(300)
    expect(answer.usage.outputTokens).toBe(5)
  })

  it('that wants other parameters gets them, and is asked rightly from then on', async () => {
    const picky: Behaviour = ({ body }, response) => {
      const unsupported =
        'max_tokens' in body ? 'max_tokens' : 'temperature' in body ? 'temperature' : undefined
      if (unsupported === undefined) return sendJson(response, 200, completion('{}'))
      const message = `Unsupported parameter: '${unsupported}' is not supported with this model.`
      sendJson(response, 400, {
        error: { message, type: 'invalid_request_error', param: unsupported, code: null },
      })
    }
    server().behave(picky)
    const endpoint = open()
    await endpoint.ask(modelRequest())
    expect(server().requests).toHaveLength(3)
    await endpoint.ask(modelRequest())
    expect(server().requests).toHaveLength(4)
    expect(server().requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 500 })
    expect(endpoint.state()).toBe('on')
  })
})

describe('a model with less room than is asked for', () => {
  const limitOf = ({ body }: ReceivedRequest) => Number(body['max_tokens'])
  const refuseAbove =
    (limit: number, message: string): Behaviour =>
    (request, response) =>
      limitOf(request) > limit
        ? sendJson(response, 400, { error: { message, type: 'invalid_request_error', code: null } })
        : sendJson(response, 200, completion('{}'))

  it('is asked for shorter answers, from then on at once', async () => {
    server().behave(refuseAbove(8_192, 'max_tokens is too large: 32000. This model supports at most 8192.'))
    const endpoint = open()
    await endpoint.ask({ ...modelRequest(), maxOutputTokens: 32_000 })
    expect(server().requests.map(limitOf)).toEqual([32_000, 16_000, 8_000])
    await endpoint.ask({ ...modelRequest(), maxOutputTokens: 20_000 })
    await endpoint.ask(modelRequest())
    expect(server().requests.slice(3).map(limitOf)).toEqual([8_000, 500])
  })

  it('is asked for a shorter answer where the text takes most of its context', async () => {
    server().behave(refuseAbove(5_000, "This model's maximum context length is 9000 tokens."))
    const endpoint = open()
    await endpoint.ask({ ...modelRequest(), maxOutputTokens: 8_000 })
    await endpoint.ask({ ...modelRequest(), maxOutputTokens: 8_000 })
    expect(server().requests.map(limitOf)).toEqual([8_000, 4_000, 8_000, 4_000])
  })

  it('does not change how others are asked where no answer comes of it', async () => {
    server().behave(failWith(400, {}, { message: 'max_tokens' }))
    const endpoint = open()
    expect((await failureFrom(endpoint.ask({ ...modelRequest(), maxOutputTokens: 2_000 }))).reason).toBe(
      'forbidden',
    )
    server().behave(answerWith('{}'))
    await waitUntil(() => endpoint.pausedMs() === 0, { what: 'the end of the pause' })
    await endpoint.ask({ ...modelRequest(), maxOutputTokens: 2_000 })
    expect(server().requests.map(limitOf)).toEqual([2_000, 1_000, 500, 2_000])
  })

  it('gets more where it thinks before it answers, and all tokens are counted', async () => {
    const used = { ...USAGE, completion_tokens_details: { reasoning_tokens: 500 } }
    const thinking: Behaviour = (request, response) =>
      limitOf(request) < 1_000
        ? sendJson(response, 200, completion('{"cl', { finish_reason: 'length' }, used))
        : sendJson(response, 200, completion('{}', {}, used))
    server().behave(thinking)
    const endpoint = open()
    const { usage } = await endpoint.ask(modelRequest())
    expect(usage).toEqual({ inputTokens: 600, outputTokens: 42 })
    await endpoint.ask(modelRequest())
    expect(server().requests.map(limitOf)).toEqual([500, 8_500, 8_500])
    server().behave(answerWith('', { finish_reason: 'length' }))
    expect((await failureFrom(endpoint.ask(modelRequest()))).reason).toBe('too_long')
  })
})

describe('a request that the model does not answer', () => {
  const usage = { inputTokens: 300, outputTokens: 21 }

  it.each<[string, Behaviour, Partial<ModelFailure>]>([
    [
      'ends at the token limit',
      answerWith('{"cl', { finish_reason: 'length' }),
      { reason: 'too_long', usage },
    ],
    ['is filtered', answerWith('', { finish_reason: 'content_filter' }), { reason: 'declined', usage }],
    [
      'is refused in words',
      answerWith(null, { message: { content: null, refusal: 'I cannot' } }),
      { reason: 'declined' },
    ],
    ['is filtered before', failWith(400, {}, { code: 'content_filter' }), { reason: 'declined' }],
    ['exceeds the context', failWith(400, {}, { code: 'context_length_exceeded' }), { reason: 'too_long' }],
    [
      'exceeds the context of llama.cpp',
      failWith(500, {}, { type: 'exceed_context_size_error' }),
      { reason: 'too_long' },
    ],
    [
      'exceeds the context of vLLM',
      (_, response) =>
        sendJson(response, 400, {
          object: 'error',
          message: "This model's maximum context length is 9 tokens",
          code: 400,
        }),
      { reason: 'too_long' },
    ],
    ['is turned down without a reason', failWith(400), { reason: 'declined' }],
    ['is too large', failWith(413), { reason: 'declined' }],
  ])('because it %s fails by itself, and the endpoint is not blamed', async (_, behaviour, expected) => {
    const failure = await failureOf(behaviour)
    expect(failure).toMatchObject(expected)
    expect(failure.isAboutRequest).toBe(true)
  })

  it('is not to blame where the endpoint never answered, or refuses everything', async () => {
    server().behave(failWith(400))
    expect((await failureFrom(open().ask(modelRequest()))).reason).toBe('forbidden')
    const endpoint = open()
    server().behave(answerWith('{}'))
    await endpoint.ask(modelRequest())
    server().behave(failWith(422))
    const reasons: string[] = []
    for (let n = 0; n < 6; n += 1) reasons.push((await failureFrom(endpoint.ask(modelRequest()))).reason)
    expect(reasons).toEqual([...Array.from({ length: 5 }, () => 'declined'), 'forbidden'])
  })
})

describe('an endpoint that fails', () => {
  it.each([
    [401, 'forbidden'],
    [403, 'forbidden'],
    [404, 'forbidden'],
    [429, 'busy'],
    [408, 'server_error'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('with status %i is told by one word, without its text or the key', async (status, reason) => {
    const failure = await failureOf(failWith(status))
    expect(failure).toMatchObject({ reason, retryAfterMs: null, isAboutRequest: false })
    expect(JSON.stringify([failure, failure.message, failure.stack, failure.cause])).not.toContain('a-key')
  })

  it('says when to come back, in seconds or by date', async () => {
    expect(await failureOf(failWith(429, { 'retry-after': '7' }))).toMatchObject({
      reason: 'busy',
      retryAfterMs: 7_000,
    })
    const date = new Date(Date.now() + 60_000).toUTCString()
    const { retryAfterMs } = await failureOf(failWith(503, { 'retry-after': date }))
    expect(retryAfterMs).toBeGreaterThan(50_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
    const past = await failureOf(failWith(429, { 'retry-after': 'Wed, 01 Jan 2020 00:00:00 GMT' }))
    expect(past.retryAfterMs).toBeNull()
  })

  it('may send its error with status 200', async () => {
    const behaviour: Behaviour = (_, response) =>
      sendJson(response, 200, { error: { code: 429, message: 'slow down' } })
    expect((await failureOf(behaviour)).reason).toBe('busy')
    const unnamed: Behaviour = (_, response) => sendJson(response, 200, { error: 'boom' })
    expect((await failureOf(unnamed)).reason).toBe('server_error')
  })

  it.each<[string, string]>([
    ['no JSON', '<html>'],
    ['half of it', JSON.stringify(completion('{}')).slice(0, -5)],
    ['a list', '[]'],
    ['no choices', '{"choices":[]}'],
    ['no message', '{"choices":[{"finish_reason":"stop"}]}'],
    ['nothing', ''],
  ])('and sends %s has a server error', async (_, text) => {
    expect((await failureOf((_request, response) => void response.end(text))).reason).toBe('server_error')
  })

  it('and redirects is not followed', async () => {
    const failure = await failureOf(failWith(307, { location: `${server().url}/elsewhere` }))
    expect(failure.reason).toBe('forbidden')
    expect(server().requests.map(({ path }) => path)).not.toContain('/v1/elsewhere')
  })

  it('and hangs up is unreachable, before the first byte or after some', async () => {
    expect((await failureOf((_, response) => void response.socket?.resetAndDestroy())).reason).toBe(
      'unreachable',
    )
    const midway: Behaviour = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"choices":')
      setTimeout(() => response.socket?.resetAndDestroy(), 20)
    }
    server().requests.length = 0
    expect((await failureOf(midway)).reason).toBe('unreachable')
    expect(server().requests).toHaveLength(2)
    const away = open({ url: 'http://127.0.0.1:9/v1' })
    expect((await failureFrom(away.ask(modelRequest()))).reason).toBe('unreachable')
  })

  it('and closes an idle connection when it is used again is asked over another one', async () => {
    const endpoint = open()
    await endpoint.ask(modelRequest())
    let resets = 0
    server().behave((request, response) => {
      if (resets > 0) return answerWith('{"again":true}')(request, response)
      resets += 1
      response.socket?.resetAndDestroy()
    })
    expect(await endpoint.ask(modelRequest())).toMatchObject({ content: '{"again":true}' })
  })

  it('and never ends is cut off', async () => {
    const endless: Behaviour = (_, response) => {
      const pour = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        response.once('drain', pour)
      }
      pour()
    }
    expect((await failureOf(endless)).reason).toBe('too_long')
  })
})

describe('an endpoint that is slow', () => {
  it.each<[string, Behaviour]>([
    ['says nothing', () => undefined],
    [
      'says a little at a time',
      (_, response) => {
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('and %s is given up at the timeout of the whole request', async (_, behaviour) => {
    const started = performance.now()
    const failure = await failureOf(behaviour, { timeoutMs: 300 })
    expect(failure.reason).toBe('timeout')
    expect(failure.usage?.inputTokens).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  it('is given up when the caller aborts, and not blamed for it', async () => {
    server().behave(() => undefined)
    const endpoint = open()
    const asking = failureFrom(endpoint.ask(modelRequest(), AbortSignal.timeout(100)))
    expect((await asking).reason).toBe('timeout')
    expect(endpoint.state()).toBe('on')
    expect(endpoint.counts.extract.requests).toMatchObject({ aborted: 1, timeout: 0 })
    expect((await failureFrom(endpoint.ask(modelRequest(), AbortSignal.abort()))).reason).toBe('timeout')
    expect(server().requests).toHaveLength(1)
  })
})
