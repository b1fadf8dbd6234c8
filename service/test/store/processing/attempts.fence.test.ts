/** The fence: whatever does not hold the right ticket, attempt and epoch at this moment writes nothing at all. */
import { beforeEach, describe, expect, it } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import type { WorkRef } from '../../../src/store/processing/attempts.ts'
import { recallWork } from '../../../src/store/processing/dispatch.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  documentsDeps,
  logOf,
  look,
  makeReady,
  newDocument,
  pictureOf,
  processedResult,
  dispatchAll,
  completeOne,
  SHARDS,
  storyOf,
  unsuccessful,
} from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 6, 'worker')
let tenant: TestTenant
let place: WorkRef

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  place = await makeReady(
    { api: api().tenant, worker: worker() },
    newDocument(tenant, { documentId: 'report' }),
  )
})

const start = (from: WorkRef = place) => startOne(worker().tenant, from)

interface Trace {
  readonly answer: unknown
  /** Rows of the pipeline that are another way afterwards, to the byte. */
  readonly written: readonly string[]
}

async function traceOf(work: () => Promise<unknown>): Promise<Trace> {
  const before = new Set(await pictureOf(database()))
  const answer = await work()
  const after = await pictureOf(database())
  return { answer, written: after.filter((row) => !before.delete(row)).concat([...before]) }
}

const STALE_CLAIM: Trace = { answer: { outcome: 'stale' }, written: [] }
const STALE_RESULTS: Trace = { answer: ['stale', 'stale', 'stale'], written: [] }

const traceOfClaim = (from: WorkRef = place) => traceOf(() => start(from))

/** All three verdicts, one after the other, since each writes elsewhere. */
const traceOfResults = (from: WorkRef, attempt: number) =>
  traceOf(async () => [
    await completeOne(worker().tenant, processedResult(from, attempt)),
    await completeOne(worker().tenant, unsuccessful(from, attempt, 'failed', 'threw')),
    await completeOne(worker().tenant, unsuccessful(from, attempt, 'retry', 'threw')),
  ])

const otherTicket = () => ({ ...place, ticket: String(BigInt(place.ticket) + 1000n) })
const raiseEpoch = () =>
  look(database(), 'update scope_heads set epoch = epoch + 1 where tenant_id = $1', [tenant.tenantId])

describe('a start writes nothing', () => {
  it('with another ticket', async () => {
    expect(await traceOfClaim(otherTicket())).toEqual(STALE_CLAIM)
  })

  it.each(['scopeId', 'documentId'] as const)('with another %s', async (name) => {
    expect(await traceOfClaim({ ...place, [name]: 'another' })).toEqual(STALE_CLAIM)
  })

  it('under another tenant, who has a document and a ticket of the same name', async () => {
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    expect(await traceOfClaim({ ...place, tenantId: other.tenantId })).toEqual(STALE_CLAIM)
  })

  it('on a document that waits in the backlog again', async () => {
    await look(database(), `update work set state = 'queued' where tenant_id = $1`, [tenant.tenantId])
    expect(await traceOfClaim()).toEqual(STALE_CLAIM)
  })

  it('after the scope was reset', async () => {
    await raiseEpoch()
    expect(await traceOfClaim()).toEqual(STALE_CLAIM)
  })

  it('after a newer version came', async () => {
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'report', text: 'newer' }))
    expect(await traceOfClaim()).toEqual(STALE_CLAIM)
  })

  it('after the work was recalled and dispatched again', async () => {
    await look(database(), `update work set touched_at = now() - interval '1 hour' where tenant_id = $1`, [
      tenant.tenantId,
    ])
    await recallWork(worker().kernel, SHARDS, { readySeconds: 1, processingSeconds: 1 })
    expect(await traceOfClaim()).toEqual(STALE_CLAIM)
    const [again] = await dispatchAll(worker(), tenant)
    expect(await traceOfClaim()).toEqual(STALE_CLAIM)
    expect(await start(again)).toMatchObject({ outcome: 'claimed' })
  })
})

describe('a result writes nothing', () => {
  it('with another ticket', async () => {
    await start()
    expect(await traceOfResults(otherTicket(), 1)).toEqual(STALE_RESULTS)
  })

  it.each([0, 2, 99])('of attempt %i, when attempt 1 is under way', async (attempt) => {
    await start()
    expect(await traceOfResults(place, attempt)).toEqual(STALE_RESULTS)
  })

  it('of work without a started attempt', async () => {
    expect(await traceOfResults(place, 0)).toEqual(STALE_RESULTS)
    expect(await traceOfResults(place, 1)).toEqual(STALE_RESULTS)
  })

  it('after the scope was reset', async () => {
    await start()
    await raiseEpoch()
    expect(await traceOfResults(place, 1)).toEqual(STALE_RESULTS)
  })

  it('of an attempt that another worker took over, while the result of that worker is written', async () => {
    await start()
    expect(await start()).toMatchObject({ attempt: 2 })
    expect(await traceOfResults(place, 1)).toEqual(STALE_RESULTS)
    expect(await completeOne(worker().tenant, processedResult(place, 2))).toBe('settled')
  })

  it('a second time', async () => {
    await start()
    expect(await completeOne(worker().tenant, processedResult(place, 1))).toBe('settled')
    expect(await traceOfResults(place, 1)).toEqual(STALE_RESULTS)
  })

  it('a second time after a result to retry', async () => {
    await start()
    expect(await completeOne(worker().tenant, unsuccessful(place, 1, 'retry', 'threw'))).toBe('settled')
    expect(await traceOfResults(place, 1)).toEqual(STALE_RESULTS)
  })

  it('after a newer version came in between', async () => {
    await start()
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'report', text: 'newer' }))
    expect(await traceOfResults(place, 1)).toEqual(STALE_RESULTS)
  })

  it('after the document was removed', async () => {
    await start()
    await removeDocument(documentsDeps(api()), tenant.caller, 'default', 'report')
    expect(await traceOfResults(place, 1)).toEqual(STALE_RESULTS)
    expect((await storyOf(database(), tenant)).at(-1)).toBe('4 document.removed 1')
  })

  it('under another tenant', async () => {
    await start()
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    expect(await traceOfResults({ ...place, tenantId: other.tenantId }, 1)).toEqual(STALE_RESULTS)
  })

  it('of another tenant than that of the transaction', async () => {
    await start()
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    const item = { item: 0, scope: 'default', document: 'report', ticket: place.ticket, attempt: 1 }
    const forged = JSON.stringify([
      { ...item, verdict: 'failed', reason: 'x', sealed_at: 0, sealed_length: 0 },
    ])
    const before = await pictureOf(database())
    const rows = await asRole(database(), 'worker', async (client) => {
      await client.query('begin')
      await client.query(`select set_config('app.tenant', $1, true)`, [other.tenantId])
      const answer = await client.query('select outcome from complete_attempts_of($1, $2, $3, null)', [
        tenant.tenantId,
        forged,
        Buffer.from(''),
      ])
      await client.query('commit')
      return answer.rows
    })
    expect(rows).toEqual([{ outcome: 'stale' }])
    expect(await pictureOf(database())).toEqual(before)
  })
})

describe('four completions of the same result at once', () => {
  it.each(['processed', 'failed', 'retry'] as const)(
    'have exactly one effect when it is %s',
    async (verdict) => {
      await start()
      const result =
        verdict === 'processed' ? processedResult(place, 1) : unsuccessful(place, 1, verdict, 'threw')
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () => completeOne(worker().tenant, result)),
      )
      expect(outcomes.map(String).toSorted()).toEqual(['settled', 'stale', 'stale', 'stale'])
      const told = (await logOf(database(), tenant)).filter(({ kind }) => /processed|failed/.test(kind))
      expect(told).toHaveLength(verdict === 'retry' ? 0 : 1)
    },
  )

  it('write only the later attempt for different results of two attempts', async () => {
    await start()
    await start()
    const results = [1, 2, 1, 2].map((attempt) => processedResult(place, attempt, `reading ${attempt}`))
    const outcomes = await Promise.all(results.map(async (result) => completeOne(worker().tenant, result)))
    expect([outcomes[0], outcomes[2]]).toEqual(['stale', 'stale'])
    expect([outcomes[1], outcomes[3]].map(String).toSorted()).toEqual(['settled', 'stale'])
    const [kept] = await look<{ sealed: Buffer }>(
      database(),
      'select sealed from readings where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(String(kept?.sealed)).toBe('reading 2')
  })
})

describe('many starts of one message at once', () => {
  it('each count as a separate attempt, and only the last one may complete', async () => {
    const claims = await Promise.all(Array.from({ length: 4 }, () => start()))
    const attempts = claims.map((answer) => (answer?.outcome === 'claimed' ? answer.attempt : 0))
    expect(attempts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
    for (const attempt of [1, 2, 3]) expect(await traceOfResults(place, attempt)).toEqual(STALE_RESULTS)
    expect(await completeOne(worker().tenant, processedResult(place, 4))).toBe('settled')
  })
})
