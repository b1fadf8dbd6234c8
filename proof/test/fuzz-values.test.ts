/** Tests the generators, held against the document that the service serves. */
import { openApiDocument, servedOperations } from '@concord/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../harness/openapi.ts'
import { toText } from '../proofs/fuzz/drafts.ts'
import { encodeBody, fitBody } from '../proofs/fuzz/fitting-bodies.ts'
import { digitMisses, nearMisses, textMisses } from '../proofs/fuzz/near-misses.ts'
import { headerTextsOf } from '../proofs/fuzz/texts.ts'
import { createValidators } from '../proofs/fuzz/validators.ts'
import { valuesOf } from '../proofs/fuzz/values.ts'
import type { Facts } from '../proofs/fuzz/world.ts'

const document = readDocument(
  JSON.parse(JSON.stringify(openApiDocument(servedOperations, { version: '0.0.0' }))),
)
const { operations, resolve } = document
const validators = createValidators(document)
const bodies = operations.flatMap(({ id, body }) => (body ? [{ id, body }] : []))
const parameters = operations.flatMap(({ id, parameters: each }) =>
  each.map((parameter) => ({ id, parameter })),
)

describe('the document', () => {
  test('is read whole: every served operation, each with its answers', () => {
    const aliases = servedOperations.flatMap(({ name, aliases: each = [] }) =>
      each.map(() => `${name}Deprecated`),
    )
    expect(operations.map(({ id }) => id).toSorted()).toEqual(
      [...servedOperations.map(({ name }) => name), ...aliases].toSorted(),
    )
    for (const { answers } of operations) expect(answers.size).toBeGreaterThan(5)
  })
})

describe('generated values', () => {
  test.each(bodies)('for the body of $id are valid', ({ body }) => {
    const check = fc.property(valuesOf(body.schema, resolve), (value) => {
      expect(validators.fault(body.pointer, value)).toBeUndefined()
    })
    fc.assert(check)
  })

  test.each(parameters)('for $parameter.name of $id are valid', ({ parameter }) => {
    const check = fc.property(valuesOf(parameter.schema, resolve), (value) => {
      expect(validators.allowsText(parameter, toText(value))).toBe(true)
    })
    fc.assert(check)
  })

  const sendable = parameters.filter(({ parameter }) => parameter.in === 'header')
  test.each(sendable)('for the header $parameter.name of $id can stand in a header', ({ parameter }) => {
    const check = fc.property(headerTextsOf(resolve(parameter.schema)), (value) => {
      expect(validators.allowsText(parameter, value)).toBe(true)
      expect(value).toMatch(/^[\x21-\x7e]+$/)
    })
    fc.assert(check)
  })

  test('reach the longest text that is allowed, counted in code points', () => {
    const schema = { type: 'string', minLength: 1, maxLength: 7 }
    const lengths = fc
      .sample(valuesOf(schema, resolve), { numRuns: 300, seed: 1 })
      .map((each) => Array.from(String(each)).length)
    expect(Math.max(...lengths)).toBe(7)
    expect(Math.min(...lengths)).toBe(1)
  })

  test('hold no text that cannot be stored', () => {
    const texts = fc.sample(valuesOf({ type: 'string' }, resolve), { numRuns: 500, seed: 1 }).map(String)
    expect(texts.filter((text) => text.includes('\0') || !text.isWellFormed())).toEqual([])
  })
})

describe('a body that is to succeed', () => {
  const facts: Facts = {
    values: { scopeId: 'a-scope' },
    documentIds: ['one', 'two'],
    tenantId: '',
    tenantKey: '',
    root: { admin: '', internals: '' },
    nonce: 'n1',
  }
  const fitted = (id: string, runs = 50) => {
    const operation = operations.find((each) => each.id === id)
    if (!operation?.body) throw new Error(`${id} takes no body any more`)
    const { schema, pointer } = operation.body
    const values = fc.sample(valuesOf(schema, resolve), { numRuns: runs, seed: 1 })
    return values.map((value) => {
      const body = fitBody(operation, value, facts)
      expect(validators.fault(pointer, body)).toBeUndefined()
      return body as Readonly<Record<string, unknown>>
    })
  }

  test('names a scope that exists, and ids that nobody used', () => {
    const documents = fitted('ingestDocument')
    for (const { scope_id } of documents) expect(scope_id).toBe('a-scope')
    const ids = documents.flatMap(({ document_id, idempotency_key }) => [document_id, idempotency_key])
    for (const id of ids.filter((each) => each !== undefined)) expect(id).toMatch(/~n1$/)
  })

  test('gives every document of a batch an id of its own', () => {
    const batches = fitted('ingestBatch').map(({ documents }) => documents as { document_id?: string }[])
    for (const documents of batches) {
      const ids = documents.flatMap(({ document_id: id }) => (id === undefined ? [] : [id]))
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  test('names documents that exist', () => {
    const named = fitted('triggerIngest').filter((body) => 'document_ids' in body)
    expect(named.length).toBeGreaterThan(0)
    for (const body of named) expect(body).toEqual({ document_ids: ['one', 'two'] })
  })

  test('means the same when it comes escaped', () => {
    const body = { text: 'Größe 😀\n' }
    const escaped = encodeBody(body, 1_000, 0)
    expect(escaped.toString('latin1')).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(escaped.toString())).toEqual(body)
    expect(encodeBody(body, 20, 0).toString()).toBe(JSON.stringify(body))
  })
})

describe('near misses', () => {
  test.each(bodies)('of the body of $id are mostly broken, and never all', ({ body }) => {
    const misses = fc
      .sample(valuesOf(body.schema, resolve), { numRuns: 20, seed: 1 })
      .flatMap((value) => nearMisses(body.schema, value, resolve))
    const broken = misses.filter(({ value }) => validators.fault(body.pointer, value) !== undefined)
    expect(broken.length).toBeGreaterThan(misses.length / 2)
    expect(broken.length).toBeLessThan(misses.length)
  })

  test('of a bounded text stand on both sides of each bound', () => {
    const lengths = textMisses({ minLength: 2, maxLength: 4 }, '😀😀').map(
      ({ value }) => Array.from(String(value)).length,
    )
    expect(lengths).toContain(1)
    expect(lengths).toContain(4)
    expect(lengths).toContain(5)
  })

  test('of a whole number in a query are judged as text', () => {
    const limit = parameters.find(({ parameter }) => parameter.name === 'limit')?.parameter
    if (!limit) throw new Error('no served operation has a limit any more')
    const allowed = digitMisses(resolve(limit.schema)).filter(({ value }) =>
      validators.allowsText(limit, String(value)),
    )
    expect(allowed.map(({ value }) => value)).toEqual(['1', '100'])
  })
})
