import { describe, expect, it } from 'vitest'
import {
  failed,
  warning,
  judgeBroker,
  judgeClock,
  judgeDurability,
  judgePostgres,
  judgeSchema,
  overallVerdict,
  ok,
} from '../../src/domain/checkup.ts'

const server = {
  version: '15.18',
  versionNumber: 150_018,
  user: 'concord_api',
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
}
const schema = { applied: 9, expected: 9, mismatches: [], unknown: 0, changed: [], otherFunctions: [] }
const nats = { version: '2.15.1', hasStreams: true, storedBytes: 100, storageLimit: undefined }

describe('the whole', () => {
  it('is as bad as the worst part', () => {
    const [good, doubt, bad] = [ok('a', ''), warning('b', '', ''), failed('c', '', '')]
    expect(overallVerdict([])).toBe('ok')
    expect(overallVerdict([good, good])).toBe('ok')
    expect(overallVerdict([good, doubt])).toBe('warn')
    expect(overallVerdict([bad, doubt, good])).toBe('fail')
  })
})

describe('a database', () => {
  it.each([
    ['ok', server, 20],
    ['warn', server, 20.1],
    ['fail', { ...server, versionNumber: 140_099 }, 1],
  ] as const)('is %s by its version and its distance', (verdict, facts, latencyMs) => {
    expect(judgePostgres('postgres', facts, latencyMs).verdict).toBe(verdict)
  })

  it.each([
    ['ok', {}],
    ['ok', { synchronousCommit: 'remote_apply' }],
    ['fail', { synchronousCommit: 'off' }],
    ['fail', { fsync: 'off' }],
    ['fail', { fullPageWrites: 'off' }],
  ] as const)('is %s with what a promise rests on: %j', (verdict, facts) => {
    expect(judgeDurability({ ...server, ...facts }).verdict).toBe(verdict)
  })

  it.each([
    ['ok', 900, 0],
    ['ok', -1_050, 60],
    ['warn', 1_001, 0],
    ['warn', -1_500, 100],
  ])('is %s when its clock is off by %d ms, give or take %d', (verdict, offsetMs, slackMs) => {
    expect(judgeClock(offsetMs, slackMs).verdict).toBe(verdict)
  })

  it.each([
    ['ok', {}],
    ['fail', { mismatches: ['migration 9 (x) has not run; run concord migrate'] }],
    ['fail', { changed: ['migration 3 (y)'] }],
    ['warn', { unknown: 1 }],
    ['warn', { otherFunctions: ['accept_documents'] }],
  ] as const)('is %s by its migrations: %j', (verdict, facts) => {
    expect(judgeSchema({ ...schema, ...facts }).verdict).toBe(verdict)
  })
})

describe('a broker', () => {
  it.each([
    ['ok', {}],
    ['ok', { version: '3.0.0' }],
    ['ok', { storageLimit: 112 }],
    ['warn', { storageLimit: 110 }],
    ['warn', { version: '2.14.9' }],
    ['fail', { hasStreams: false }],
  ] as const)('is %s: %j', (verdict, facts) => {
    expect(judgeBroker({ ...nats, ...facts }).verdict).toBe(verdict)
  })
})
