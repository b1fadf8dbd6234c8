/** Tests what counts as a failing while a volume is full, and after it. */
import { describe, expect, test } from 'vitest'
import { judgeAnswers, judgeFlow, judgeHealth } from '../proofs/disk-full/verdict.ts'
import type { HealthLook } from '../proofs/disk-full/verdict.ts'

const shortage = { fullAt: 1_000, freeingAt: 4_900, freedAt: 5_000, endAt: 20_000 }
const call = (at: number, what: string, ms = 5) => ({
  tries: [{ at, ms, what, outcome: 'unknown' as const }],
})
const judge = (...calls: ReturnType<typeof call>[]) => judgeAnswers(calls, shortage, 10_000)

describe('answers', () => {
  test('are accepted or refused with 503, and nothing else', () => {
    const { undocumented, refused } = judge(
      call(1_500, '202'),
      call(1_600, '503'),
      call(1_700, '500'),
      call(1_800, 'reset'),
      call(1_900, 'timed out'),
    )
    expect(refused).toBe(1)
    expect(undocumented.map((each) => each.split(' after')[0])).toEqual(['500', 'reset', 'timed out'])
  })

  test('count from the filling to the end, also those that began before', () => {
    expect(judge(call(900, '500', 50), call(20_001, '500')).undocumented).toEqual([])
    expect(judge(call(900, '500', 200)).undocumented).toHaveLength(1)
  })

  test('tell the longest wait', () => {
    expect(judge(call(1_500, '202', 30), call(2_000, '503', 7_000)).longestMs).toBe(7_000)
  })

  test('are accepted again with the first request that began after the freeing', () => {
    expect(judge(call(4_990, '202', 100), call(6_000, '202', 40)).againMs).toBe(1_040)
    expect(judge(call(4_990, '202', 100), call(6_000, '503')).againMs).toBe(Infinity)
  })

  test('may not be refused for long after it', () => {
    expect(judge(call(14_999, '503')).refusedLate).toBe(0)
    expect(judge(call(15_001, '503')).refusedLate).toBe(1)
  })
})

describe('flow', () => {
  test('is measured by the longest time without an end, from the filling on', () => {
    expect(judgeFlow([500, 1_500, 6_000, 20_500], shortage)).toEqual({
      during: 1,
      longestGapMs: 14_000,
      againMs: 1_000,
    })
  })

  test('never came back where nothing ended after the freeing', () => {
    expect(judgeFlow([4_000], shortage)).toEqual({ during: 1, longestGapMs: 16_000, againMs: Infinity })
  })
})

describe('health', () => {
  const look = (at: number, status: HealthLook['status'], detail?: string): HealthLook => ({
    at,
    ms: 10,
    status,
    details: detail === undefined ? [] : [detail],
  })
  const story = (...looks: HealthLook[]) =>
    judgeHealth(looks, shortage, { graceMs: 1_000, words: /disk is full/ })

  test('may be green only until it has had time to notice', () => {
    expect(story(look(1_900, 'ok'), look(2_100, 'ok'), look(3_000, 'unavailable')).green).toBe(1)
    expect(story(look(4_895, 'ok')).looks).toBe(0)
  })

  test('must name the cause', () => {
    expect(
      story(look(2_500, 'unavailable', 'the disk is full'), look(3_000, 'degraded', 'something')),
    ).toMatchObject({ looks: 2, named: 1 })
  })

  test('is well again once it stays so', () => {
    const looks = [look(5_100, 'ok'), look(6_000, 'degraded'), look(7_000, 'ok'), look(8_000, 'ok')]
    expect(story(...looks).wellMs).toBe(2_000)
    expect(story(look(5_100, 'ok'), look(6_000, 'none')).wellMs).toBe(Infinity)
  })
})
