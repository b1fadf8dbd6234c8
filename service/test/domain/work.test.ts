/** The rules as pure functions, one at a time. */
import { describe, expect, test } from 'vitest'
import { RULES } from '../../src/domain/work/rules.ts'
import { createTables, placeOf, SHARDS, shardOf } from '../../src/domain/work/tables.ts'
import type { WorkScope, Tables } from '../../src/domain/work/tables.ts'

const acme = (document: string) => placeOf('acme-00', 'case', document)
const borealis = (document: string) => placeOf('borealis-04', 'case', document)
const report = acme('report')
const MAX = 5

const renew = (tables: Tables, holder: string, at: number) =>
  RULES.renewLeases(tables, at, { holder, ms: 5_000 })

function accepted(...places: readonly WorkScope[]): Tables {
  const { tables: empty } = renew(
    createTables(['acme-00 case', 'borealis-04 case', 'cirrus-01 case']),
    'one',
    0,
  )
  return places.reduce(
    (tables, place) => RULES.accept(tables, 0, { place, epoch: 0, fingerprint: 'one' }).tables,
    empty,
  )
}

const release = (tables: Tables, window: number, holder = 'one', at = 0) =>
  RULES.release(tables, at, { holder, shards: SHARDS, window })
const claim = (tables: Tables, ticket = 1) => RULES.claim(tables, 0, { place: report, ticket, maxBegun: MAX })
const settle = (
  tables: Tables,
  ticket: number,
  attempt: number,
  verdict: 'processed' | 'failed' | 'retry' = 'processed',
) => RULES.settle(tables, 0, { place: report, ticket, attempt, verdict, reason: null })
const claimed = () => claim(release(accepted(report), 1).tables).tables
const namesOf = (released: readonly { readonly place: WorkScope }[]) =>
  released.map(({ place }) => place.document)

describe('a result', () => {
  test('with ticket and attempt of the claim ends the document, and a second one writes nothing', () => {
    const first = settle(claimed(), 1, 1)
    expect(first.answer).toBe('settled')
    expect(first.tables.documents.get(report.key)).toMatchObject({ status: 'processed', readings: [1] })
    expect(first.tables.work.size).toBe(0)
    const second = settle(first.tables, 1, 1)
    expect([second.answer, second.tables === first.tables]).toEqual(['stale', true])
  })

  test.each([
    ['another ticket', 2, 1],
    ['an earlier attempt', 1, 0],
    ['a later attempt', 1, 2],
  ])('with %s writes nothing', (_, ticket, attempt) => {
    const tables = claimed()
    expect(settle(tables, ticket, attempt)).toEqual({ tables, answer: 'stale', entries: [] })
  })

  test('of an epoch that is over writes nothing', () => {
    const { tables } = RULES.reset(claimed(), 0, { scopeKey: report.scopeKey })
    expect(settle(tables, 1, 1).answer).toBe('stale')
    expect(tables.scopes.get(report.scopeKey)?.epoch).toBe(1)
  })

  test('of an attempt that was taken over writes nothing', () => {
    const { tables } = claim(claimed())
    expect(settle(tables, 1, 1).answer).toBe('stale')
    expect(settle(tables, 1, 2).answer).toBe('settled')
  })
})

describe('an attempt', () => {
  test('is counted when it is claimed, and the one after the last fails the document', () => {
    let tables = release(accepted(report), 1).tables
    for (let attempt = 1; attempt <= MAX; attempt += 1) {
      const change = claim(tables)
      expect(change.answer).toEqual({ outcome: 'claimed', attempt })
      tables = change.tables
    }
    const last = claim(tables)
    expect(last.answer).toEqual({ outcome: 'exhausted' })
    expect(last.tables.documents.get(report.key)).toMatchObject({ status: 'failed', error: 'worker_lost' })
  })

  test('keeps its count through a recall', () => {
    const olderThan = { readySeconds: 12, processingSeconds: 45 }
    const early = RULES.recall(claimed(), 45_000, { shards: SHARDS, olderThan })
    expect(early.answer).toBe(0)
    const { tables, answer } = RULES.recall(claimed(), 45_001, { shards: SHARDS, olderThan })
    expect(answer).toBe(1)
    expect(claim(tables).answer.outcome).toBe('stale')
    expect(claim(release(renew(tables, 'one', 45_001).tables, 1, 'one', 45_001).tables, 2).answer).toEqual({
      outcome: 'claimed',
      attempt: 2,
    })
  })
})

describe('a release', () => {
  test('serves whoever has least under way first, and each tenant in its own order', () => {
    expect(shardOf('acme-00')).toBe(shardOf('borealis-04'))
    const tables = accepted(acme('a'), acme('b'), acme('c'), borealis('x'), borealis('y'))
    expect(namesOf(release(tables, 3).answer)).toEqual(['a', 'x', 'b'])
    expect(namesOf(release(release(tables, 2).tables, 9).answer)).toEqual(['b', 'y', 'c'])
  })

  test('has room for what is left of the window, and none below nothing', () => {
    const { tables } = release(accepted(acme('a'), acme('b'), acme('c'), borealis('x')), 2)
    expect([3, 2, 1].map((window) => release(tables, window).answer.length)).toEqual([1, 0, 0])
  })

  test('gives nothing to whoever does not hold the lease, or not any more', () => {
    const tables = accepted(report)
    expect(release(tables, 9, 'two').answer).toEqual([])
    expect(release(tables, 9, 'one', 5_000).answer).toEqual([])
    expect(namesOf(release(tables, 9, 'one', 4_999).answer)).toEqual(['report'])
  })

  test('from some of the shards has the window of those alone', () => {
    const cirrus = placeOf('cirrus-01', 'case', 'c')
    const full = release(accepted(acme('a'), acme('b')), 2).tables
    const { tables } = RULES.accept(full, 0, { place: cirrus, epoch: 0, fingerprint: 'one' })
    expect(release(tables, 2).answer).toEqual([])
    const freed = RULES.freeShard(tables, 0, { shard: shardOf('acme-00') }).tables
    expect(namesOf(release(freed, 2).answer)).toEqual(['c'])
    // Its new holder has them, and what is out of them, together with nothing else.
    expect(release(renew(freed, 'two', 0).tables, 2, 'two').answer).toEqual([])
  })
})

describe('a lease', () => {
  test('stays with its holder until it has ended', () => {
    const { tables } = renew(createTables([]), 'one', 0)
    expect(renew(tables, 'two', 5_000).answer).toEqual([])
    expect(renew(tables, 'two', 5_001).answer).toEqual(SHARDS)
    expect(renew(tables, 'one', 9_000).answer).toEqual(SHARDS)
  })

  test('that was given up is anybody’s', () => {
    const { tables } = RULES.giveUpLeases(renew(createTables([]), 'one', 0).tables, 1, { holder: 'one' })
    expect(renew(tables, 'two', 1).answer).toEqual(SHARDS)
  })
})

describe('what the broker holds', () => {
  test('is compared with all that is out, whoever released it', () => {
    const { tables } = release(accepted(acme('a'), placeOf('cirrus-01', 'case', 'c')), 9)
    const freed = RULES.freeShard(tables, 0, { shard: 1 }).tables
    expect(RULES.count(freed, 0, { holder: 'one' }).answer).toBe(2)
  })

  test('decides what is taken back: all when it was made anew, the oldest when some is missing', () => {
    const queue = (ageSeconds: number, held: number) => ({ ageSeconds, held })
    expect(RULES.recallAgeFor(queue(0, 9), 3)).toEqual({ readySeconds: 0, processingSeconds: 12 })
    expect(RULES.recallAgeFor(queue(20, 9), 3)).toEqual({ readySeconds: 20, processingSeconds: 20 })
    expect(RULES.recallAgeFor(queue(20, 2), 3)).toEqual({ readySeconds: 12, processingSeconds: 20 })
    expect(RULES.recallAgeFor(queue(900, 2), 3)).toEqual({ readySeconds: 12, processingSeconds: 45 })
    expect(RULES.recallAgeFor(queue(900, 3), 3)).toEqual({ readySeconds: 900, processingSeconds: 900 })
  })
})
