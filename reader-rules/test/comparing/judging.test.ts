import type { Claim } from '@concord/reading/src/claim.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge, keysOf, valueKeyOf } from '../../src/comparing.ts'
import { anyClaim } from './any-claim.ts'
import {
  amount,
  claim,
  day,
  existence,
  money,
  name,
  on,
  percent,
  word,
  year,
  type TestClaim,
} from './claims.ts'

interface Row {
  readonly story: string
  readonly a: TestClaim
  readonly b: TestClaim
  readonly relation: string
  readonly reason?: string
}

const fy2023 = year(2023)
const debt: TestClaim = { attribute: 'net debt', period: on('2023-12-31'), subject: 'Alder' }
const churn: TestClaim = { kind: 'percent', attribute: 'revenue churn', period: fy2023 }
const officer: TestClaim = { kind: 'identity', attribute: 'chief technology officer' }
const customers: TestClaim = { kind: 'count', attribute: 'paying customer' }
const retention: TestClaim = { kind: 'duration', attribute: 'backup retention' }

const rows: Row[] = [
  {
    story: 'two amounts for one measure and day',
    a: { ...debt, value: money(6.2) },
    b: { ...debt, value: money(7.1) },
    relation: 'conflict',
    reason: 'value',
  },
  {
    story: 'the same amount, less exactly printed',
    a: { ...debt, value: money(41.79, { step: 10_000 }) },
    b: { ...debt, value: money(41.8) },
    relation: 'same',
  },
  {
    story: 'about is three per cent wide',
    a: { ...debt, value: money(41.8) },
    b: { ...debt, value: money(42, { about: true, step: 1_000_000 }) },
    relation: 'same',
  },
  {
    story: 'a point in a range',
    a: { ...debt, value: money(280) },
    b: { ...debt, value: money(270, { high: 290_000_000 }) },
    relation: 'refinement',
  },
  {
    story: 'two ranges that do not meet',
    a: { ...debt, value: money(2, { high: 8_000_000 }) },
    b: { ...debt, value: money(15, { high: 25_000_000 }) },
    relation: 'conflict',
  },
  {
    story: 'two limits',
    a: { ...retention, modality: 'limit', value: amount(24, 's', { low: null, bound: 'max' }) },
    b: { ...retention, modality: 'limit', value: amount(72, 's', { low: null, bound: 'max' }) },
    relation: 'conflict',
  },
  {
    story: 'a value that keeps a bound',
    a: { ...retention, value: amount(24, 's', { low: null, bound: 'max' }) },
    b: { ...retention, value: amount(20, 's') },
    relation: 'refinement',
  },
  {
    story: 'other currency',
    a: { ...debt, value: money(6) },
    b: { ...debt, value: amount(6e6, 'USD') },
    relation: 'not_comparable',
    reason: 'other_unit',
  },
  {
    story: 'other subject',
    a: { ...debt, subject: 'Alder', value: money(1) },
    b: { ...debt, subject: 'Birch', value: money(2) },
    relation: 'not_comparable',
    reason: 'other_subject',
  },
  {
    story: 'the group against a subsidiary',
    a: { ...debt, subject: 'Alder Group', value: money(1) },
    b: { ...debt, subject: 'Alder Nordics AS', value: money(2) },
    relation: 'not_comparable',
    reason: 'other_subject',
  },
  {
    story: 'a longer name of the same',
    a: { ...debt, subject: 'Alder', value: money(1) },
    b: { ...debt, subject: 'Alder Holdings', value: money(2) },
    relation: 'conflict',
  },
  {
    story: 'other year',
    a: { ...churn, value: percent(4) },
    b: { ...churn, period: year(2022), value: percent(5) },
    relation: 'not_comparable',
    reason: 'other_period',
  },
  {
    story: 'a quarter of the year',
    a: { ...churn, value: percent(4) },
    b: { ...churn, period: [day('2023-01-01'), day('2023-03-31')], value: percent(5) },
    relation: 'not_comparable',
    reason: 'other_period',
  },
  {
    story: 'adjusted against reported',
    a: { ...debt, qualifiers: ['adjusted'], value: money(9.4) },
    b: { ...debt, qualifiers: ['reported'], value: money(7.9) },
    relation: 'not_comparable',
    reason: 'other_qualifier',
  },
  {
    story: 'two scenarios',
    a: { ...debt, qualifiers: ['scenario:base'], value: money(9.4) },
    b: { ...debt, qualifiers: ['scenario:downside'], value: money(7.9) },
    relation: 'not_comparable',
    reason: 'other_qualifier',
  },
  {
    story: 'target against actual',
    a: { ...churn, modality: 'target', value: percent(4) },
    b: { ...churn, value: percent(5) },
    relation: 'not_comparable',
    reason: 'other_modality',
  },
  {
    story: 'what somebody else is quoted to say',
    a: { ...churn, modality: 'quoted', value: percent(4) },
    b: { ...churn, modality: 'quoted', value: percent(5) },
    relation: 'not_comparable',
    reason: 'other_modality',
  },
  {
    story: 'new customers against customers',
    a: { ...customers, attribute: 'new customer', value: amount(7, 'customer') },
    b: { ...customers, attribute: 'customer', value: amount(412, 'customer') },
    relation: 'not_comparable',
    reason: 'other_attribute',
  },
  {
    story: 'a short form of the measure',
    a: {
      attribute: 'annual recurring revenue',
      context: ['initials:arr'],
      period: fy2023,
      value: money(34.6),
    },
    b: { attribute: 'arr', period: fy2023, value: money(33.1) },
    relation: 'conflict',
  },
  {
    story: 'a correction that names the old value',
    a: { ...debt, value: money(6.2), assertedAt: 100 },
    b: { ...debt, value: money(7.1), assertedAt: 200, replaces: { value: money(6.2), by: 'correction' } },
    relation: 'restatement',
    reason: 'correction',
  },
  {
    story: 'the old value said again after its correction',
    a: { ...debt, value: money(6.2), assertedAt: 300 },
    b: { ...debt, value: money(7.1), assertedAt: 200, replaces: { value: money(6.2), by: 'correction' } },
    relation: 'conflict',
  },
  {
    story: 'a correction that only says so',
    a: { ...debt, value: money(6.2), assertedAt: 100 },
    b: { ...debt, value: money(7.1), assertedAt: 200, qualifiers: ['corrected'] },
    relation: 'restatement',
  },
  {
    story: 'counts on two days',
    a: { ...customers, period: on('2023-12-31'), value: amount(412, 'customer') },
    b: { ...customers, period: on('2024-03-31'), value: amount(398, 'customer') },
    relation: 'change',
  },
  {
    story: 'a date moved',
    a: { kind: 'date', attribute: 'exclusivity end', value: { type: 'date', days: on('2024-05-31') } },
    b: {
      kind: 'date',
      attribute: 'exclusivity end',
      value: { type: 'date', days: on('2024-06-21') },
      replaces: { value: { type: 'date', days: on('2024-05-31') }, by: 'change' },
    },
    relation: 'change',
    reason: 'named_change',
  },
  {
    story: 'a day within the month given',
    a: { kind: 'date', attribute: 'lease end', value: { type: 'date', days: on('2024-05-31') } },
    b: {
      kind: 'date',
      attribute: 'lease end',
      value: { type: 'date', days: [day('2024-05-01'), day('2024-05-31')] },
    },
    relation: 'same',
  },
  {
    story: 'two holders of one role',
    a: { ...officer, value: name('Mirjam Oude') },
    b: { ...officer, value: name('Tomasz Rel') },
    relation: 'conflict',
    reason: 'identity',
  },
  {
    story: 'a surname alone',
    a: { ...officer, value: name('Mirjam Oude') },
    b: { ...officer, value: name('Oude') },
    relation: 'same',
  },
  {
    story: 'a role of many',
    a: { kind: 'identity', attribute: 'director', value: name('Ann') },
    b: { kind: 'identity', attribute: 'director', value: name('Bob') },
    relation: 'not_comparable',
    reason: 'shared_role',
  },
  {
    story: 'an ordered status that moves on',
    a: { kind: 'status', attribute: 'audit', value: word('completion', 'open', 0), assertedAt: 1 },
    b: { kind: 'status', attribute: 'audit', value: word('completion', 'done', 2), assertedAt: 9 },
    relation: 'change',
  },
  {
    story: 'an ordered status that moves back',
    a: { kind: 'status', attribute: 'audit', value: word('completion', 'open', 0), assertedAt: 9 },
    b: { kind: 'status', attribute: 'audit', value: word('completion', 'done', 2), assertedAt: 1 },
    relation: 'conflict',
  },
  {
    story: 'none against a count',
    a: { kind: 'existence', attribute: 'death', value: existence(false) },
    b: { kind: 'count', attribute: 'death', value: amount(1, 'death') },
    relation: 'conflict',
    reason: 'existence',
  },
  {
    story: 'none against nought',
    a: { kind: 'existence', attribute: 'death', value: existence(false) },
    b: { kind: 'count', attribute: 'death', value: amount(0, 'death') },
    relation: 'same',
  },
  {
    story: 'a blanket denial',
    a: { kind: 'existence', attribute: 'issue', value: existence(false, true) },
    b: { kind: 'existence', attribute: 'issue', value: existence(true) },
    relation: 'not_comparable',
    reason: 'blanket',
  },
  {
    story: 'an adjusted figure that names the reported one',
    a: { attribute: 'arr', value: money(50) },
    b: {
      attribute: 'arr',
      value: money(38),
      qualifiers: ['adjusted'],
      replaces: { value: money(50), by: 'correction' },
    },
    relation: 'restatement',
    reason: 'correction',
  },
  {
    story: 'an old value without its unit',
    a: { kind: 'duration', attribute: 'paid holiday', value: amount(26 * 86_400, 's') },
    b: {
      kind: 'duration',
      attribute: 'paid holiday',
      value: amount(28 * 86_400, 's'),
      valueText: '28 days',
      replaces: { value: amount(26, ''), by: 'change' },
    },
    relation: 'change',
    reason: 'named_change',
  },
  {
    story: 'what happened after a denial',
    a: {
      kind: 'existence',
      attribute: 'complaint',
      value: existence(false, true),
      assertedAt: day('2022-06-24'),
    },
    b: { kind: 'count', attribute: 'complaint', value: amount(2, 'complaint'), period: on('2023-05-10') },
    relation: 'not_comparable',
    reason: 'other_period',
  },
  {
    story: 'a denial of one kind only',
    a: { kind: 'existence', attribute: 'fatal accident', value: existence(false, true) },
    b: { kind: 'count', attribute: 'accident', value: amount(2, 'accident') },
    relation: 'not_comparable',
    reason: 'other_attribute',
  },
  {
    story: 'the director of one department',
    a: { kind: 'identity', attribute: 'human resources director', value: name('Ann Lee') },
    b: { kind: 'identity', attribute: 'human resources director', value: name('Bob Ray') },
    relation: 'conflict',
    reason: 'identity',
  },
  {
    story: 'amounts with and without tax',
    a: { attribute: 'contract value', context: ['tax'], quote: 'including tax', value: money(9.9) },
    b: { attribute: 'contract value', context: ['tax'], quote: 'without tax', value: money(8.5) },
    relation: 'not_comparable',
    reason: 'other_qualifier',
  },
  {
    story: 'a quarter against a year',
    a: { ...churn, period: null, quote: 'for the quarter', value: percent(4) },
    b: { ...churn, quote: 'for the full year', value: percent(5) },
    relation: 'not_comparable',
    reason: 'other_period',
  },
]

/** No reader makes a claim of kind existence with another value, nor the reverse. */
function isReadable({ kind, value }: Claim): boolean {
  return (kind === 'existence') === (value.type === 'existence')
}

describe('judging two claims', () => {
  it.each(rows)('$story: $relation', ({ a, b, relation, reason }) => {
    const verdict = judge(claim(a), claim(b))
    expect(verdict).toMatchObject(reason === undefined ? { relation } : { relation, reason })
    expect(judge(claim(b), claim(a))).toEqual(verdict)
  })

  it('gives the same verdict with its arguments swapped', () => {
    fc.assert(
      fc.property(anyClaim, anyClaim, (a, b) => {
        fc.pre(isReadable(a) && isReadable(b))
        // Where each says that it replaces the other, the first to be asked is believed.
        fc.pre(a.replaces === null || b.replaces === null)
        expect(judge(a, b)).toEqual(judge(b, a))
      }),
      { numRuns: 500 },
    )
  })
})

describe('keys and values', () => {
  it('files a claim under one to five keys', () => {
    fc.assert(
      fc.property(anyClaim, (made) => {
        const keys = keysOf(made)
        expect(keys.length).toBeGreaterThan(0)
        expect(keys.length).toBeLessThanOrEqual(5)
        expect(new Set(keys).size).toBe(keys.length)
      }),
    )
  })

  it('lets a denial meet a count, and a short form the long one', () => {
    const denial = keysOf(
      claim({ kind: 'existence', attribute: 'serious death', value: existence(false), subject: 'LUMEN' }),
    )
    const count = keysOf(
      claim({ kind: 'count', attribute: 'subject death', value: amount(3, 'death'), subject: 'ALDER' }),
    )
    expect(denial.some((key) => count.includes(key))).toBe(true)
    const long = keysOf(
      claim({ attribute: 'annual recurring revenue', context: ['initials:arr'], subject: 'Alder' }),
    )
    expect(keysOf(claim({ attribute: 'arr' })).some((key) => long.includes(key))).toBe(true)
  })

  it('gives one text to values that say the same', () => {
    expect(valueKeyOf(claim({ value: money(34.6) }))).toBe(
      valueKeyOf(claim({ value: money(34.6, { step: 1 }) })),
    )
    expect(valueKeyOf(claim({ value: name('Ann Lee') }))).toBe(valueKeyOf(claim({ value: name('Lee Ann') })))
    expect(valueKeyOf(claim({ value: money(34.6) }))).not.toBe(valueKeyOf(claim({ value: money(33.1) })))
  })
})
