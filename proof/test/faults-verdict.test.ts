/** The checker of the proofs of faults: it must notice every kind of loss, and find nothing where nothing is wrong. */
import { describe, expect, test } from 'vitest'
import { createHistory } from '../harness/history.ts'
import type { RecordedCall, History } from '../harness/history.ts'
import type { Ledger, StoredDocument } from '../harness/ledger.ts'
import type { ListedDocument } from '../harness/listing.ts'
import { judge } from '../harness/verdict.ts'

const place = { tenantId: 'tenant', tenantKey: 'key', scopeId: 'scope' }

interface World {
  readonly history: History
  readonly documents: StoredDocument[]
  readonly listed: ListedDocument[]
}

/** Two documents, accepted, processed, and told of alike by the database and the API. */
function goodWorld(): World {
  const history = createHistory('run')
  for (const documentId of ['a', 'b']) accept(history, history.open(place), documentId)
  const documents = ['a', 'b'].map((documentId) => stored(documentId))
  const listed = ['a', 'b'].map((documentId, number) => shown(documentId, number))
  return { history, documents, listed }
}

function accept(history: History, call: RecordedCall, documentId: string): void {
  history.record(call, { at: 1, outcome: 'ok', what: '202' }, JSON.stringify({ document_id: documentId }))
}

function stored(documentId: string, change: Partial<StoredDocument> = {}): StoredDocument {
  const { tenantId, scopeId } = place
  return {
    tenantId,
    scopeId,
    documentId,
    status: 'processed',
    errorCode: null,
    ends: 1,
    readings: 1,
    ...change,
  }
}

function shown(documentId: string, number: number, change: Partial<ListedDocument> = {}): ListedDocument {
  const { tenantId, scopeId } = place
  return {
    tenantId,
    scopeId,
    documentId,
    name: `document ${number}`,
    status: 'processed',
    reason: null,
    ...change,
  }
}

function ledgerOf(documents: readonly StoredDocument[], change: Partial<Ledger> = {}): Ledger {
  const log = { tenantId: 'tenant', scopeId: 'scope', head: 6, first: 1, last: 6, entries: 6 }
  return { documents, logs: [log], idempotencyKeys: 2, surplusEffects: 0, repeatedClaims: [], ...change }
}

function judgeWorld({ history, documents, listed }: World, change: Partial<Ledger> = {}) {
  return judge(history.calls, ledgerOf(documents, change), listed)
}

describe('the verdict', () => {
  test('finds nothing where everything is as promised', () => {
    expect(judgeWorld(goodWorld())).toEqual({
      lost: [],
      unended: [],
      doubled: [],
      strangers: [],
      unexplained: [],
      brokenLogs: [],
      contradicted: [],
      refused: [],
      failed: 0,
    })
  })

  test('calls a document lost that the database does not have', () => {
    const world = goodWorld()
    expect(judgeWorld({ ...world, documents: [stored('a')] }).lost).toHaveLength(1)
  })

  test('calls a document lost that the API does not show', () => {
    const world = goodWorld()
    expect(judgeWorld({ ...world, listed: [shown('a', 0)] }).lost).toHaveLength(1)
  })

  test('calls a document lost whose place another one has taken', () => {
    const world = goodWorld()
    expect(judgeWorld({ ...world, listed: [shown('a', 0), shown('b', 0)] }).lost).toHaveLength(1)
  })

  test('does not miss what was never acknowledged', () => {
    const world = goodWorld()
    world.history.record(world.history.open(place), { at: 1, outcome: 'unknown', what: 'reset' })
    expect(judgeWorld(world).lost).toEqual([])
  })

  test('names a document that is not at its end', () => {
    const world = goodWorld()
    const documents = [stored('a'), stored('b', { status: 'processing', ends: 0, readings: 0 })]
    expect(judgeWorld({ ...world, documents }).unended).toHaveLength(1)
  })

  test('counts a second end, a second reading and a missing reading as effects that are not one', () => {
    for (const change of [{ ends: 2 }, { readings: 2 }, { readings: 0 }, { status: 'failed' }]) {
      const documents = [stored('a'), stored('b', change)]
      expect(judgeWorld({ ...goodWorld(), documents }).doubled).toHaveLength(1)
    }
  })

  test('counts effects of versions that are no longer the newest', () => {
    expect(judgeWorld(goodWorld(), { surplusEffects: 2 }).doubled).toHaveLength(2)
  })

  test('finds the second document of a request that was sent twice', () => {
    const world = goodWorld()
    const again = { documents: [...world.documents, stored('c')], listed: [...world.listed, shown('c', 1)] }
    expect(judgeWorld({ ...world, ...again }).doubled).toHaveLength(1)
  })

  test('finds documents that nobody sent', () => {
    const world = goodWorld()
    expect(judgeWorld({ ...world, listed: [...world.listed, shown('x', 99)] }).strangers).toHaveLength(1)
  })

  test('asks for a reason where a document failed', () => {
    const world = goodWorld()
    const failed = { status: 'failed', reason: null }
    expect(judgeWorld({ ...world, listed: [shown('a', 0), shown('b', 1, failed)] }).unexplained).toHaveLength(
      1,
    )
  })

  test('finds gaps, late beginnings and wrong heads of logs', () => {
    const log = { tenantId: 'tenant', scopeId: 'scope', head: 6, first: 1, last: 6, entries: 6 }
    for (const change of [{ entries: 5 }, { head: 7 }, { first: 2, entries: 5 }, { last: 5 }])
      expect(judgeWorld(goodWorld(), { logs: [{ ...log, ...change }] }).brokenLogs).toHaveLength(1)
  })

  test('finds a key with two different answers, and lets the same answer be', () => {
    const world = goodWorld()
    const [first, second] = world.history.calls
    if (!first || !second) throw new Error('there are two calls')
    accept(world.history, first, 'a')
    expect(judgeWorld(world).contradicted).toEqual([])
    accept(world.history, second, 'another')
    expect(judgeWorld(world).contradicted).toEqual(['run-1'])
  })

  test('finds a request that was refused', () => {
    const world = goodWorld()
    world.history.record(world.history.open(place), { at: 1, outcome: 'fail', what: '422' })
    expect(judgeWorld(world).refused).toHaveLength(1)
  })
})
