import { describe, expect, it } from 'vitest'
import { createOpenedClaims } from '../../../src/app/comparing/comparison.ts'
import { statement } from '../../support/claims.ts'

const MINUTE = 60_000

describe('the cache of opened claims', () => {
  it('returns the same claims again', () => {
    const opened = createOpenedClaims()
    const claim = statement(10)
    opened.keep('a', claim)
    expect(opened.get('a')).toBe(claim)
    expect(opened.get('b')).toBeUndefined()
  })

  it('has at most four thousand entries and drops the least recently used', () => {
    const opened = createOpenedClaims()
    for (let number = 0; number < 4_000; number += 1) opened.keep(`${number}`, statement(number))
    opened.get('0')
    opened.keep('further', statement(1))
    expect(opened.get('0')).toBeDefined()
    expect(opened.get('1')).toBeUndefined()
    expect(opened.get('2')).toBeDefined()
  })

  it('drops claims that were not used for a minute', () => {
    let now = 0
    const opened = createOpenedClaims({ now: () => now })
    opened.keep('a', statement(1))
    opened.keep('b', statement(2))
    now = MINUTE - 1
    opened.get('b')
    now = MINUTE
    opened.keep('c', statement(3))
    expect(opened.get('a')).toBeUndefined()
    expect(opened.get('b')).toBeDefined()
  })
})
