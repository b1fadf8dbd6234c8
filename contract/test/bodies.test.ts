/** The bodies that the specification names without describing them, and those of our own routes. */
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { allOperations, operations } from '../src/index.ts'

/** A legal body for every operation that takes one; the smallest where fields may be left out. */
const samples = {
  createTenant: { name: 'n' },
  createScope: { scope_id: 'a' },
  createOwnScope: { scope_id: 'a' },
  issueTenantKey: {},
  rotateTenantKey: {},
  ingestDocument: { scope_id: 'a', name: 'n', text: 't' },
  ingestBatch: { documents: [{ scope_id: 'a', name: 'n', text: 't' }] },
  triggerIngest: {},
  rereadScope: {},
  registerDocument: { scope_id: 'a', name: 'n' },
  attachDocument: { name: 'n', text: 't' },
  reportContradiction: {
    scope_id: 'a',
    claim_a: 'x',
    claim_b: 'y',
    source_a: 'd1',
    source_b: 'd2',
    severity: 'low',
  },
  putPolicy: { text: '' },
  putScopePolicy: { text: '' },
  updateDocument: {},
  removeDocuments: { document_ids: ['a'] },
  retryDocuments: { document_ids: ['a'] },
  releaseDocument: { by: 'n', reason: 'r' },
  resolveContradiction: { outcome: 'dismissed', reason: 'a duplicate' },
  declareSettled: {},
  startRuntime: {},
  pauseRuntime: {},
  resumeRuntime: {},
  stopRuntime: {},
  restartRuntime: {},
  startTenantRuntime: {},
  pauseTenantRuntime: {},
  resumeTenantRuntime: {},
  stopTenantRuntime: {},
  restartTenantRuntime: {},
} as const

/** A file has no fields. */
const withBody = allOperations.flatMap(({ name, body, bodyMediaTypes }) =>
  body && !bodyMediaTypes ? [{ name, body }] : [],
)

function accepts(schema: z.ZodType | undefined, value: unknown): boolean {
  return schema?.safeParse(value).success ?? false
}

function sampleOf(name: string): object {
  const sample = Object.entries(samples).find(([key]) => key === name)?.[1]
  if (!sample) throw new Error(`Add a legal body of ${name} to the samples.`)
  return sample
}

describe.each(withBody)('the body of $name', ({ name, body }) => {
  test('passes in its smallest form', () => {
    expect(accepts(body, sampleOf(name))).toBe(true)
  })

  test.each(['tenant_id', 'epoch', 'status', 'seq', 'x'])(
    'refuses the property %s, which it does not know',
    (more) => {
      expect(accepts(body, { ...sampleOf(name), [more]: 'x' })).toBe(false)
    },
  )

  test.each([null, [], 'text', 1])('is an object, not %j', (value) => {
    expect(accepts(body, value)).toBe(false)
  })

  test('lacks nothing that is required', () => {
    for (const field of Object.keys(sampleOf(name))) {
      expect(accepts(body, { ...sampleOf(name), [field]: undefined })).toBe(false)
    }
  })
})

/** Operation, field, least and most code points. */
const bounds = [
  ['createScope', 'display_name', 1, 500],
  ['createOwnScope', 'display_name', 1, 500],
  ['registerDocument', 'name', 1, 500],
  ['registerDocument', 'type', 0, 50],
  ['registerDocument', 'text', 1, 100_000],
  ['registerDocument', 'document_id', 1, 200],
  ['registerDocument', 'source', 1, 500],
  ['registerDocument', 'provenance', 1, 500],
  ['attachDocument', 'text', 1, 100_000],
  ['attachDocument', 'provenance', 1, 500],
  ['reportContradiction', 'claim_a', 1, 2000],
  ['reportContradiction', 'claim_b', 1, 2000],
  ['reportContradiction', 'source_a', 1, 200],
  ['reportContradiction', 'source_b', 1, 200],
  ['reportContradiction', 'note', 1, 2000],
  ['putPolicy', 'text', 0, 32_768],
  ['releaseDocument', 'by', 1, 200],
  ['releaseDocument', 'reason', 1, 2000],
  ['resolveContradiction', 'by', 1, 200],
  ['resolveContradiction', 'reason', 1, 2000],
] as const

test.each(bounds)('%s: %s takes %i to %i code points, no fewer and no more', (name, field, min, max) => {
  const { body } = operations[name]
  const takes = (characters: number) => accepts(body, { ...samples[name], [field]: '😀'.repeat(characters) })
  expect([min, max, max + 1].map(takes)).toEqual([true, true, false])
  expect(min === 0 || !takes(min - 1)).toBe(true)
})

test('the name of a tenant has at least one character, and no upper bound of its own', () => {
  const { body } = operations.createTenant
  const takes = (characters: number) => accepts(body, { name: '😀'.repeat(characters) })
  expect([0, 1, 501, 4000].map(takes)).toEqual([false, true, true, true])
})

describe('what a body leaves out', () => {
  test('the type of a document is txt', () => {
    expect(operations.registerDocument.body?.parse(samples.registerDocument)).toHaveProperty('type', 'txt')
    expect(operations.attachDocument.body?.parse(samples.attachDocument)).toHaveProperty('type', 'txt')
  })

  test('an attached document must have text, a registered one need not', () => {
    expect(accepts(operations.attachDocument.body, { name: 'n' })).toBe(false)
    expect(accepts(operations.registerDocument.body, { scope_id: 'a', name: 'n' })).toBe(true)
  })
})

describe('a resolution', () => {
  const takes = (value: object) =>
    accepts(operations.resolveContradiction.body, { by: 'me', reason: 'r', ...value })

  test('says which side holds when it resolves, and only then', () => {
    expect(takes({ outcome: 'resolved', holds: 'a' })).toBe(true)
    expect(takes({ outcome: 'resolved' })).toBe(false)
    expect(takes({ outcome: 'dismissed', holds: 'a' })).toBe(false)
    expect(takes({ outcome: 'reopened', holds: 'a' })).toBe(false)
  })

  test('need not name a person, but has a reason', () => {
    expect(accepts(operations.resolveContradiction.body, { outcome: 'dismissed', reason: 'r' })).toBe(true)
    expect(accepts(operations.resolveContradiction.body, { outcome: 'dismissed', by: 'me' })).toBe(false)
  })

  test.each(['open', 'RESOLVED', '', null])('has no outcome %j', (outcome) => {
    expect(takes({ outcome })).toBe(false)
  })
})

describe('a query', () => {
  const { query } = operations.listScopes
  test.each(['0', '101', '1.0', ' 1', '1e1', '01', ''])('refuses the page size %j', (limit) => {
    expect(accepts(query, { limit })).toBe(false)
  })

  test('takes page sizes 1 to 100 and 50 when none is sent', () => {
    expect([{ limit: '1' }, { limit: '100' }, {}].map((each) => query?.parse(each).limit)).toEqual([
      1, 100, 50,
    ])
  })

  test.each(['-1', '1.5', '01', '1000000000000000', ''])('refuses the stream position %j', (after) => {
    expect(accepts(operations.streamScopeEvents.query, { after })).toBe(false)
  })

  test('takes every stream position of 15 digits exactly', () => {
    expect(operations.streamScopeEvents.query?.parse({ after: '999999999999999' })).toEqual({
      after: 999_999_999_999_999,
    })
  })
})
