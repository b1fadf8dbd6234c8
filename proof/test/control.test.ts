/** Tests the judge of pauses and resets: it must notice every kind of fault, and find nothing where nothing is wrong. */
import { describe, expect, test } from 'vitest'
import { levels, planCycles } from '../proofs/pause/cycle-plan.ts'
import type { Cycle } from '../proofs/pause/cycles.ts'
import { describeLevels, judgePauses } from '../proofs/pause/verdict.ts'
import type { Remnant } from '../proofs/reset/remains.ts'
import { judgeResets } from '../proofs/reset/verdict.ts'
import type { ResetEvidence, ResetVerdict } from '../proofs/reset/verdict.ts'
import type { Reset } from '../proofs/reset/resets.ts'
import type { WrittenDocument } from '../proofs/reset/writers.ts'
import { seededRandom } from '../harness/statistics.ts'

const moved = { state: 'paused', effective_state: 'paused', changed: true, in_flight: 3 }

function cycle(change: Partial<Cycle> = {}): Cycle {
  return {
    level: 'tenant',
    what: 'tenant t',
    paused: moved,
    resumed: { ...moved, state: 'running', effective_state: 'running' },
    answerMs: 5,
    inFlight: 3,
    waiting: 10,
    drainMs: 40,
    startedHere: 0,
    startedElsewhere: 7,
    ...change,
  }
}

describe('the verdict on pauses', () => {
  test('finds nothing where each pause held', () => {
    expect(judgePauses([cycle(), cycle({ level: 'service', startedElsewhere: 0 })])).toEqual({
      startedAfter: 0,
      broken: [],
      wrongAnswers: [],
      understated: [],
      idle: 0,
      tempted: 2,
      elsewhere: 7,
      byLevel: {
        service: { cycles: 1, inFlight: 1 },
        tenant: { cycles: 1, inFlight: 1 },
        scope: { cycles: 0, inFlight: 0 },
      },
    })
  })

  test('counts every attempt that began after an answer, and names the pauses', () => {
    const verdict = judgePauses([cycle(), cycle({ startedHere: 2 }), cycle({ startedHere: 1 })])
    expect(verdict.startedAfter).toBe(3)
    expect(verdict.broken).toHaveLength(2)
  })

  test('tells pauses that had nothing to hold back, and does not take them for good ones', () => {
    const verdict = judgePauses([cycle(), cycle({ inFlight: 0, waiting: 0 })])
    expect(verdict).toMatchObject({ idle: 1, tempted: 1 })
    expect(describeLevels(verdict)).toBe('service 0/0, tenant 2/1, scope 0/0')
  })

  test('notices an answer that says something else, or tells of less than there is', () => {
    for (const change of [{ state: 'running' }, { effective_state: 'running' }, { changed: false }])
      expect(judgePauses([cycle({ paused: { ...moved, ...change } })]).wrongAnswers).toHaveLength(1)
    expect(judgePauses([cycle({ resumed: moved })]).wrongAnswers).toHaveLength(1)
    expect(judgePauses([cycle({ inFlight: 4 })]).understated).toHaveLength(1)
    expect(judgePauses([cycle({ inFlight: 2 })]).understated).toEqual([])
  })
})

describe('a plan of pauses', () => {
  test('goes to every level and through every API, and a seed repeats it', () => {
    const place = { tenantId: 't', tenantKey: 'k', scopeId: 'a' }
    const places = [place, { ...place, scopeId: 'b' }] as const
    const plan = () => planCycles({ cycles: 100, apis: 2, places, random: seededRandom(1) })
    expect(new Set(plan().map(({ target }) => target.level))).toEqual(new Set(levels))
    expect(new Set(plan().map(({ api }) => api))).toEqual(new Set([0, 1]))
    expect(plan().every(({ stayMs }) => stayMs >= 100 && stayMs <= 400)).toBe(true)
    expect(plan()).toEqual(plan())
  })
})

const scope = { tenantId: 't', scopeId: 's' }

function sent(id: string, seq: number | undefined, open = false): WrittenDocument {
  return { ...scope, id, seq, open, what: '' }
}

function resetAt(seq: number, epoch: number, counts: { documents: number; entries: number }): Reset {
  const { documents, entries } = counts
  const removed = { documents, idempotency_records: documents, log_entries: entries }
  return { ...scope, seq, epoch, removed, answerMs: 1, inFlight: 0 }
}

function row(table: string, change: Partial<Remnant> = {}): Remnant {
  return { table, ...scope, documentId: 'c', epoch: 2, seq: null, label: null, ...change }
}

/** One document before the first reset, one between the two, one after: only the last is there. */
function goodEvidence(): ResetEvidence {
  return {
    sent: [sent('a', 2), sent('b', 6), sent('c', 9)],
    resets: [resetAt(8, 2, { documents: 1, entries: 3 }), resetAt(5, 1, { documents: 1, entries: 4 })],
    remains: {
      rows: [
        row('documents', { seq: 9, label: 'processed' }),
        row('document_versions'),
        row('readings'),
        row('idempotency_keys', { epoch: null, seq: 9 }),
        row('scope_log', { documentId: null, seq: 8, label: 'scope.reset' }),
        row('scope_log', { seq: 9, label: 'document.queued' }),
        row('scope_log', { seq: 10, label: 'document.processing' }),
        row('scope_log', { seq: 11, label: 'document.processed' }),
      ],
      scopes: [{ ...scope, epoch: 2, head: 11, headEpoch: 2, keyEpochs: [2] }],
    },
    listed: [{ ...scope, documentId: 'c', name: 'c', status: 'processed', reason: null }],
  }
}

function withRows(change: (rows: readonly Remnant[]) => readonly Remnant[]): ResetEvidence {
  const good = goodEvidence()
  return { ...good, remains: { ...good.remains, rows: change(good.remains.rows) } }
}

function faultsIn(evidence: ResetEvidence): (keyof ResetVerdict)[] {
  const verdict = judgeResets(evidence)
  return (Object.keys(verdict) as (keyof ResetVerdict)[]).filter((name) => {
    const found = verdict[name]
    return typeof found !== 'number' && found.length > 0
  })
}

describe('the verdict on resets', () => {
  test('finds nothing where what is before the last reset is gone and what is after it is done', () => {
    expect(faultsIn(goodEvidence())).toEqual([])
    expect(judgeResets(goodEvidence())).toMatchObject({ erased: 2, kept: 1 })
  })

  test('finds a row of an older generation in any table', () => {
    for (const table of ['documents', 'document_versions', 'readings', 'work', 'scope_log']) {
      const late = row(table, {
        epoch: 1,
        documentId: 'c',
        seq: table === 'scope_log' ? 12 : null,
        label: 'processed',
      })
      expect(faultsIn(withRows((rows) => [...rows, late]))).toContain('resurrected')
    }
  })

  test('finds what must be gone, under whatever generation it came back', () => {
    const key = row('idempotency_keys', { documentId: 'b', epoch: null, seq: 6 })
    expect(faultsIn(withRows((rows) => [...rows, key]))).toEqual(['resurrected'])
    expect(faultsIn(withRows((rows) => [...rows, row('readings', { documentId: 'a' })]))).toEqual([
      'resurrected',
    ])
    const good = goodEvidence()
    const shown = { ...scope, documentId: 'a', name: 'a', status: 'processed', reason: null }
    expect(faultsIn({ ...good, listed: [...good.listed, shown] })).toEqual(['resurrected'])
  })

  test('calls a document lost that is missing after the last reset, or cannot be opened any more', () => {
    const without = withRows((rows) => rows.filter(({ table }) => table !== 'documents'))
    expect(faultsIn(without)).toEqual(['lost'])
    const [shown] = goodEvidence().listed
    expect(faultsIn({ ...goodEvidence(), listed: [] })).toEqual(['lost'])
    expect(faultsIn({ ...goodEvidence(), listed: shown ? [{ ...shown, name: 'x' }] : [] })).toEqual(['lost'])
  })

  test('names documents that failed, are not at their end, or were sent by nobody', () => {
    const relabel = (label: string) =>
      withRows((rows) => rows.map((each) => (each.table === 'documents' ? { ...each, label } : each)))
    expect(faultsIn(relabel('failed'))).toEqual(['failed'])
    expect(faultsIn(relabel('processing'))).toEqual(['unended'])
    expect(faultsIn(withRows((rows) => [...rows, row('readings', { documentId: 'x' })]))).toEqual([
      'strangers',
    ])
  })

  test('leaves open what got no answer, whether it is there or not', () => {
    const good = goodEvidence()
    const unanswered = { ...good, sent: [...good.sent, sent('d', undefined, true)] }
    expect(faultsIn(unanswered)).toEqual([])
    const rows = [...good.remains.rows, row('documents', { documentId: 'd', seq: 9, label: 'processed' })]
    expect(faultsIn({ ...unanswered, remains: { ...good.remains, rows } })).toEqual([])
  })

  test('holds each scope to the generation last answered, its data key included', () => {
    const good = goodEvidence()
    for (const change of [{ epoch: 1 }, { headEpoch: 3 }, { keyEpochs: [1, 2] }, { keyEpochs: [] }]) {
      const scopes = good.remains.scopes.map((each) => ({ ...each, ...change }))
      expect(faultsIn({ ...good, remains: { ...good.remains, scopes } })).toEqual(['wrongEpochs'])
    }
  })

  test('finds a log that has a gap, does not begin with the reset, or does not end at its head', () => {
    const drop = (seq: number) =>
      withRows((rows) => rows.filter((each) => each.table !== 'scope_log' || each.seq !== seq))
    for (const seq of [8, 10, 11]) expect(faultsIn(drop(seq))).toEqual(['brokenLogs'])
    const renamed = withRows((rows) =>
      rows.map((each) => (each.label === 'scope.reset' ? { ...each, label: 'scope.created' } : each)),
    )
    expect(faultsIn(renamed)).toEqual(['brokenLogs'])
  })

  test('holds each answer to a reset against the log and what was accepted', () => {
    const good = goodEvidence()
    const [second, first] = good.resets
    if (!second || !first) throw new Error('The good evidence has two resets.')
    const odd: Reset[] = [
      { ...second, epoch: 3 },
      { ...second, removed: { ...second.removed, documents: 0 } },
      { ...second, removed: { ...second.removed, idempotency_records: 2 } },
      { ...second, removed: { ...second.removed, log_entries: 4 } },
    ]
    for (const reset of odd) expect(faultsIn({ ...good, resets: [reset, first] })).toContain('oddResets')
    expect(faultsIn({ ...good, sent: [...good.sent, sent('d', 9)] })).toContain('doubledSeqs')
  })
})
