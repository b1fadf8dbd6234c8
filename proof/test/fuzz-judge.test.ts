/** The judge must notice: each kind of wrong answer, beside the right one that it lets pass. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../harness/http.ts'
import { readDocument } from '../harness/openapi.ts'
import type { RequestDraft } from '../proofs/fuzz/drafts.ts'
import { createJudge } from '../proofs/fuzz/judge.ts'
import { createValidators } from '../proofs/fuzz/validators.ts'
import { plainWire } from '../proofs/fuzz/wire.ts'
import type { Wire } from '../proofs/fuzz/wire.ts'

const problem = {
  headers: { 'X-Request-Id': { required: true } },
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        properties: {
          status: { type: 'integer' },
          code: { type: 'string' },
          request_id: { type: 'string' },
          detail: { type: 'string' },
        },
        required: ['status', 'code', 'request_id'],
        additionalProperties: false,
      },
    },
  },
  'x-problem-codes': ['not_found'],
}

const thing = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
}

const told = {
  type: 'object',
  properties: { id: { type: 'string' }, type: { const: 'told' } },
  required: ['id', 'type'],
  additionalProperties: false,
}

const document = readDocument({
  openapi: '3.1.0',
  paths: {
    '/stream': {
      get: {
        operationId: 'followThings',
        responses: {
          '200': { content: { 'text/event-stream': { schema: { type: 'string', contentSchema: told } } } },
          '404': { $ref: '#/components/responses/NotFound' },
        },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          '404': { $ref: '#/components/responses/NotFound' },
        },
      },
    },
  },
  components: { schemas: { Thing: thing }, responses: { NotFound: problem } },
})

const judge = createJudge(document, createValidators(document))
const operation = document.operations.find(({ id }) => id === 'getThing')
if (!operation) throw new Error('the document of this test has no operation')
const draft: RequestDraft = {
  operation,
  kind: 'valid',
  draw: 0,
  build: () => ({ wire: plainWire, label: '' }),
}

function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const type = status < 300 ? 'application/json' : 'application/problem+json'
  return {
    status,
    headers: new Map(Object.entries({ 'content-type': type, 'x-request-id': 'r1', ...headers })),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    reusable: true,
    stream: false,
  }
}

function checks(given: Answer, wire: Partial<Wire> = {}): string[] {
  const exchange = { draft, wire: { ...plainWire, target: '/things/1', ...wire }, answer: given }
  return judge.deviationsOf(exchange).map(({ check }) => check)
}

const notFound = { status: 404, code: 'not_found', request_id: 'r1' }

describe('the judge lets pass', () => {
  test('a documented success', () => expect(checks(answer(200, { id: 'a' }))).toEqual([]))
  test('a documented problem', () => expect(checks(answer(404, notFound))).toEqual([]))
  test('a problem on a path that does not exist', () =>
    expect(checks(answer(404, notFound), { target: '/none' })).toEqual([]))
  test('an answer to HEAD without a body', () =>
    expect(checks(answer(404, ''), { method: 'HEAD' })).toEqual([]))
  test('a parameter with an encoded slash', () =>
    expect(checks(answer(200, { id: 'a' }), { target: '/things/a%2Fb' })).toEqual([]))
})

describe('the judge notices', () => {
  test('a 5xx', () => expect(checks(answer(500, notFound))).toContain('5xx'))
  test('a status that the operation does not document', () =>
    expect(checks(answer(409, notFound))).toEqual(['undocumented status']))
  test('a success on a path that does not exist', () =>
    expect(checks(answer(200, { id: 'a' }), { target: '/none' })).toEqual(['undocumented status']))
  test('a property that the schema does not name', () =>
    expect(checks(answer(200, { id: 'a', row: 1 }))).toEqual(['schema violation']))
  test('a property of another type', () =>
    expect(checks(answer(200, { id: 1 }))).toEqual(['schema violation']))
  test('a body that is not JSON', () => expect(checks(answer(200, '<html>'))).toEqual(['schema violation']))
  test('a content type that is not documented', () =>
    expect(checks(answer(200, { id: 'a' }, { 'content-type': 'text/plain' }))).toEqual(['schema violation']))
  test('a required header that is missing', () => {
    const given = answer(404, notFound)
    const headers = new Map([...given.headers].filter(([name]) => name !== 'x-request-id'))
    expect(checks({ ...given, headers })).toContain('schema violation')
  })
  test('a problem whose status is not that of the answer', () =>
    expect(checks(answer(404, { ...notFound, status: 400 }))).toEqual(['schema violation']))
  test('a code that is not documented for the status', () =>
    expect(checks(answer(404, { ...notFound, code: 'other' }))).toEqual(['schema violation']))
  test('a request_id that is not X-Request-Id', () =>
    expect(checks(answer(404, { ...notFound, request_id: 'r2' }))).toEqual(['schema violation']))
  test('success where the document forbids the request', () =>
    expect(checks(answer(200, { id: 'a' }), { mustBeRefused: true })).toEqual(['forbidden but accepted']))
  test.each([
    'TypeError: x is undefined',
    'at handle (file:///srv/app/main.ts:1:2)',
    'relation "tenants" does not exist',
    'insert into keys values ($1)',
    'connect ECONNREFUSED 127.0.0.1:5432',
  ])('a trace of the inside: %s', (detail) =>
    expect(checks(answer(404, { ...notFound, detail }))).toEqual(['leak']),
  )
  test('no leak in what the caller sent itself', () =>
    expect(
      checks(answer(404, { ...notFound, detail: 'TypeError' }), { target: '/things/TypeError' }),
    ).toEqual([]))
})

describe('of an event stream the judge', () => {
  const stream = (...frames: string[]) => {
    const body = ['retry: 3000', ...frames].map((frame) => `${frame}\n\n`).join('')
    return checks(answer(200, body, { 'content-type': 'text/event-stream; charset=utf-8' }), {
      target: '/stream',
    })
  }

  test('lets pass documented events, and the one that tells of a lost position', () =>
    expect(
      stream('id: 1\nevent: told\ndata: {"id":"1","type":"told"}', 'event: resync\ndata: {"head":7}'),
    ).toEqual([]))
  test('lets pass what is cut off at the end', () => expect(stream('id: 1\nevent: to')).toEqual([]))
  test('notices a property that the schema does not name', () =>
    expect(stream('id: 1\nevent: told\ndata: {"id":"1","type":"told","row":1}')).toEqual([
      'schema violation',
    ]))
  test('notices a frame that is of another event than its data', () =>
    expect(stream('id: 2\nevent: told\ndata: {"id":"1","type":"told"}')).toEqual(['schema violation']))
  test('notices data that is not JSON', () =>
    expect(stream('id: 1\nevent: told\ndata: {')).toEqual(['schema violation']))
  test('notices that nobody is told how long to wait', () =>
    expect(
      checks(answer(200, ': hello\n\n', { 'content-type': 'text/event-stream' }), { target: '/stream' }),
    ).toEqual(['schema violation']))
})
