import { describe, expect, it } from 'vitest'
import { text } from '@concord/contract'
import { z } from 'zod'
import { Fault } from '../../src/domain/fault.ts'
import { validate, validateEntry } from '../../src/http/validation.ts'
import type { RawInput } from '../../src/http/validation.ts'
import { madeUpOperation } from '../support/made-up.ts'
import type { MadeUp } from '../support/made-up.ts'

const thing = {
  path: '/things/{id}',
  params: z.strictObject({ id: text({ min: 2, max: 4 }) }),
  query: z.strictObject({ limit: z.string().regex(/^\d+$/).transform(Number).default(50) }),
  body: z.strictObject({
    name: text({ min: 1, max: 5, pattern: /^[a-z]+$/ }),
    size: z.int().min(1).max(9).optional(),
    kind: z.enum(['a', 'b']).optional(),
    parts: z.array(z.strictObject({ 'a/b~c': z.int() })).optional(),
  }),
} satisfies MadeUp

const good: RawInput = { params: { id: 'ab' }, query: {}, body: { name: 'x' } }

const check = (raw: Partial<RawInput>, parts: MadeUp = thing) =>
  validate(madeUpOperation(parts), { ...good, ...raw })

function faultsOf(raw: Partial<RawInput>, parts?: MadeUp): string[] {
  try {
    check(raw, parts)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'validation_failed') throw error
    return (error.fields ?? []).map(({ pointer, code }) => `${pointer} ${code}`)
  }
  return []
}

describe('a valid request', () => {
  it('has the values of the schemas, including defaults', () => {
    expect(check({ query: { limit: '7' } })).toMatchObject({
      params: { id: 'ab' },
      query: { limit: 7 },
      body: { name: 'x' },
    })
    expect(check({})).toMatchObject({ query: { limit: 50 } })
  })

  it('is not coerced: a digit in quotes is no number, and a number is no string', () => {
    expect(faultsOf({ body: { name: 'x', size: '1' } })).toEqual(['#/size wrong_type'])
    expect(faultsOf({ body: { name: 7 } })).toEqual(['#/name wrong_type'])
  })
})

describe('an invalid request', () => {
  it.each([
    ['a missing property', { body: {} }, '#/name required'],
    ['a null', { body: { name: null } }, '#/name wrong_type'],
    ['an unknown property', { body: { name: 'x', tenant_id: 'y' } }, '#/tenant_id unknown_property'],
    ['an empty text', { body: { name: '' } }, '#/name too_short'],
    ['a long text', { body: { name: 'abcdef' } }, '#/name too_long'],
    ['a text of another pattern', { body: { name: 'A' } }, '#/name pattern_mismatch'],
    ['a NUL', { body: { name: 'a\0' } }, '#/name invalid_character'],
    ['a lone surrogate', { body: { name: '\ud800' } }, '#/name invalid_character'],
    ['a small number', { body: { name: 'x', size: 0 } }, '#/size too_small'],
    ['a big number', { body: { name: 'x', size: 10 } }, '#/size too_big'],
    ['a value outside the list', { body: { name: 'x', kind: 'c' } }, '#/kind not_allowed'],
    ['a body of another kind', { body: [] }, '# wrong_type'],
    ['no body', { body: undefined }, '# required'],
    ['a parameter of the path', { params: { id: 'a' } }, 'path#/id too_short'],
    ['a parameter of the query', { query: { limit: 'x' } }, 'query#/limit invalid'],
    ['a repeated parameter of the query', { query: { limit: ['1', '2'] } }, 'query#/limit wrong_type'],
    ['an unknown parameter of the query', { query: { offset: '1' } }, 'query#/offset unknown_property'],
  ])('is named by where and which rule: %s', (_, raw, fault) => {
    expect(faultsOf(raw)).toEqual([fault])
  })

  it('gets all faults at once, from path, query and body', () => {
    const faults = faultsOf({ params: { id: '' }, query: { limit: '-' }, body: { size: 0, extra: 1 } })
    expect(faults.toSorted()).toEqual(
      [
        'path#/id too_short',
        'query#/limit invalid',
        '#/name required',
        '#/size too_small',
        '#/extra unknown_property',
      ].toSorted(),
    )
  })

  it('gets its faults as JSON Pointers, inside arrays and through odd names', () => {
    const body = { name: 'x', parts: [{ 'a/b~c': 1 }, { 'a/b~c': 'x', 'd/~': 2 }] }
    expect(faultsOf({ body }).toSorted()).toEqual([
      '#/parts/1/a~1b~0c wrong_type',
      '#/parts/1/d~1~0 unknown_property',
    ])
  })

  it('is not repeated in full: a name as long as the body is cut, and stays well-formed', () => {
    const [pointer = ''] = faultsOf({ body: { name: 'x', ['😀'.repeat(5_000)]: 1 } })
    expect(pointer.length).toBeLessThan(300)
    expect(pointer.isWellFormed()).toBe(true)
  })

  it('lists the first fifty faults of very many', () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 0]))
    expect(faultsOf({ body: { name: 'x', ...many } })).toHaveLength(50)
    const parts = Array.from({ length: 200_000 }, () => 0)
    expect(faultsOf({ body: { name: 'x', parts } })).toHaveLength(50)
    expect(() => validateEntry(thing.body, { name: 'x', parts }, ['things', 3])).toThrow(
      expect.objectContaining({ fields: expect.objectContaining({ length: 50 }) }),
    )
  })

  it('gets a message that states what to send', () => {
    expect(() => check({ body: { name: 'abcdef' } })).toThrow(
      expect.objectContaining({
        fields: [{ pointer: '#/name', code: 'too_long', message: expect.stringContaining('at most 5') }],
      }),
    )
  })
})

describe('the message of a fault', () => {
  const schema = z.strictObject({
    severity: z.enum(['low', 'high']),
    at: z.iso.datetime({ offset: true }).optional(),
    parts: z.array(z.int()).min(1).max(2).optional(),
    size: z.int().min(1).max(9).optional(),
  })
  const messagesOf = (body: object) => {
    try {
      check({ body }, { ...thing, body: schema })
    } catch (error) {
      if (error instanceof Fault) return (error.fields ?? []).map(({ code, message }) => [code, message])
    }
    return []
  }

  it.each([
    [{}, 'required', 'Send this property; it is required.'],
    [{ severity: 'urgent' }, 'not_allowed', 'Send one of "low", "high".'],
    [{ severity: 'low', parts: [] }, 'too_small', 'Send at least 1 entry.'],
    [{ severity: 'low', parts: [1, 2, 3] }, 'too_big', 'Send at most 2 entries.'],
    [{ severity: 'low', size: 0 }, 'too_small', 'Send a number of at least 1.'],
    [{ severity: 'low', size: 10 }, 'too_big', 'Send a number of at most 9.'],
    [{ severity: 'low', size: 1.5 }, 'wrong_type', 'Send a whole number.'],
    [{ severity: 'low', size: [] }, 'wrong_type', 'Send a number.'],
    [{ severity: 'low', at: 'yesterday' }, 'invalid', expect.stringContaining('2026-11-15T09:30:00Z')],
  ])('are ours and say what to send: %j', (body, code, message) => {
    expect(messagesOf(body)).toEqual([[code, message]])
  })
})

describe('one entry of a list', () => {
  it('has its faults pointed at from the root of the body', () => {
    expect(() => validateEntry(thing.body, { name: 'x', parts: [{ 'a/b~c': '1' }] }, ['things', 3])).toThrow(
      expect.objectContaining({
        fields: [{ pointer: '#/things/3/parts/0/a~1b~0c', code: 'wrong_type', message: 'Send a number.' }],
      }),
    )
  })
})

describe('a body that may be left out', () => {
  const optional = { ...thing, body: z.strictObject({ size: z.int().default(3) }), bodyOptional: true }

  it('reads as an empty object, so that defaults apply', () => {
    expect(check({ body: undefined }, optional)).toMatchObject({ body: { size: 3 } })
  })

  it('is still checked when it is sent', () => {
    expect(faultsOf({ body: { size: 'x' } }, optional)).toEqual(['#/size wrong_type'])
    expect(faultsOf({ body: null }, optional)).toEqual(['# wrong_type'])
  })
})

describe('a body that the operation does not take', () => {
  const bare = { path: '/things' }

  it('is refused', () => {
    for (const body of [{ a: 1 }, [], 'x', 0, null])
      expect(faultsOf({ body }, bare)).toEqual(['# unexpected_body'])
  })

  it('is accepted when it is empty, because some clients always send one', () => {
    expect(faultsOf({ body: undefined }, bare)).toEqual([])
    expect(faultsOf({ body: {} }, bare)).toEqual([])
  })
})
