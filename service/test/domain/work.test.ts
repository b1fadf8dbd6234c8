/** The rules as pure functions, one at a time. */
import { describe, expect, test } from 'vitest'
import { RULES } from '../../src/domain/work/rules.ts'
import { createTables, documentRefOf, SHARDS, shardOf } from '../../src/domain/work/tables.ts'
import type { DocumentRef, Tables } from '../../src/domain/work/tables.ts'

const acme = (document: string) => documentRefOf('acme-00', 'case', document)
const borealis = (document: string) => documentRefOf('borealis-04', 'case', document)
const report = acme('report')
const MAX = 5

const renew = (tables: Tables, holder: string, at: number) =>
  RULES.renewLeases(tables, at, { holder, ms: 5_000 })

function accepted(...refs: readonly DocumentRef[]): Tables {
  const { tables: empty } = renew(
    createTables(['acme-00 case', 'borealis-04 case', 'cirrus-01 case']),
    'one',
    0,
  )
  return refs.reduce(
    (tables, ref) => RULES.accept(tables, 0, { ref, epoch: 0, fingerprint: 'one' }).tables,
    empty,
  )
}

const dispatch = (tables: Tables, window: number, holder = 'one', at = 0) =>
  RULES.dispatch(tables, at, { holder, shards: SHARDS, window })
const start = (tables: Tables, ticket = 1) => RULES.start(tables, 0, { ref: report, ticket, maxStarts: MAX })
const complete = (
  tables: Tables,
  ticket: number,
  attempt: number,
  verdict: 'processed' | 'failed' | 'retry' = 'processed',
) => RULES.complete(tables, 0, { ref: report, ticket, attempt, verdict, reason: null })
const started = () => start(dispatch(accepted(report), 1).tables).tables
const namesOf = (dispatched: readonly { readonly ref: DocumentRef }[]) =>
  dispatched.map(({ ref }) => ref.document)

describe('a result', () => {
  test('with ticket and attempt of the start ends the document, and a second one writes nothing', () => {
    const first = complete(started(), 1, 1)
    expect(first.answer).toBe('settled')
    expect(first.tables.documents.get(report.key)).toMatchObject({ status: 'processed', readings: [1] })
    expect(first.tables.work.size).toBe(0)
    const second = complete(first.tables, 1, 1)
    expect([second.answer, second.tables === first.tables]).toEqual(['stale', true])
  })

  test.each([
    ['another ticket', 2, 1],
    ['an earlier attempt', 1, 0],
    ['a later attempt', 1, 2],
  ])('with %s writes nothing', (_, ticket, attempt) => {
    const tables = started()
    expect(complete(tables, ticket, attempt)).toEqual({ tables, answer: 'stale', entries: [] })
  })

  test('of an epoch that is over writes nothing', () => {
    const { tables } = RULES.reset(started(), 0, { scopeKey: report.scopeKey })
    expect(complete(tables, 1, 1).answer).toBe('stale')
    expect(tables.scopes.get(report.scopeKey)?.epoch).toBe(1)
  })

  test('of an attempt that was taken over writes nothing', () => {
    const { tables } = start(started())
    expect(complete(tables, 1, 1).answer).toBe('stale')
    expect(complete(tables, 1, 2).answer).toBe('settled')
  })
})

describe('an attempt', () => {
  test('is counted when it starts, and the one after the last fails the document', () => {
    let tables = dispatch(accepted(report), 1).tables
    for (let attempt = 1; attempt <= MAX; attempt += 1) {
      const change = start(tables)
      expect(change.answer).toEqual({ outcome: 'claimed', attempt })
      tables = change.tables
    }
    const last = start(tables)
    expect(last.answer).toEqual({ outcome: 'exhausted' })
    expect(last.tables.documents.get(report.key)).toMatchObject({ status: 'failed', error: 'worker_lost' })
  })

  test('keeps its count through a recall', () => {
    const olderThan = { readySeconds: 12, processingSeconds: 45 }
    const early = RULES.recall(started(), 45_000, { shards: SHARDS, olderThan })
    expect(early.answer).toBe(0)
    const { tables, answer } = RULES.recall(started(), 45_001, { shards: SHARDS, olderThan })
    expect(answer).toBe(1)
    expect(start(tables).answer.outcome).toBe('stale')
    expect(start(dispatch(renew(tables, 'one', 45_001).tables, 1, 'one', 45_001).tables, 2).answer).toEqual({
      outcome: 'claimed',
      attempt: 2,
    })
  })
})

describe('a dispatch', () => {
  test('serves whoever has least under way first, and each tenant in its own order', () => {
    expect(shardOf('acme-00')).toBe(shardOf('borealis-04'))
    const tables = accepted(acme('a'), acme('b'), acme('c'), borealis('x'), borealis('y'))
    expect(namesOf(dispatch(tables, 3).answer)).toEqual(['a', 'x', 'b'])
    expect(namesOf(dispatch(dispatch(tables, 2).tables, 9).answer)).toEqual(['b', 'y', 'c'])
  })

  test('has room for what is left of the window, and none below nothing', () => {
    const { tables } = dispatch(accepted(acme('a'), acme('b'), acme('c'), borealis('x')), 2)
    expect([3, 2, 1].map((window) => dispatch(tables, window).answer.length)).toEqual([1, 0, 0])
  })

  test('gives nothing to whoever does not hold the lease, or not any more', () => {
    const tables = accepted(report)
    expect(dispatch(tables, 9, 'two').answer).toEqual([])
    expect(dispatch(tables, 9, 'one', 5_000).answer).toEqual([])
    expect(namesOf(dispatch(tables, 9, 'one', 4_999).answer)).toEqual(['report'])
  })

  test('from some of the shards has the window of those alone', () => {
    const cirrus = documentRefOf('cirrus-01', 'case', 'c')
    const full = dispatch(accepted(acme('a'), acme('b')), 2).tables
    const { tables } = RULES.accept(full, 0, { ref: cirrus, epoch: 0, fingerprint: 'one' })
    expect(dispatch(tables, 2).answer).toEqual([])
    const freed = RULES.freeShard(tables, 0, { shard: shardOf('acme-00') }).tables
    expect(namesOf(dispatch(freed, 2).answer)).toEqual(['c'])
    // Its new holder has them, and what is out of them, together with nothing else.
    expect(dispatch(renew(freed, 'two', 0).tables, 2, 'two').answer).toEqual([])
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
    const { tables } = RULES.releaseLeases(renew(createTables([]), 'one', 0).tables, 1, { holder: 'one' })
    expect(renew(tables, 'two', 1).answer).toEqual(SHARDS)
  })
})

describe('what the broker holds', () => {
  test('is compared with all that is out, whichever dispatcher sent it', () => {
    const { tables } = dispatch(accepted(acme('a'), documentRefOf('cirrus-01', 'case', 'c')), 9)
    const freed = RULES.freeShard(tables, 0, { shard: 1 }).tables
    expect(RULES.countInFlight(freed, 0, { holder: 'one' }).answer).toBe(2)
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
