import { beforeEach, describe, expect, it } from 'vitest'
import { startAttempts, completeAttempts } from '../../../src/store/processing/attempts.ts'
import type { WorkRef } from '../../../src/store/processing/attempts.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  documentRow,
  logOf,
  look,
  makeReady,
  newDocument,
  processedResult,
  dispatchAll,
  completeOne,
  storyOf,
  unsuccessful,
  versionsOf,
  workRow,
} from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

const ready = (documentId = 'report', text = 'sealed words') =>
  makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant, { documentId, text }))
const start = (place: WorkRef, maxAttempts?: number) => startOne(worker().tenant, place, maxAttempts)
const complete = (result: Parameters<typeof completeOne>[1]) => completeOne(worker().tenant, result)
const readings = () =>
  look<{ version: number; sealed: Buffer }>(
    database(),
    'select version, passages, sentences, sealed from readings where tenant_id = $1 order by version',
    [tenant.tenantId],
  )

describe('a start', () => {
  it('returns the sealed text, and counts the attempt before it begins', async () => {
    const place = await ready()
    expect(await start(place)).toEqual({
      outcome: 'claimed',
      attempt: 1,
      lastReason: null,
      sealed: Buffer.from('sealed words'),
      document: {
        version: 1,
        type: 'txt',
        characters: 12,
        sealedCard: Buffer.from('card of sealed words'),
        released: false,
        policyChanges: 0,
      },
    })
    expect(await workRow(database(), place)).toMatchObject({
      state: 'processing',
      attempt: 1,
      ticket: place.ticket,
    })
    expect(await documentRow(database(), place)).toMatchObject({ status: 'processing', attempt: 1 })
    expect(await versionsOf(database(), place)).toEqual(['1 processing'])
    expect((await logOf(database(), tenant)).at(-1)).toMatchObject({
      seq: 3,
      kind: 'document.processing',
      document_id: 'report',
      version: 1,
      data: { stage: 'read', attempt: 1 },
    })
  })

  it('continues the count after a lost attempt, and the version keeps its first start time', async () => {
    const place = await ready()
    await start(place)
    const [before] = await look(database(), 'select started_at from document_versions where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(await start(place)).toMatchObject({ outcome: 'claimed', attempt: 2, lastReason: null })
    expect(
      await look(database(), 'select started_at from document_versions where tenant_id = $1', [
        tenant.tenantId,
      ]),
    ).toEqual([before])
  })

  it('is answered for many at once, in their order', async () => {
    const places = [await ready('a', 'text a'), await ready('b', 'text b'), await ready('c', 'text c')]
    const stale = { ...(places[0] as WorkRef), documentId: 'nobody' }
    const [a, none, b, c] = await startAttempts(
      worker().tenant,
      [places[0], stale, places[1], places[2]] as WorkRef[],
      5,
    )
    expect(none).toEqual({ outcome: 'stale' })
    expect([a, b, c]).toMatchObject(
      ['a', 'b', 'c'].map((id) => ({
        outcome: 'claimed',
        attempt: 1,
        lastReason: null,
        sealed: Buffer.from(`text ${id}`),
      })),
    )
    expect((await storyOf(database(), tenant)).slice(3)).toEqual([
      '5 document.processing 1',
      '6 document.processing 1',
      '7 document.processing 1',
    ])
  })

  it('serves several tenants in one statement', async () => {
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    const own = await ready()
    const theirs = await makeReady(
      { api: api().tenant, worker: worker() },
      newDocument(other, { documentId: 'report', text: 'of the other' }),
    )
    const answers = await startAttempts(worker().tenant, [theirs, own], 5)
    expect(answers).toMatchObject([
      { outcome: 'claimed', attempt: 1, lastReason: null, sealed: Buffer.from('of the other') },
      { outcome: 'claimed', attempt: 1, lastReason: null, sealed: Buffer.from('sealed words') },
    ])
    expect(await storyOf(database(), other)).toEqual(['2 document.queued 1', '3 document.processing 1'])
  })
})

describe('a document whose attempts are used up', () => {
  it('fails with `worker_lost` when no other reason is known', async () => {
    const place = await ready()
    await start(place, 2)
    await start(place, 2)
    expect(await start(place, 2)).toEqual({ outcome: 'exhausted' })
    expect(await workRow(database(), place)).toBeUndefined()
    expect(await versionsOf(database(), place)).toEqual(['1 failed'])
    expect(await documentRow(database(), place)).toMatchObject({
      status: 'failed',
      attempt: 2,
      error_code: 'worker_lost',
      error_stage: 'read',
    })
    const [failed, changed] = (await logOf(database(), tenant)).slice(-2)
    expect(failed).toMatchObject({
      kind: 'document.failed',
      data: { stage: 'read', attempt: 2, reason: 'worker_lost' },
    })
    expect(changed).toMatchObject({
      kind: 'convergence.changed',
      data: { score: 0, state: 'converging', blockers: 1 },
    })
  })

  it('fails with the reason of the last attempt that reported one', async () => {
    const place = await ready()
    await start(place, 2)
    await complete(unsuccessful(place, 1, 'retry', 'memory_exceeded'))
    await start(place, 2)
    expect(await start(place, 2)).toEqual({ outcome: 'exhausted' })
    expect(await documentRow(database(), place)).toMatchObject({
      status: 'failed',
      error_code: 'memory_exceeded',
    })
    expect((await logOf(database(), tenant)).at(-2)?.data).toEqual({
      stage: 'read',
      attempt: 2,
      reason: 'memory_exceeded',
    })
  })

  it('fails once: a further message is stale', async () => {
    const place = await ready()
    await start(place, 1)
    expect(await start(place, 1)).toEqual({ outcome: 'exhausted' })
    const story = await storyOf(database(), tenant)
    expect(await start(place, 1)).toEqual({ outcome: 'stale' })
    expect(await storyOf(database(), tenant)).toEqual(story)
  })
})

describe('a result', () => {
  it('is stored if processed, ends the work, and its event has the counts', async () => {
    const place = await ready()
    await start(place)
    expect(await complete(processedResult(place, 1, 'what was read'))).toBe('settled')
    expect(await readings()).toEqual([
      { version: 1, passages: 2, sentences: 3, sealed: Buffer.from('what was read') },
    ])
    expect(await workRow(database(), place)).toBeUndefined()
    expect(await documentRow(database(), place)).toMatchObject({ status: 'processed', error_code: null })
    const [version] = await look<{ ended_at: Date | null }>(
      database(),
      'select status, ended_at from document_versions where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(version).toEqual({ status: 'processed', ended_at: expect.any(Date) })
    expect((await logOf(database(), tenant)).at(-1)).toMatchObject({
      seq: 4,
      kind: 'document.processed',
      version: 1,
      data: { attempt: 1, passages: 2, sentences: 3 },
    })
  })

  it('has its reason everywhere and no reading if it failed for the last time', async () => {
    const place = await ready()
    await start(place)
    expect(await complete(unsuccessful(place, 1, 'failed', 'threw'))).toBe('settled')
    expect(await readings()).toEqual([])
    expect(await workRow(database(), place)).toBeUndefined()
    expect(await versionsOf(database(), place)).toEqual(['1 failed'])
    expect(await documentRow(database(), place)).toMatchObject({
      status: 'failed',
      error_code: 'threw',
      error_stage: 'read',
    })
    expect((await logOf(database(), tenant)).at(-1)).toMatchObject({
      kind: 'document.failed',
      data: { stage: 'read', attempt: 1, reason: 'threw' },
    })
  })

  it('keeps ticket and count if it is to be retried, so that the same message may start it', async () => {
    const place = await ready()
    await start(place)
    expect(await complete(unsuccessful(place, 1, 'retry', 'time_exceeded'))).toBe('settled')
    expect(await workRow(database(), place)).toMatchObject({
      state: 'ready',
      attempt: 1,
      ticket: place.ticket,
    })
    expect(await versionsOf(database(), place)).toEqual(['1 queued'])
    expect(await documentRow(database(), place)).toMatchObject({
      status: 'queued',
      error_code: 'time_exceeded',
    })
    expect(await start(place)).toMatchObject({ outcome: 'claimed', attempt: 2 })
    expect(await complete(processedResult(place, 2))).toBe('settled')
    // Success wipes the reason of the attempt before.
    expect(await documentRow(database(), place)).toMatchObject({
      status: 'processed',
      attempt: 2,
      error_code: null,
      error_stage: null,
    })
  })

  it('is answered for many at once, in their order, and the log has no gap', async () => {
    const places = [await ready('a'), await ready('b'), await ready('c'), await ready('d')] as const
    await startAttempts(worker().tenant, places, 5)
    const outcomes = await completeAttempts(worker().tenant, [
      unsuccessful(places[0], 1, 'retry', 'crashed'),
      processedResult(places[1], 1, 'reading b'),
      processedResult(places[2], 9, 'of a wrong attempt'),
      unsuccessful(places[3], 1, 'failed', 'threw'),
    ])
    expect(outcomes).toEqual(['settled', 'settled', 'stale', 'settled'])
    expect((await readings()).map(({ sealed }) => String(sealed))).toEqual(['reading b'])
    const log = await logOf(database(), tenant)
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1))
    expect(log.slice(-2).map(({ kind, document_id }) => `${kind} ${document_id}`)).toEqual([
      'document.processed b',
      'document.failed d',
    ])
  })
})

describe('a newer version that is processed', () => {
  /** The second version, claimed, while the reading of the first is still there. */
  async function secondVersion(): Promise<WorkRef> {
    const first = await ready('report', 'one')
    await start(first)
    await complete(processedResult(first, 1, 'reading one'))
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'report', text: 'two' }))
    const [second] = await dispatchAll(worker(), tenant)
    if (!second) throw new Error('the second version was not dispatched')
    await start(second)
    return second
  }

  it('replaces the reading of the older one in the same transaction, and names that version', async () => {
    const second = await secondVersion()
    expect((await readings()).map(({ version }) => version)).toEqual([1])
    await complete(processedResult(second, 1, 'reading two'))
    expect(await readings()).toMatchObject([{ version: 2, sealed: Buffer.from('reading two') }])
    expect(await versionsOf(database(), second)).toEqual(['2 processed', '1 superseded'])
    const [superseded, processed] = (await logOf(database(), tenant)).slice(-2)
    expect(superseded).toMatchObject({ kind: 'document.superseded', version: 1, data: { superseded_by: 2 } })
    expect(processed).toMatchObject({ kind: 'document.processed', version: 2 })
    const [told] = await look<{ transactions: number }>(
      database(),
      'select count(distinct kernel_seq)::int as transactions from scope_log where tenant_id = $1 and seq = any($2)',
      [tenant.tenantId, [superseded?.seq, processed?.seq]],
    )
    expect(told).toEqual({ transactions: 1 })
  })

  it.each(['failed', 'retry'] as const)(
    'as %s leaves the reading of the older one in force',
    async (verdict) => {
      const second = await secondVersion()
      await complete(unsuccessful(second, 1, verdict, 'threw'))
      expect(await readings()).toMatchObject([{ version: 1, sealed: Buffer.from('reading one') }])
      expect(await versionsOf(database(), second)).toEqual([
        verdict === 'failed' ? '2 failed' : '2 queued',
        '1 processed',
      ])
    },
  )
})
