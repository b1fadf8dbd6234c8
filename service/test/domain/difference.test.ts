import { describe, expect, it } from 'vitest'
import type { NumberValue, Value } from '../../src/domain/claim.ts'
import { differenceOf } from '../../src/domain/difference.ts'

const number = (low: number | null, high = low, unit = 'EUR'): NumberValue => ({
  type: 'number',
  low,
  high,
  unit,
  step: 1,
  about: false,
  bound: null,
})
const date = (first: number, last = first): Value => ({ type: 'date', days: [first, last] })

describe('how far two values are apart', () => {
  it.each<readonly [string, Value, Value, ReturnType<typeof differenceOf>]>([
    ['amounts', number(12.4e6), number(11.9e6), { amount: 500_000, unit: 'EUR', share: 0.0403 }],
    ['decimals, without noise', number(4.1), number(3.9), { amount: 0.2, unit: 'EUR', share: 0.0488 }],
    ['ranges', number(10, 20), number(25, 30), { amount: 5, unit: 'EUR', share: 0.2 }],
    ['a loss and a gain', number(-5), number(5), { amount: 10, unit: 'EUR', share: 2 }],
    ['an open side', number(null, 20), number(30, null), { amount: 10, unit: 'EUR', share: 0.3333 }],
    ['days', date(100), date(107), { amount: 7, unit: 'd', share: null }],
    ['a month and a day after it', date(0, 30), date(32), { amount: 2, unit: 'd', share: null }],
  ])('%s', (_, a, b, expected) => {
    const [there, back] = [differenceOf(a, b), differenceOf(b, a)]
    expect(there).toEqual(back)
    expect(there?.amount).toBe(expected?.amount)
    expect(there?.unit).toBe(expected?.unit)
    expect(there?.share === null).toBe(expected?.share === null)
    expect(there?.share ?? 0).toBe(expected?.share ?? 0)
  })

  it.each<readonly [string, Value, Value]>([
    ['other units', number(1), number(2, 2, 'USD')],
    ['ranges that overlap', number(10, 20), number(15, 25)],
    ['open on both sides', number(null, null), number(5)],
    ['dates that overlap', date(0, 30), date(30)],
    ['words', { type: 'word', family: 'risk', word: 'low', rank: 1 }, number(1)],
  ])('cannot be measured: %s', (_, a, b) => {
    expect(differenceOf(a, b)).toBeNull()
  })
})
