import { describe, expect, it } from 'vitest'
import { operations } from '@concord/contract'
import { toClaimRecord, toValueRecord } from '../../src/http/claim-records.ts'
import { toContradictionRecord } from '../../src/http/contradiction-records.ts'
import type { LocatedClaim, ClaimKind, Value } from '../../src/domain/claim.ts'
import { foundContradiction, moneyValue, revenueClaim } from '../support/contradictions.ts'

const place = {
  claimId: '0b6f2a17-93c4-4e0d-8f55-6a1d2c3b4e5f',
  documentId: 'report',
  version: 1,
  extractedAt: new Date(0),
}
const record = (changed: Partial<LocatedClaim> = {}) =>
  toClaimRecord({ ...place, claim: revenueClaim(12_400_000, 'EUR 12.4m', changed) })
const nothing = {
  low: null,
  high: null,
  unit: null,
  approximate: false,
  bound: null,
  first_day: null,
  last_day: null,
  word: null,
  family: null,
  exists: null,
}

describe('a claim', () => {
  it('is what the contract describes', () => {
    const page = { items: [record()], next_cursor: null }
    expect(operations.listClaims.answers[200].parse(page)).toEqual(page)
    expect(record()).toMatchObject({
      entity: 'Borealis',
      period: '2025',
      polarity: 'affirmed',
      asserted_at: null,
    })
  })

  it('says where the text does not name what it is about, and when it denies', () => {
    const value: Value = { type: 'existence', exists: false, blanket: true }
    const denied = record({ subject: { words: [], text: '', from: 'none' }, value, assertedAt: 20_454 })
    expect(denied).toMatchObject({ entity: null, polarity: 'denied', asserted_at: '2026-01-01' })
  })

  it('denies what a sentence as a whole denies, and keeps the words of comparing to itself', () => {
    const value: Value = { type: 'word', family: 'statement', word: 'denied', rank: null }
    const denied = record({ kind: 'status', value, qualifiers: ['audited', 'not:sign'] })
    expect(denied).toMatchObject({ polarity: 'denied', qualifiers: ['audited'] })
  })

  it.each<readonly [ClaimKind, Value, object]>([
    ['money', moneyValue(5), { low: 5, high: 5, unit: 'EUR' }],
    [
      'count',
      { ...moneyValue(5), high: null, unit: 'employee', about: true, bound: 'min' },
      { low: 5, unit: 'employee', approximate: true, bound: 'at_least' },
    ],
    ['date', { type: 'date', days: [20_454, 20_484] }, { first_day: '2026-01-01', last_day: '2026-01-31' }],
    [
      'status',
      { type: 'word', family: 'completion', word: 'completed', rank: null },
      { word: 'completed', family: 'completion' },
    ],
    ['identity', { type: 'name', words: ['jane', 'doe'] }, { word: 'jane doe' }],
    ['existence', { type: 'existence', exists: true, blanket: false }, { exists: true }],
  ])('has of a value what its kind needs: %s', (kind, value, expected) => {
    expect(toValueRecord({ kind, value, valueText: 'so' })).toEqual({
      ...nothing,
      kind,
      text: 'so',
      ...expected,
    })
  })
})

describe('a contradiction', () => {
  it('is what the contract describes', () => {
    const found = toContradictionRecord(foundContradiction())
    expect(operations.getContradiction.answers[200].parse(found)).toEqual(found)
    expect(found).toMatchObject({
      difference: { amount: 500_000, unit: 'EUR' },
      decided_by: 'value',
      a: { source: 'Annual report 2025', asserted_at: '2026-02-16' },
      b: { source: 'Memo of the board', asserted_at: null },
    })
    expect(toContradictionRecord(foundContradiction({ subject: '' })).entity).toBeNull()
  })
})
