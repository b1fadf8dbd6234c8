import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/domain/fault.ts'
import { decideWindow, percentilesOf, pointsOf } from '../../src/domain/scope-metrics.ts'
import type { MetricsRequest } from '../../src/domain/scope-metrics.ts'

const now = new Date('2026-11-15T09:30:40.500Z')
const ask = (parts: { from?: string; to?: string; step?: MetricsRequest['step'] } = {}) =>
  decideWindow(
    {
      from: parts.from === undefined ? undefined : new Date(parts.from),
      to: parts.to === undefined ? undefined : new Date(parts.to),
      step: parts.step ?? '1m',
    },
    now,
  )
const spanOf = (...args: Parameters<typeof ask>) => {
  const { from, to } = ask(...args)
  return [from.toISOString(), to.toISOString()]
}
const refusalOf = (...args: Parameters<typeof ask>) => {
  try {
    ask(...args)
  } catch (error) {
    if (error instanceof Fault) return error.fields?.map(({ pointer, code }) => [pointer, code])[0]
    throw error
  }
  return undefined
}
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

describe('the window of an answer', () => {
  it('is the last hour when nothing is said, with the minute that has not ended', () => {
    expect(spanOf()).toEqual(['2026-11-15T08:30:00.000Z', '2026-11-15T09:31:00.000Z'])
  })

  it.each([
    ['1m', '2026-11-15T07:03:00.000Z', '2026-11-15T09:08:00.000Z'],
    ['5m', '2026-11-15T07:00:00.000Z', '2026-11-15T09:10:00.000Z'],
    ['15m', '2026-11-15T07:00:00.000Z', '2026-11-15T09:15:00.000Z'],
    ['1h', '2026-11-15T07:00:00.000Z', '2026-11-15T10:00:00.000Z'],
    ['1d', '2026-11-15T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  ] as const)('has whole points of %s around what was asked for', (step, first, last) => {
    expect(spanOf({ from: '2026-11-15T07:03:20Z', to: '2026-11-15T09:07:10Z', step })).toEqual([first, last])
  })

  it('does not reach into the future', () => {
    expect(spanOf({ from: '2026-11-15T09:29:00Z', to: '2099-01-01T00:00:00Z' })).toEqual([
      '2026-11-15T09:29:00.000Z',
      '2026-11-15T09:31:00.000Z',
    ])
  })

  it('begins an hour before its end when only the end is given', () => {
    expect(spanOf({ to: '2026-11-14T12:00:00Z' })).toEqual([
      '2026-11-14T11:00:00.000Z',
      '2026-11-14T12:00:00.000Z',
    ])
  })

  it('takes a thousand points and not one more', () => {
    const to = '2026-11-15T00:00:00Z'
    expect(pointsOf(ask({ from: '2026-11-14T07:20:00Z', to }))).toHaveLength(1_000)
    expect(refusalOf({ from: '2026-11-14T07:19:59Z', to })).toEqual(['query#/step', 'too_many_points'])
    expect(refusalOf({ from: '0000-01-01T00:00:00Z', step: '1d' })).toEqual([
      'query#/step',
      'too_many_points',
    ])
  })

  it.each([
    ['after its end', { from: '2026-11-15T08:00:00Z', to: '2026-11-15T07:00:00Z' }],
    ['at its end', { from: '2026-11-15T08:00:00Z', to: '2026-11-15T08:00:00Z' }],
    ['in the future', { from: '2026-11-15T09:30:41Z' }],
    ['in the future of a later end', { from: '2027-01-01T00:00:00Z', to: '2027-01-02T00:00:00Z' }],
  ])('cannot begin %s', (_, parts) => {
    expect(refusalOf(parts)).toEqual(['query#/from', 'not_before_to'])
  })

  it('reaches back eight days below an hour, and any time from there on', () => {
    expect(refusalOf({ from: daysAgo(8), step: '15m' })).toBeUndefined()
    expect(refusalOf({ from: daysAgo(8.001), to: daysAgo(8), step: '1m' })).toEqual([
      'query#/from',
      'too_long_ago',
    ])
    expect(refusalOf({ from: daysAgo(41), step: '1h' })).toBeUndefined()
    expect(refusalOf({ from: daysAgo(998), step: '1d' })).toBeUndefined()
  })
})

describe('the points of a window', () => {
  it('follow each other without a gap', () => {
    const window = ask({ from: '2026-11-15T09:00:00Z', to: '2026-11-15T09:15:00Z', step: '5m' })
    expect(pointsOf(window).map((at) => at.toISOString())).toEqual([
      '2026-11-15T09:00:00.000Z',
      '2026-11-15T09:05:00.000Z',
      '2026-11-15T09:10:00.000Z',
    ])
  })
})

describe('percentiles', () => {
  it('are null where nothing was measured', () => {
    expect([percentilesOf(null), percentilesOf({}), percentilesOf({ 3: 0 })]).toEqual([null, null, null])
  })

  it('are those of the one that there is', () => {
    const one = percentilesOf({ 40: 1 })
    expect(one).toEqual({ p50: one?.p50, p90: one?.p50, p99: one?.p50 })
    expect(one?.p50).toBeGreaterThan(2 ** (39 / 4))
    expect(one?.p50).toBeLessThan(2 ** (40 / 4))
  })

  it('are within a tenth of the exact ones, in whatever order the buckets come', () => {
    const durations = Array.from({ length: 5_000 }, (_, index) => 1.5 + index * 1.37)
    const buckets: Record<string, number> = {}
    for (const each of durations.toReversed()) {
      const bucket = Math.ceil(4 * Math.log2(each))
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    }
    const found = percentilesOf(buckets)
    for (const [share, value] of [
      [0.5, found?.p50],
      [0.9, found?.p90],
      [0.99, found?.p99],
    ] as const) {
      const exact = durations[Math.ceil(share * durations.length) - 1] ?? 0
      expect(Math.abs((value ?? 0) / exact - 1)).toBeLessThan(0.1)
    }
  })
})
