/** Which facts of one document are asked about together, and what an answer about them can do. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LocatedClaim, StatedModality } from '../../src/domain/claim.ts'
import {
  chooseOwnFacts,
  isWithinRequest,
  readOwnProposals,
  withinRequest,
} from '../../src/model/compare-within.ts'
import { toClaim } from '../../src/model/normalise.ts'

interface Said {
  readonly subject?: string
  readonly attribute?: string
  readonly value?: string
  readonly period?: string | null
  readonly modality?: StatedModality
}

function claimOf({
  subject = 'Mill Ltd',
  attribute = 'number of employees',
  value = '187',
  period = null,
  modality = 'fact',
}: Said): LocatedClaim {
  const statement = `The ${attribute} of ${subject} is ${value}.`
  const extracted = { quote: statement, subject, attribute, value, period, modality, statement }
  return toClaim(statement, extracted, [0, statement.length], null)
}

const chosen = (...said: readonly Said[]) =>
  chooseOwnFacts(
    said.map((each) => ({ claim: claimOf(each) })),
    () => true,
  ).map(({ claim }) => claim.stated?.value)

describe('the facts of a document that may disagree', () => {
  it('are about one thing, in nearly the same words, and give other values', () => {
    expect(chosen({}, { value: '203' }, { subject: 'Brewery Ltd' })).toEqual(['187', '203'])
    expect(chosen({}, { value: '203', attribute: 'total number of employees' })).toEqual(['187', '203'])
    expect(chosen({ value: 'J. Ruiz' }, { value: 'A. Venn' })).toEqual(['J. Ruiz', 'A. Venn'])
  })

  it.each<[string, Said]>([
    ['the same value', { value: '187 employees' }],
    ['another subject', { subject: 'Brewery of Corsby' }],
    ['another attribute', { value: '203', attribute: 'floor area' }],
    ['another kind of value', { value: '2024-03-01' }],
    ['somebody else’s words', { value: '203', modality: 'allegation' }],
    ['what holds no longer', { value: '203', modality: 'historical' }],
    ['a target', { value: '203', modality: 'target' }],
  ])('are not %s', (_, other) => {
    expect(chosen({}, other)).toEqual([])
  })

  it('are not of other periods, nor of members of a list that names or figures tell apart', () => {
    expect(chosen({ period: '2023' }, { period: '2024', value: '203' })).toEqual([])
    expect(chosen({ period: '2024' }, { period: '2024-03', value: '203' })).toEqual(['187', '203'])
    const wards = ['Ward 5 of the hospital', 'Ward 6 of the hospital']
    expect(chosen(...wards.map((subject, at) => ({ subject, value: String(38 + at) })))).toEqual([])
  })

  it('are forty at most, those that are most alike first, and only pairs that are asked for', () => {
    const facts = Array.from({ length: 60 }, (_, at) => ({
      at,
      claim: claimOf({
        value: String(at),
        attribute: at < 50 ? 'number of employees on the payroll' : 'number of employees',
      }),
    }))
    const best = chooseOwnFacts(facts, (x, y) => x.at >= 50 || y.at >= 50)
    expect(best.length).toBe(40)
    expect(best.filter(({ at }) => at >= 50)).toHaveLength(10)
    expect(chooseOwnFacts(facts, () => false)).toEqual([])
  })
})

const facts = ['187', '203', '187'].map((value, at) => ({ id: `secret-${at}`, claim: claimOf({ value }) }))
const pair = (a: unknown, b: unknown, more: object = {}) => ({ a, b, why: 'so', confidence: 0.9, ...more })
const read = (pairs: unknown) => readOwnProposals(JSON.stringify({ pairs }), { facts })

describe('an answer about one document', () => {
  it('is to a request that shows its claims by number, and no id', () => {
    const request = withinRequest({ id: 'secret', title: 'Report', date: '2025-03-31', facts })
    expect(request.user).not.toContain('secret')
    expect(JSON.parse(request.user)).toMatchObject({
      title: 'Report',
      date: '2025-03-31',
      claims: [
        expect.stringMatching(/^C1 fact /),
        expect.stringMatching(/^C2 /),
        expect.stringMatching(/^C3 /),
      ],
    })
    expect(request.step).toBe('compare')
    expect(isWithinRequest(request)).toBe(true)
    expect(isWithinRequest({ schemaName: 'concord_compare_v1' })).toBe(false)
  })

  it('is read back to the ids of the facts, each pair once, the surest first', () => {
    expect(read([pair('C1', 'C2', { confidence: 0.4 }), pair('C2', 'C3'), pair('C2', 'C1')])).toEqual({
      proposals: [
        { a: 'secret-1', b: 'secret-2', confidence: 0.9 },
        { a: 'secret-1', b: 'secret-0', confidence: 0.9 },
      ],
      dropped: 1,
    })
  })

  it('with numbers that were not offered, equal values or forged fields is dropped and counted', () => {
    const bad = [
      pair('C4', 'C1'),
      pair('C0', 'C1'),
      pair('N1', 'E1'),
      pair('secret-0', 'secret-1'),
      pair('C1', 'C1'),
      pair('C1', 'C3'),
      pair(1, 2),
      pair('C1', 'C2', { confidence: 2 }),
      null,
    ]
    expect(read(bad)).toEqual({ proposals: [], dropped: bad.length })
    expect(read({ 0: pair('C1', 'C2') })).toBeNull()
    expect(readOwnProposals('No.', { facts })).toBeNull()
  })

  it('cannot cause more than twenty verifications', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      id: `f${at}`,
      claim: claimOf({ value: String(at) }),
    }))
    const pairs = many.slice(1).map((_, at) => pair('C1', `C${at + 2}`))
    expect(readOwnProposals(JSON.stringify({ pairs }), { facts: many })?.proposals).toHaveLength(20)
  })

  it('of any kind never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const answer = readOwnProposals(JSON.stringify(value), { facts })
        expect(answer === null || answer.proposals.length <= 20).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
