/** Attempts that could not be made go back uncounted, and what takes long is touched. */
import { beforeEach, describe, expect, it } from 'vitest'
import { deferAttempts, touchAttempts, wakeDeferred } from '../../../src/store/processing/attempts.ts'
import type { DeferredAttempt, WorkRef } from '../../../src/store/processing/attempts.ts'
import { selectDocument } from '../../../src/store/documents/documents.ts'
import { selectOpenWork } from '../../../src/store/health/kernel-health.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  startOne,
  look,
  makeReady,
  newDocument,
  processedResult,
  dispatchAll,
  completeOne,
} from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant
let place: WorkRef

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  const pools = { api: api().tenant, worker: worker() }
  place = await makeReady(pools, newDocument(tenant, { documentId: 'report' }))
  await startOne(worker().tenant, place)
})

const defer = (over: Partial<DeferredAttempt> = {}) =>
  deferAttempts(worker().tenant, [
    { ...place, attempt: 1, afterMs: 10_000, grows: true, waitingReason: 'unreachable', ...over },
  ])
const shown = () =>
  inTenant(api().tenant, tenant.tenantId, (transaction) => selectDocument(transaction, 'default', 'report'))
async function dispatch(): Promise<WorkRef> {
  const [dispatched] = await dispatchAll(worker(), tenant)
  if (!dispatched) throw new Error('the document was not dispatched')
  return dispatched
}
const workOf = async () => {
  const [row] = await look<Record<string, unknown>>(
    database(),
    `select state, attempt, ticket, deferrals, round(extract(epoch from not_before - touched_at))::integer as seconds
       from work where tenant_id = $1`,
    [tenant.tenantId],
  )
  return row
}
/** Released and claimed once more, whatever it waits for. */
async function again(): Promise<void> {
  await database().superuser.query('update work set not_before = now() where tenant_id = $1', [
    tenant.tenantId,
  ])
  place = await dispatch()
  expect(await startOne(worker().tenant, place)).toMatchObject({ outcome: 'claimed', attempt: 1 })
}

describe('an attempt that is deferred', () => {
  it('is not counted, and its document shows the reason of the wait', async () => {
    expect(await shown()).toMatchObject({ status: 'processing', attempt: 1, waitingReason: null })
    expect(await defer()).toEqual(['settled'])
    expect(await workOf()).toEqual({ state: 'queued', attempt: 0, ticket: null, deferrals: 1, seconds: 10 })
    expect(await shown()).toMatchObject({
      status: 'queued',
      attempt: 0,
      errorCode: null,
      waitingReason: 'unreachable',
    })
  })

  it('waits twice as long each time, up to five minutes, unless a delay is given', async () => {
    const waits: unknown[] = []
    for (let round = 0; round < 7; round += 1) {
      if (round > 0) await again()
      await defer()
      waits.push((await workOf())?.['seconds'])
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300])
    await again()
    await defer({ grows: false, afterMs: 3_600_000, waitingReason: 'over_budget' })
    expect((await workOf())?.['seconds']).toBe(3_600)
  })

  it('is stale for a worker that no longer holds it', async () => {
    expect(await defer({ attempt: 2 })).toEqual(['stale'])
    expect(await defer({ ticket: '1' })).toEqual(['stale'])
    await completeOne(worker().tenant, processedResult(place, 1))
    expect(await defer()).toEqual(['stale'])
    expect(await shown()).toMatchObject({ status: 'processed', attempt: 1 })
  })

  it('shows no reason any more once it is dispatched again, or has new text', async () => {
    await defer()
    await acceptOne(api().tenant, newDocument(tenant, { documentId: 'report', text: 'other words' }))
    expect(await shown()).toMatchObject({ status: 'queued', version: 2, waitingReason: null })
  })

  it('does not count as stalled work', async () => {
    await database().superuser.query(
      `update work set queued_at = now() - interval '1 hour' where tenant_id = $1`,
      [tenant.tenantId],
    )
    await defer()
    const waited = async () => (await selectOpenWork(worker().kernel)).waitedMs ?? 0
    expect(await waited()).toBeLessThan(60_000)
    await database().superuser.query('update work set not_before = now() where tenant_id = $1', [
      tenant.tenantId,
    ])
    await dispatch()
    expect(await waited()).toBeLessThan(60_000)
  })

  it('is woken when the model answers again, and with `withBudget` when the budget may have changed', async () => {
    await wakeDeferred(worker().kernel, true)
    await defer()
    expect(await wakeDeferred(worker().kernel, false)).toBe(1)
    expect(await shown()).toMatchObject({ status: 'queued', waitingReason: null })
    await again()
    await defer({ waitingReason: 'over_budget' })
    expect(await wakeDeferred(worker().kernel, false)).toBe(0)
    expect(await wakeDeferred(worker().kernel, true)).toBe(1)
  })
})

describe('an attempt that takes long', () => {
  it('is touched while it runs, only by its own worker', async () => {
    const age = () =>
      database().superuser.query(
        `update work set touched_at = now() - interval '1 minute' where tenant_id = $1`,
        [tenant.tenantId],
      )
    const isFresh = async () =>
      (
        await look<{ fresh: boolean }>(
          database(),
          `select touched_at > now() - interval '30 seconds' as fresh from work where tenant_id = $1`,
          [tenant.tenantId],
        )
      )[0]?.fresh
    const touch = (attempt: number) =>
      inTenant(worker().tenant, tenant.tenantId, (transaction) =>
        touchAttempts(transaction, 'default', [{ ...place, attempt }]),
      )
    await age()
    await touch(2)
    expect(await isFresh()).toBe(false)
    await touch(1)
    expect(await isFresh()).toBe(true)
  })
})
