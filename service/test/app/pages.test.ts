import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, toPage } from '../../src/app/pages.ts'
import { MICROSECONDS, KEY_ID, SCOPE_ID, UUID } from '../../src/app/patterns.ts'
import { Fault } from '../../src/domain/fault.ts'

const patterns = [MICROSECONDS, UUID] as const

/** Undefined, or parts that follow their patterns; anything but the one fault is a failure of the test. */
function decodeOrFault(cursor: string): readonly string[] | 'refused' | undefined {
  try {
    return decodeCursor(cursor, patterns)
  } catch (error) {
    if (error instanceof Fault && error.code === 'validation_failed') return 'refused'
    throw error
  }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a cursor', () => {
  it('is decoded to the position it was made of', () => {
    const position = ['1794735000123456', '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66']
    expect(decodeCursor(encodeCursor(position), patterns)).toEqual(position)
  })

  it('is made of letters that need no escaping in an address', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (position) => {
        expect(encodeCursor(position)).toMatch(/^[\w-]*$/)
      }),
    )
  })

  it('may be left out', () => {
    expect(decodeCursor(undefined, patterns)).toBeUndefined()
  })

  it('of any other making is refused as a validation fault that says where and what to send', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.anything().map((value) => encoded(value ?? null)),
      fc.array(fc.string()).map(encoded),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc.constantFrom('', 'W10', 'bnVsbA', '[]', '\0', 'W1s', encoded(['x', 'y']), encoded([1, 2])),
    )
    fc.assert(
      fc.property(anything, (cursor) => {
        expect(decodeOrFault(cursor)).toBe('refused')
      }),
      { numRuns: 1_000 },
    )
    const refused = () => decodeCursor('nonsense', patterns)
    expect(refused).toThrow(
      expect.objectContaining({
        fields: [expect.objectContaining({ pointer: 'query#/cursor', code: 'invalid_cursor' })],
      }),
    )
  })

  it('with a part too many, too few or of the wrong form is refused', () => {
    const good = ['1794735000123456', '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66']
    for (const parts of [
      good.slice(1),
      [...good, ''],
      good.toReversed(),
      [good[0], `${good[1]}\n`],
      [good[0], null],
    ])
      expect(decodeOrFault(encoded(parts))).toBe('refused')
  })

  it('cannot carry anything but plain ids and instants into a statement', () => {
    const hostile = ["' or 1=1 --", '\0', 'a'.repeat(121), '2026-11-15', 'infinity', 'now', '']
    for (const pattern of [MICROSECONDS, UUID, KEY_ID])
      for (const part of hostile) expect(pattern.test(part)).toBe(false)
    for (const part of ["' or 1=1 --", '\0', 'a'.repeat(121), '', '-a', 'A', 'a\n'])
      expect(SCOPE_ID.test(part)).toBe(false)
  })
})

describe('a page', () => {
  const page = (rows: readonly number[], limit: number) =>
    toPage(
      rows,
      limit,
      (row) => `#${row}`,
      (row) => [String(row)],
    )

  it('has a next cursor exactly when there is one row more than asked for', () => {
    expect(page([1, 2], 2)).toEqual({ items: ['#1', '#2'], nextCursor: null })
    expect(page([1, 2, 3], 2)).toEqual({ items: ['#1', '#2'], nextCursor: encodeCursor(['2']) })
    expect(page([], 2)).toEqual({ items: [], nextCursor: null })
  })

  it('never shows more than was asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 100 }), (rows, limit) => {
        expect(page(rows, limit).items.length).toBe(Math.min(rows.length, limit))
      }),
    )
  })
})
