import { describe, expect, it } from 'vitest'
import { matchReports } from '../src/matching.ts'
import { finding, report, texts, trap } from './made.ts'
import { sentenceAround } from '../src/sides.ts'

const houses = finding({ a: ['D1', '40 houses in March'], b: ['D2', 'there were 52 houses'] })

const match = (gold: readonly ReturnType<typeof finding>[], reports: readonly ReturnType<typeof report>[]) =>
  matchReports(gold, [], reports)

describe('a report matches a finding', () => {
  it('when both spans overlap the quotes, in either order', () => {
    const there = report({ a: ['D1', 'The fund held 40 houses'], b: ['D2', '52 houses, according'] })
    const back = report({ a: ['D2', '52 houses'], b: ['D1', '40 houses'] })
    expect(match([houses], [there]).matches).toHaveLength(1)
    expect(match([houses], [back]).matches).toHaveLength(1)
  })

  it('not when one side alone does, or when both stand in one document', () => {
    const half = report({ a: ['D1', '40 houses'], b: ['D2', 'Ida Roth manages it.'] })
    const twice = report({ a: ['D1', '40 houses'], b: ['D1', '40 houses'] })
    expect(match([houses], [half, twice])).toMatchObject({ matches: [], unmatched: [half, twice] })
  })

  it('when it has the value at issue and lies in the same sentence', () => {
    const short = finding({ a: ['D1', '40 houses in March'], b: ['D2', 'At the end of March there were 52'] })
    const beside = report({ a: ['D1', '40 houses'], b: ['D2', 'houses, according to the register'] })
    expect(match([short], [beside]).matches).toHaveLength(0)
    const other = finding({
      a: ['D1', '40 houses in March'],
      b: ['D2', 'the end of March there were 52 houses'],
    })
    const valued = report({ a: ['D1', 'The fund held 40'], b: ['D2', '52 houses'] })
    expect(match([other], [valued]).matches).toHaveLength(1)
  })

  it('for a sum over rows, when it points at one row or at the heading of the table', () => {
    const rows = 'North    11\nSouth    12\nWest    13'
    const sum = finding({ a: ['D1', '40 houses'], b: ['D3', rows] }, { kind: 'quantity', difficulty: 'hard' })
    const row = report({ a: ['D1', '40 houses'], b: ['D3', 'South    12'] })
    const heading = report({ a: ['D1', '40 houses'], b: ['D3', 'Houses by region'] })
    const beyond = report({ a: ['D1', '40 houses'], b: ['D3', 'All regions are listed.'] })
    expect(match([sum], [row]).matches).toHaveLength(1)
    expect(match([sum], [heading]).matches).toHaveLength(1)
    expect(match([sum], [beyond]).matches).toHaveLength(0)
  })
})

describe('matching is one to one', () => {
  it('the best overlap wins, and the other is a duplicate, neither right nor wrong', () => {
    const loose = report({ a: ['D1', 'The fund held 40 houses in March.'], b: ['D2', '52 houses'] })
    const tight = report({ a: ['D1', '40 houses in March'], b: ['D2', 'there were 52 houses'] })
    const outcome = match([houses], [loose, tight])
    expect(outcome.matches.map((found) => found.report)).toEqual([tight])
    expect(outcome).toMatchObject({ duplicates: [loose], unmatched: [], missed: [] })
  })

  it('two findings in the same sentences go to two reports', () => {
    const manager = finding({ a: ['D1', 'held 40 houses'], b: ['D2', '52 houses, according'] }, { id: 'F2' })
    const both = [
      report({ a: ['D1', '40 houses in March'], b: ['D2', 'there were 52 houses'] }),
      report({ a: ['D1', 'held 40 houses'], b: ['D2', '52 houses, according'] }),
    ]
    const outcome = match([houses, manager], both)
    expect(outcome.matches.map((found) => found.report)).toEqual(both)
  })
})

describe('a trap', () => {
  const pitfall = trap({ a: ['D1', 'manager is Ida Roth'], b: ['D2', 'Ida Roth manages it'] })
  const alarm = report({ a: ['D1', 'Its manager is Ida Roth.'], b: ['D2', 'Ida Roth manages it.'] })

  it('springs by the same rule, and the report stays wrong', () => {
    const outcome = matchReports([houses], [pitfall], [alarm])
    expect(outcome.alarms).toEqual([{ trap: pitfall, report: alarm }])
    expect(outcome.unmatched).toEqual([alarm])
  })

  it('never springs on a report that matches a finding', () => {
    const same = trap({ a: ['D1', '40 houses in March'], b: ['D2', 'there were 52 houses'] })
    const right = report({ a: ['D1', '40 houses'], b: ['D2', '52 houses'] })
    expect(matchReports([houses], [same], [right]).alarms).toEqual([])
  })
})

describe('the sentence around a quote', () => {
  const around = (document: string, quote: string) => {
    const text = texts.get(document) ?? ''
    const start = text.indexOf(quote)
    const place = sentenceAround(text, { document, start, end: start + quote.length })
    return text.slice(place.start, place.end)
  }

  it('ends where sentences end, and a row is its line', () => {
    expect(around('D1', 'manager')).toBe('Its manager is Ida Roth.')
    expect(around('D3', 'South')).toBe('South    12')
  })
})
