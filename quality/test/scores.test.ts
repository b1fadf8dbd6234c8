import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCases } from '../src/gold.ts'
import { matchReports } from '../src/matching.ts'
import type { Evidence, Report } from '../src/report.ts'
import { macro, ratio, scoreCases } from '../src/scores.ts'
import type { CaseResult } from '../src/scores.ts'
import type { GoldSide } from '../src/sides.ts'
import { caseOf, finding, report, trap } from './made.ts'

function result(gold: ReturnType<typeof caseOf>, reports: readonly Report[]): CaseResult {
  return {
    gold,
    reading: { reports, claims: 0, pairs: 0, explain: null },
    outcome: matchReports(gold.findings, gold.traps, reports),
  }
}

const houses = { a: ['D1', '40 houses'], b: ['D2', '52 houses'] } as const
const lifts = { a: ['D1', 'The lift works.'], b: ['D3', 'All regions are listed.'] } as const
const managers = { a: ['D1', 'manager is Ida Roth'], b: ['D2', 'Ida Roth manages it'] } as const

describe('scores of a case', () => {
  const gold = caseOf(
    [
      finding(houses, { severity: 'high' }),
      finding(lifts, { id: 'F2', relation: 'change', kind: 'status', difficulty: 'hard' }),
    ],
    [trap(managers)],
  )

  it('count matched, wrong and missed, and leave duplicates out', () => {
    const scores = scoreCases([result(gold, [report(houses), report(houses), report(managers)])])
    expect(scores.precision).toEqual({ part: 1, whole: 2 })
    expect(scores.recall).toEqual({ part: 1, whole: 2 })
    expect(scores.duplicates).toBe(1)
    expect(scores.graveRecall).toEqual({ part: 1, whole: 1 })
    expect(scores.recallBy.difficulty.get('hard')).toEqual({ part: 0, whole: 1 })
    expect(scores.hardAlarms).toEqual({ part: 1, whole: 1 })
  })

  it('tell a soft alarm from a hard one, and leave changes out of the precision of conflicts', () => {
    const scores = scoreCases([result(gold, [report(houses), report(managers, { relation: 'change' })])])
    expect(scores.conflictPrecision).toEqual({ part: 1, whole: 1 })
    expect(scores.precision).toEqual({ part: 1, whole: 2 })
    expect(scores.hardAlarms.part).toBe(0)
    expect(scores.softAlarms.part).toBe(1)
  })

  it('show which relation was taken for which', () => {
    const scores = scoreCases([result(gold, [report(houses, { relation: 'change' }), report(lifts)])])
    expect(scores.relationRight).toEqual({ part: 0, whole: 2 })
    expect(scores.confusion.get('conflict')?.get('change')).toBe(1)
    expect(scores.confusion.get('change')?.get('conflict')).toBe(1)
  })

  it('count quotes that are not what stands at their place', () => {
    const [right, wrong] = [report(houses), report(lifts)]
    const moved = { ...wrong, a: { ...wrong.a, start: wrong.a.start + 1 } }
    expect(scoreCases([result(gold, [right, moved])]).inexactQuotes).toBe(1)
  })

  it('have no value where there is nothing to divide by', () => {
    expect(ratio({ part: 0, whole: 0 })).toBeNull()
    expect(
      macro([
        { part: 1, whole: 2 },
        { part: 0, whole: 0 },
        { part: 1, whole: 1 },
      ]),
    ).toBe(0.75)
  })
})

describe('the labelled cases', () => {
  const evidence = ({ quote, places: [place] }: GoldSide): Evidence => ({
    ...(place ?? { document: '', start: 0, end: 0 }),
    quote,
    value: null,
  })

  it('give full marks to whoever reports exactly what is labelled', () => {
    const results = readCases(join(import.meta.dirname, '../cases')).map((gold) =>
      result(
        gold,
        gold.findings.map(({ relation, a, b }) =>
          report(houses, { relation, a: evidence(a), b: evidence(b) }),
        ),
      ),
    )
    const scores = scoreCases(results)
    expect([scores.precision, scores.recall, scores.relationRight].map(ratio)).toEqual([1, 1, 1])
    expect([scores.hardAlarms.part, scores.softAlarms.part, scores.duplicates]).toEqual([0, 0, 0])
  })

  it('spring every trap for whoever reports what must not be reported', () => {
    const results = readCases(join(import.meta.dirname, '../cases')).map((gold) =>
      result(
        gold,
        gold.traps.map(({ a, b }) => report(houses, { a: evidence(a), b: evidence(b) })),
      ),
    )
    expect(ratio(scoreCases(results).hardAlarms)).toBe(1)
  })
})
