import { describe, expect, it } from 'vitest'
import { trendOf } from '../../src/domain/convergence-trend.ts'

const WHOLE = 1_000_000
const point = (score: number, ended: number, coverage = 1) => ({
  score: score * WHOLE,
  coverage: coverage * WHOLE,
  ended,
  unfinished: 1,
})
const read = (score: number, ended: number) => ({ ...point(score, ended), unfinished: 0 })
const series = (...scores: readonly number[]) => scores.map((score, index) => point(score, index + 1))

describe('the trend of a scope', () => {
  it('is still while there is nothing to go by', () => {
    expect(trendOf([], point(0, 0))).toEqual({ shape: 'plateau', rate: 0, documentsToGo: null })
    expect(trendOf([], point(1, 0)).documentsToGo).toBe(0)
  })

  it('rises by so much a document, and says how many it takes at that rate', () => {
    expect(trendOf(series(0.1, 0.2, 0.3), point(0.4, 4))).toEqual({
      shape: 'rising',
      rate: 0.1,
      documentsToGo: 6,
    })
  })

  it('has nothing to go when it has arrived', () => {
    expect(trendOf(series(0.5, 0.9), point(1, 3))).toMatchObject({ shape: 'rising', documentsToGo: 0 })
  })

  it('falls, and promises nothing', () => {
    expect(trendOf(series(0.9, 0.7), point(0.5, 3))).toEqual({
      shape: 'falling',
      rate: -0.2,
      documentsToGo: null,
    })
  })

  it('goes up and down', () => {
    expect(trendOf(series(0.5, 0.7, 0.5, 0.7), point(0.5, 5)).shape).toBe('oscillating')
    expect(trendOf(series(0.5, 0.7, 0.5), point(0.8, 4)).shape).toBe('rising')
  })

  it('is still when documents come and no point does', () => {
    const points = series(0.1, 0.2, 0.3)
    expect(trendOf(points, point(0.305, 18)).shape).toBe('rising')
    expect(trendOf(points, point(0.305, 19)).shape).toBe('plateau')
  })

  it('waits longer in a scope where a point takes longer', () => {
    const points = [point(0.1, 100), point(0.2, 200)]
    expect(trendOf(points, point(0.205, 500)).shape).toBe('rising')
    expect(trendOf(points, point(0.205, 501)).shape).toBe('plateau')
  })

  it('rises by decisions as well, which no number of documents makes', () => {
    expect(trendOf([point(0.5, 7)], point(0.8, 7))).toEqual({ shape: 'rising', rate: 0, documentsToGo: null })
  })

  it('falls after a fall, whatever it was while documents came', () => {
    const loading = [point(0.5, 1, 0.5), point(0.67, 2, 0.67), point(1, 3, 1), point(0.6, 4, 1)]
    expect(trendOf(loading, read(0.6, 5))).toMatchObject({ shape: 'falling', documentsToGo: null })
    expect(trendOf(series(0.2, 0.5, 0.9), point(0.8, 4))).toMatchObject({ shape: 'falling', rate: -0.1 })
  })

  it('is still once everything is read, however it rose while documents came', () => {
    const loading = [0.25, 0.5].map((share, index) => point(share, index + 1, share))
    expect(trendOf(loading, point(0.75, 3, 0.75))).toMatchObject({ shape: 'rising', documentsToGo: 1 })
    expect(trendOf(loading, read(0.75, 3))).toEqual({ shape: 'plateau', rate: 0, documentsToGo: null })
  })

  it('rises again after a fall, by what it gained since', () => {
    expect(trendOf(series(0.9, 0.5), point(0.7, 3))).toMatchObject({ shape: 'rising', rate: 0.2 })
  })

  it('goes by the last points alone', () => {
    const old = Array.from({ length: 20 }, () => point(0, 0))
    const recent = Array.from({ length: 10 }, (_, index) => point(0.5 + index / 100, index))
    expect(trendOf([...old, ...recent], point(0.6, 10)).rate).toBe(0.01)
  })
})
