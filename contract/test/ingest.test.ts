/** The bodies and answers of POST /api/ingest, held to the letter of the specification. */
import { describe, expect, test } from 'vitest'
import { operations } from '../src/index.ts'

const request = operations.ingestDocument.body
const response = operations.ingestDocument.answers[202]

const least = { scope_id: 'a', name: 'n', text: 't' }

/** Field, least and most characters; null where the specification sets no lower bound. */
const bounds = [
  ['scope_id', 1, 120],
  ['name', 1, 500],
  ['type', null, 50],
  ['text', 1, 100_000],
  ['document_id', 1, 200],
  ['source', 1, 500],
  ['idempotency_key', 1, 200],
] as const

/** A scope id admits no emoji; every other field does. */
function unitOf(field: string): string {
  return field === 'scope_id' ? 'a' : '😀'
}

function accepts(body: unknown): boolean {
  return request?.safeParse(body).success ?? false
}

describe('IngestDocumentRequest', () => {
  test.each(bounds)('%s passes at its bounds, %j and %i code points', (field, min, max) => {
    expect(accepts({ ...least, [field]: unitOf(field).repeat(max) })).toBe(true)
    expect(accepts({ ...least, [field]: unitOf(field).repeat(min ?? 0) })).toBe(true)
  })

  test.each(bounds)('%s fails one code point outside its bounds, %j and %i', (field, min, max) => {
    expect(accepts({ ...least, [field]: unitOf(field).repeat(max + 1) })).toBe(false)
    expect(min === null || !accepts({ ...least, [field]: unitOf(field).repeat(min - 1) })).toBe(true)
  })

  test.each(bounds)('%s refuses U+0000, a lone surrogate, a number and null', (field) => {
    for (const value of ['a\0', 'a\ud800', 1, null]) expect(accepts({ ...least, [field]: value })).toBe(false)
  })

  test.each(['scope_id', 'name', 'text'] as const)('%s is required', (field) => {
    expect(accepts({ ...least, [field]: undefined })).toBe(false)
  })

  test.each(['A', '-a', 'a_b', 'a b', 'ä', 'a\n', '😀'])('the scope id %j breaks the pattern', (scope_id) => {
    expect(accepts({ ...least, scope_id })).toBe(false)
  })

  test.each(['a', '0', 'a-', '0--x'])('the scope id %j follows the pattern', (scope_id) => {
    expect(accepts({ ...least, scope_id })).toBe(true)
  })

  test('the type is txt when left out, and nothing else is filled in', () => {
    expect(request?.parse(least)).toEqual({ ...least, type: 'txt' })
  })

  test.each(['tenant_id', 'provenance', 'constructor'])('the unknown property %s is refused', (name) => {
    expect(accepts({ ...least, [name]: 'x' })).toBe(false)
  })
})

describe('IngestDocumentResponse', () => {
  const whole = {
    scope_id: 'a',
    name: 'n',
    type: '',
    document_id: null,
    idempotency_key: null,
    queued: true,
    seq: null,
    integration_version: 'v1',
    message: '',
  }
  const isAnswer = (body: unknown): boolean => response.safeParse(body).success

  test('document_id, idempotency_key and seq may be null', () => {
    expect(isAnswer(whole)).toBe(true)
  })

  test.each(Object.keys(whole))('%s is required', (field) => {
    expect(isAnswer({ ...whole, [field]: undefined })).toBe(false)
  })

  test.each([
    ['queued', false],
    ['seq', -1],
    ['seq', 0.5],
    ['seq', '0'],
    ['integration_version', 'v2'],
    ['name', ''],
    ['name', 'n'.repeat(501)],
    ['type', 't'.repeat(51)],
    ['scope_id', 'A'],
    ['more', 1],
  ])('%s cannot be %j', (field, value) => {
    expect(isAnswer({ ...whole, [field]: value })).toBe(false)
  })

  test.each([
    ['seq', 0],
    ['name', '😀'.repeat(500)],
    ['type', '😀'.repeat(50)],
  ])('%s can be %j', (field, value) => {
    expect(isAnswer({ ...whole, [field]: value })).toBe(true)
  })
})

describe('IngestBatchRequest', () => {
  const batch = operations.ingestBatch.body
  const ofSize = (size: number) =>
    batch?.safeParse({ documents: Array.from({ length: size }, () => least) }).success

  test('one to a hundred documents pass, none and a hundred and one do not', () => {
    expect([0, 1, 100, 101].map(ofSize)).toEqual([false, true, true, false])
  })
})

test('the largest legal document, every character escaped, stays below the body limit', () => {
  const escaped = (characters: number) => '\\ud83d\\ude00'.repeat(characters)
  const fields = bounds.map(
    ([field, , max]) => `"${field}":"${field === 'scope_id' ? 'a'.repeat(max) : escaped(max)}"`,
  )
  const body = `{${fields.join(',')}}`
  expect(accepts(JSON.parse(body))).toBe(true)
  expect(body.length).toBeLessThanOrEqual(operations.ingestDocument.bodyLimit ?? 0)
})

describe('HTML', () => {
  const faults = (type: string, text: string) =>
    request?.safeParse({ ...least, type, text }).error?.issues.map(({ path, code }) => [path, code])

  test('is no text of a document that is registered or attached either', () => {
    const { scope_id: _none, ...attached } = least
    const page = { type: 'html', text: '<p>EUR 12.4m</p>' }
    const registering = operations.registerDocument.body?.safeParse({ ...least, ...page })
    const attaching = operations.attachDocument.body?.safeParse({ ...attached, ...page })
    for (const { error } of [registering, attaching].filter((each) => each !== undefined))
      expect(error?.issues).toMatchObject([{ path: ['text'], params: { code: 'html_not_text' } }])
    const { text: _text, ...registered } = least
    expect(operations.registerDocument.body?.safeParse({ ...registered, type: 'html' }).success).toBe(true)
  })

  test.each([
    ['html', '<!DOCTYPE html><title>A</title>'],
    ['HTM', 'Revenue was <p class="a">EUR 12.4m</p>'],
    ['text/html', '</td>'],
  ])('is no text of type %s: %s', (type, text) => {
    expect(faults(type, text)).toEqual([[['text'], 'custom']])
  })

  test.each([
    ['html', 'The text of a page: 3 < 4 and <name> stands for a name.'],
    ['md', 'Use <br> for a line.'],
    ['txt', '<html></html>'],
  ])('may be spoken of in a text of type %s: %s', (type, text) => {
    expect(faults(type, text)).toBeUndefined()
  })
})
