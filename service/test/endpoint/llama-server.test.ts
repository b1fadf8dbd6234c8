/**
 * The protocol, by a real server: llama-server of llama.cpp with a small model. It runs only where both are named, as
 * tools/model/README.md says; the model understands nothing, so only the form of its answers counts.
 */
import { freePort, startChild, waitUntil } from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ModelFailure } from '../../src/domain/model.ts'
import type { ModelRequest } from '../../src/domain/model.ts'
import { createModelEndpoint } from '../../src/endpoint/model-endpoint.ts'
import type { ModelEndpointSettings } from '../../src/endpoint/model-endpoint.ts'
import { verificationRequest } from '../../src/model/verify.ts'
import { statement } from '../support/claims.ts'

const { LLAMA_SERVER: command, LLAMA_MODEL: model } = process.env
const isNamed = command !== undefined && model !== undefined
const skipped = isNamed ? '' : ' (skipped: LLAMA_SERVER and LLAMA_MODEL are not set)'

/** A small machine makes some seven tokens a second. */
const TIMEOUT_MS = 300_000

const side = { title: 'Report', date: null, claim: statement(10), before: '', after: '' }
const verification = verificationRequest(side, { ...side, claim: statement(12) })
const short: ModelRequest = {
  ...verification,
  system: 'Answer in JSON.',
  user: '{"a":"Revenue was 12.","b":"Revenue was 13."}',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['verdict', 'sure'],
    properties: { verdict: { type: 'string', enum: ['conflict', 'compatible'] }, sure: { type: 'boolean' } },
  },
  maxOutputTokens: 60,
}

describe.runIf(isNamed)(`llama-server${skipped}`, () => {
  let server: Child
  let url = ''

  beforeAll(async () => {
    const port = await freePort()
    const flags = [
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--ctx-size',
      '4096',
      '--parallel',
      '2',
      '--no-jinja',
    ]
    const args = ['--model', model ?? '', '--alias', 'small', '--api-key', 'a-key', ...flags]
    server = startChild({ command: command ?? '', args, env: process.env })
    url = `http://127.0.0.1:${port}/v1`
    const isReady = async () => server.hasExited() || (await fetch(`http://127.0.0.1:${port}/health`)).ok
    await waitUntil(isReady, { what: 'llama-server loading the model', withinMs: 100_000, everyMs: 500 })
    if (server.hasExited()) throw new Error(`llama-server ended: ${server.output()}`)
  })
  afterAll(() => server.stop(2_000))

  const open = (over: Partial<ModelEndpointSettings> = {}) =>
    createModelEndpoint({
      url,
      apiKey: 'a-key',
      nameOf: () => 'small',
      format: 'json_schema',
      timeoutMs: TIMEOUT_MS,
      concurrency: 2,
      ...over,
    })

  const reasonOf = (asking: Promise<unknown>) =>
    asking.then(
      () => 'answered',
      (error: unknown) => (error instanceof ModelFailure ? error.reason : error),
    )

  it('holds its answer to the schema and counts tokens', { timeout: TIMEOUT_MS }, async () => {
    const { content, model: named, usage } = await open().ask(short)
    expect(Object.keys(JSON.parse(content) as object).toSorted()).toEqual(['sure', 'verdict'])
    expect(named).toBe('small')
    expect(usage.inputTokens).toBeGreaterThan(10)
    expect(usage.outputTokens).toBeGreaterThan(3)
  })

  it('gives JSON where it is told the schema in words', { timeout: TIMEOUT_MS }, async () => {
    const { content } = await open({ format: 'json_object' }).ask(short)
    expect(JSON.parse(content)).toBeTypeOf('object')
  })

  it('says why it gives no answer', { timeout: TIMEOUT_MS }, async () => {
    expect(await reasonOf(open().ask({ ...short, maxOutputTokens: 3 }))).toBe('too_long')
    expect(await reasonOf(open().ask({ ...short, user: 'word '.repeat(6_000) }))).toBe('too_long')
    expect(await reasonOf(open({ apiKey: 'another' }).ask(short))).toBe('forbidden')
    expect(await reasonOf(open({ timeoutMs: 200 }).ask(verification))).toBe('timeout')
  })
})
