import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlacedClaim } from '@concord/reading/src/finding.ts'
import { findIn, findShown, keysOf } from '../../src/comparing.ts'
import { amount, claim, day, existence, money, on, percent, placed, year, type TestClaim } from './claims.ts'

const churn: TestClaim = {
  kind: 'percent',
  attribute: 'gross revenue churn',
  subject: 'Alder',
  period: year(2023),
  context: ['whole'],
}
const [churnKey = ''] = keysOf(claim(churn))

function said(documentId: string, value: number, more: TestClaim = {}): PlacedClaim {
  return placed(documentId, claim({ ...churn, value: percent(value), valueText: `${value} %`, ...more }))
}

describe('what a group amounts to', () => {
  it('reports one finding a pair of values, and counts the other places', () => {
    const found = findIn(churnKey, [said('a', 4.1), said('b', 6.3), said('c', 6.3), said('d', 4.1)])
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      relation: 'conflict',
      further: 2,
      a: { documentId: 'a' },
      b: { documentId: 'b' },
    })
    expect(found[0]?.explanation).toBe(
      'Gross revenue churn of Alder (2023): One document says 4.1 %, another says 6.3 %: a difference of 2.2 points.',
    )
  })

  it('is told apart by the noun that a word narrows, where much is said of the word', () => {
    const ratio = keysOf(claim({ ...churn, attribute: 'scr ratio' }))
    const rest = keysOf(claim({ ...churn, attribute: 'scr utilisation' }))
    expect(ratio).toContain('percent|scr ratio')
    expect(rest).not.toContain('percent|scr ratio')
  })

  it('judges a pair under the first key that both share, and nowhere else', () => {
    const members = [said('a', 4.1), said('b', 6.3)]
    const keys = keysOf(claim(churn))
    expect(keys.flatMap((key) => findIn(key, members))).toHaveLength(1)
  })

  it('says nothing of two that one of both documents has side by side, and asks no third one', () => {
    const [alder, birch] = [said('a', 4.1), said('b', 6.3, { subject: 'Birch', from: 'document' })]
    const all = (members: readonly PlacedClaim[]) =>
      [...new Set(members.flatMap((each) => keysOf(each.claim)))].flatMap((key) =>
        findIn(
          key,
          members.filter((each) => keysOf(each.claim).includes(key)),
        ),
      )
    expect(all([alder, birch])).toHaveLength(1)
    const both = (documentId: string) => [
      said(documentId, 4.1),
      placed(documentId, claim({ ...churn, subject: 'Birch', value: percent(6.3) }), 1),
    ]
    expect(all([birch, ...both('a')])).toEqual([])
    expect(all([alder, birch, ...both('c')])).toEqual(expect.arrayContaining(all([alder, birch])))
  })

  it('says nothing about two values of one document', () => {
    expect(
      findIn(churnKey, [said('a', 4.1), placed('a', claim({ ...churn, value: percent(6.3) }), 1)]),
    ).toEqual([])
  })

  it('puts the older claim first, whoever comes first', () => {
    const old = said('z', 4.1, { assertedAt: day('2024-01-01') })
    const mended = said('a', 6.3, {
      assertedAt: day('2024-03-01'),
      replaces: { value: percent(4.1), by: 'correction' },
    })
    const [finding] = findIn(churnKey, [mended, old])
    expect(finding).toMatchObject({ relation: 'restatement', rule: 'correction', a: old, b: mended })
  })

  describe('of a restatement', () => {
    const dated = (date: string) => ({ assertedAt: day(date) })
    const naming: TestClaim = { replaces: { value: percent(4.1), by: 'correction' } }
    const marked: TestClaim = { qualifiers: ['restated'] }
    const shown = (old: TestClaim, mended: TestClaim) =>
      // The names are against the order: that of places must not decide.
      findShown(churnKey, [
        said('z', 4.1, { valueText: '4.1 %', ...old }),
        said('a', 6.3, { valueText: '6.3 %', ...mended }),
      ]).shown
    const earlier = /: The earlier document says 4\.1 %, the later one corrects it to 6\.3 %: /
    const other = /: One document says 4\.1 %, another corrects it to 6\.3 %: /
    const neither = /: One document says .*nothing says which one holds\.$/

    it.each([
      ['named, dated', dated('2024-01-01'), { ...naming, ...dated('2024-03-01') }, 'b', earlier],
      ['named, of one day', dated('2024-01-01'), { ...naming, ...dated('2024-01-01') }, 'b', other],
      ['named, undated', {}, naming, 'b', other],
      ['marked, dated', dated('2024-01-01'), { ...marked, ...dated('2024-03-01') }, 'b', earlier],
      ['marked, of one day', dated('2024-01-01'), { ...marked, ...dated('2024-01-01') }, null, neither],
      ['marked, the other undated', {}, { ...marked, ...dated('2024-03-01') }, null, neither],
      ['marked, undated', {}, marked, null, neither],
    ] satisfies [string, TestClaim, TestClaim, 'b' | null, RegExp][])(
      'says which side holds and which is later only where that is known: %s',
      (_, old, mended, restatedBy, explanation) => {
        const [found, ...others] = shown(old, mended)
        expect(others).toEqual([])
        expect(found).toMatchObject({ restatedBy, finding: { relation: 'restatement' } })
        expect(found?.finding.explanation).toMatch(explanation)
      },
    )

    it('shows the side that corrects as b, whatever the documents are called', () => {
      expect(shown({}, naming)[0]?.finding.b.documentId).toBe('a')
    })
  })

  it('reports a denial of everything once a pair of documents', () => {
    const denial: TestClaim = {
      kind: 'existence',
      attribute: 'fatal accident',
      value: existence(false, true),
      subject: 'Alder',
    }
    const one: TestClaim = {
      kind: 'count',
      attribute: 'fatal accident',
      subject: 'Alder',
      value: amount(1, 'accident'),
    }
    const two: TestClaim = { ...one, value: amount(2, 'accident'), period: on('2023-05-01') }
    const members = [placed('a', claim(denial)), placed('b', claim(one)), placed('b', claim(two), 1)]
    const found = keysOf(claim(denial)).flatMap((key) => findIn(key, members))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ kind: 'existence', severity: 'critical' })
  })

  it('reports at most twelve', () => {
    const members = Array.from({ length: 24 }, (_, at) => said(`d${at}`, at))
    const { shown, omitted } = findShown(churnKey, members)
    expect(shown).toHaveLength(12)
    expect(omitted).toBeGreaterThan(0)
  })

  it('is a function of the set: any order of members gives equal findings', () => {
    const drafts = fc.record({
      value: fc.constantFrom(money(1), money(2), money(3)),
      period: fc.constantFrom(null, year(2023), on('2023-12-31')),
      assertedAt: fc.constantFrom(null, 1, 2),
      subject: fc.constantFrom('', 'Alder', 'Alder Holdings'),
      replaces: fc.constantFrom(null, { value: money(1), by: 'correction' as const }),
    })
    const group = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), drafts), { maxLength: 10 })
    fc.assert(
      fc.property(group, fc.infiniteStream(fc.nat()), (made, order) => {
        const members = made.map(([documentId, draft], no) =>
          placed(documentId, claim({ attribute: 'net debt', ...draft }), no),
        )
        const mixed = members
          .map((member) => ({ member, at: order.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ member }) => member)
        for (const key of new Set(members.flatMap(({ claim: one }) => keysOf(one)))) {
          expect(findIn(key, mixed)).toEqual(findIn(key, members))
        }
      }),
    )
  })
})
