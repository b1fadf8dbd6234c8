/** Tests the judge of heavy documents: it must notice lost ones, repeated attempts, and others that wait. */
import { describe, expect, test } from 'vitest'
import { companyReport, widestTable } from '../harness/heavy-texts.ts'
import { usedMs } from '../proofs/heavy/main-thread.ts'
import { judgeEnds, judgeWaits } from '../proofs/heavy/waits.ts'

const end = {
  tenantId: 't',
  id: 'a',
  status: 'processed',
  attempt: 1,
  started: 1,
  queuedAt: 0,
  waitMs: 5,
}

describe('the ends of heavy documents', () => {
  test('are good where each was processed at its first attempt', () => {
    expect(judgeEnds([end])).toEqual({ unfinished: [], repeated: [] })
  })

  test('are bad where one is not processed, or was started twice', () => {
    const { unfinished, repeated } = judgeEnds([
      { ...end, status: 'processing' },
      { ...end, attempt: 2 },
      { ...end, started: 2 },
    ])
    expect([unfinished.length, repeated.length]).toEqual([1, 2])
  })
})

describe('the wait of others', () => {
  const waits = (usual: number, slowest: number) => [
    ...Array.from({ length: 98 }, () => usual),
    slowest,
    slowest,
  ]

  test('may be twice as long, and 100 ms', () => {
    expect(judgeWaits(waits(20, 50), waits(30, 201), 0.99)).toEqual({ measured: 201, bound: 200 })
    expect(judgeWaits(waits(20, 50), waits(30, 5_000), 0.5)).toEqual({ measured: 30, bound: 140 })
  })
})

test('the time of a thread is read past the name of its command', () => {
  const stat = `7 (a) b) S ${Array.from({ length: 50 }, (_, index) => index + 4).join(' ')}`
  // Fields 14 and 15, as the manual counts them.
  expect(usedMs(stat)).toBe((14 + 15) * 10)
})

describe('the heavy documents', () => {
  test('have 400 lines that name no two companies alike, and other figures each time', () => {
    for (const make of [companyReport, widestTable]) {
      const names = new Set(make(0).text.match(/Comp\w+orp/g))
      expect(names.size).toBe(400)
      expect(make(1).text).not.toBe(make(0).text)
    }
  })
})
