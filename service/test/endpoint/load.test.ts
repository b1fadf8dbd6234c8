/** Many requests at once to a real server that is slow, busy, broken or away. */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@concord/tools/launch'
import { describe, expect, it } from 'vitest'
import { ModelFailure } from '../../src/domain/model.ts'
import { createModelEndpoint } from '../../src/endpoint/model-endpoint.ts'
import type { ModelEndpoint } from '../../src/endpoint/model-endpoint.ts'
import {
  answerWith,
  completion,
  failWith,
  modelRequest,
  sendJson,
  useModelServer,
} from '../support/model-endpoint.ts'

const server = useModelServer()

const open = (concurrency: number, timeoutMs = 10_000): ModelEndpoint =>
  createModelEndpoint({
    url: server().url,
    apiKey: undefined,
    nameOf: () => 'a-model',
    format: 'json_schema',
    timeoutMs,
    concurrency,
  })

const askMany = (endpoint: ModelEndpoint, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => outcomeOf(endpoint, `${from + n}`))

/** The answer, or the failure. */
async function outcomeOf(endpoint: ModelEndpoint, user = 'x'): Promise<string | ModelFailure> {
  try {
    return (await endpoint.ask(modelRequest(user))).content
  } catch (error) {
    if (error instanceof ModelFailure) return error
    throw error
  }
}

/** Keeps every request until the test answers it. */
function holdAll(): ServerResponse[] {
  const held: ServerResponse[] = []
  server().behave((_, response) => void held.push(response))
  return held
}

const answer = (response: ServerResponse | undefined) => response && sendJson(response, 200, completion('{}'))

describe('hundreds of requests', () => {
  it('are in flight together up to the limit, over connections that are used again', async () => {
    const endpoint = open(200)
    const before = server().connections()
    const held = holdAll()
    const asking = askMany(endpoint, 300)
    await waitUntil(() => held.length === 200, { what: '200 requests in flight' })
    expect([endpoint.inFlight(), endpoint.waiting()]).toEqual([200, 100])
    held.forEach(answer)
    await waitUntil(() => held.length === 300, { what: 'the others' })
    held.slice(200).forEach(answer)
    expect(await Promise.all(asking)).toEqual(Array.from({ length: 300 }, () => '{}'))
    expect(server().connections() - before).toBe(200)
    expect(endpoint.counts.extract).toMatchObject({
      requests: { answered: 300, not_sent: 0 },
      inputTokens: 90_000,
      outputTokens: 6_300,
    })
    expect([endpoint.inFlight(), endpoint.waiting()]).toEqual([0, 0])
    endpoint.close()
  })

  it('take almost no processor time while they wait', async () => {
    const endpoint = open(500)
    const held = holdAll()
    const asking = askMany(endpoint, 500)
    await waitUntil(() => held.length === 500, { what: '500 requests in flight', everyMs: 200 })
    const before = process.threadCpuUsage()
    await delay(1_000)
    const used = process.threadCpuUsage(before)
    held.forEach(answer)
    await Promise.all(asking)
    expect((used.user + used.system) / 1_000).toBeLessThan(100)
  })
})

describe('an endpoint that is busy', () => {
  it('gets no new request until the time it names, and those that wait are refused at once', async () => {
    const endpoint = open(4)
    const held = holdAll()
    const asking = askMany(endpoint, 10)
    await waitUntil(() => held.length === 4, { what: 'four requests in flight' })
    const [first, ...others] = held
    if (first) sendJson(first, 429, { error: {} }, { 'retry-after': '2' })
    const busy = performance.now()
    await Promise.all(asking.slice(4))
    expect(endpoint.counts.extract.requests).toMatchObject({ busy: 1, not_sent: 6, answered: 0 })
    expect([endpoint.state(), endpoint.limit()]).toEqual(['failing', 2])
    others.forEach(answer)
    const outcomes = await Promise.all(asking)
    expect(outcomes.filter((outcome) => outcome === '{}')).toHaveLength(3)
    server().behave(answerWith('{"back":true}'))
    const refused = await outcomeOf(endpoint)
    expect(refused).toMatchObject({ reason: 'busy' })
    expect((refused as ModelFailure).retryAfterMs).toBeGreaterThan(0)
    expect(server().requests).toHaveLength(4)
    await waitUntil(async () => (await outcomeOf(endpoint)) === '{"back":true}', {
      what: 'it is asked again',
    })
    expect(performance.now() - busy).toBeGreaterThan(1_900)
    expect([endpoint.state(), server().requests.length]).toEqual(['on', 5])
  })
})

describe('an endpoint that fails', () => {
  it('is left alone after five failures, then asked by one request at a time until it answers', async () => {
    const endpoint = open(1)
    server().behave(failWith(500))
    const outcomes = await Promise.all(askMany(endpoint, 20))
    expect(
      outcomes.every((outcome) => outcome instanceof ModelFailure && outcome.reason === 'server_error'),
    ).toBe(true)
    expect(server().requests).toHaveLength(5)
    expect(endpoint.counts.extract.requests).toMatchObject({ server_error: 5, not_sent: 15 })
    await waitUntil(() => endpoint.pausedMs() === 0, { what: 'the end of the pause' })
    await Promise.all(askMany(endpoint, 20))
    expect(server().requests).toHaveLength(6)
    expect(endpoint.counts.extract.requests).toMatchObject({ server_error: 6, not_sent: 34 })
    server().behave(answerWith('{}'))
    await waitUntil(() => endpoint.pausedMs() === 0, { what: 'the end of the second pause' })
    const back = await Promise.all(askMany(open(20), 20))
    expect(back.filter((outcome) => outcome === '{}')).toHaveLength(20)
    expect(await outcomeOf(endpoint)).toBe('{}')
    expect(endpoint.state()).toBe('on')
  })

  it('and hangs is left alone after the timeout, all requests together counting once', async () => {
    const endpoint = open(50, 300)
    server().behave(() => undefined)
    const outcomes = await Promise.all(askMany(endpoint, 50))
    expect(outcomes.every((outcome) => outcome instanceof ModelFailure && outcome.reason === 'timeout')).toBe(
      true,
    )
    expect(endpoint.state()).toBe('failing')
    expect(endpoint.pausedMs()).toBeLessThanOrEqual(1_000)
  })

  it('and goes away is asked again when it is back, at the same address', async () => {
    const endpoint = open(10)
    expect(await outcomeOf(endpoint)).toBe('{}')
    const held = holdAll()
    const asking = askMany(endpoint, 10)
    await waitUntil(() => held.length === 10, { what: 'ten requests in flight' })
    await server().leave()
    for (const outcome of await Promise.all(asking)) expect(outcome).toMatchObject({ reason: 'unreachable' })
    expect(endpoint.state()).toBe('failing')
    await server().comeBack()
    server().behave(answerWith('{}'))
    await waitUntil(async () => (await outcomeOf(endpoint)) === '{}', { what: 'an answer' })
    expect(endpoint.state()).toBe('on')
  })

  it('for want of a key or model is left alone at the first failure', async () => {
    const endpoint = open(1)
    server().behave(failWith(401))
    expect(await outcomeOf(endpoint)).toMatchObject({ reason: 'forbidden' })
    expect(await outcomeOf(endpoint)).toMatchObject({ reason: 'forbidden' })
    expect(server().requests).toHaveLength(1)
  })
})
