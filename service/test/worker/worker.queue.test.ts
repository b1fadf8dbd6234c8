/** A worker on a real queue and a real database: what comes back, and what a stranger's message can do. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createAttempts } from '../../src/app/processing/attempts.ts'
import { createWorkDispatch } from '../../src/app/processing/dispatch.ts'
import { createScopeSeals } from '../../src/app/scopes/scope-seals.ts'
import { MAX_STARTS } from '../../src/domain/retry.ts'
import { runAttempt } from '../../src/worker/attempt.ts'
import type { AttemptDeps } from '../../src/worker/attempt.ts'
import type { Reading } from '../../src/worker/reading.ts'
import { createWorker } from '../../src/worker/worker.ts'
import type { Worker } from '../../src/worker/worker.ts'
import { useArchive } from '../support/archive.ts'
import { useDatabase } from '../support/database.ts'
import { documentRow, look, pictureOf, SHARDS } from '../support/documents.ts'
import { silentLog } from '../support/log.ts'
import { auditor, masterKeys } from '../support/people.ts'
import { policiesOf } from '../support/policies.ts'
import { usePools } from '../support/pools.ts'
import { useQueue } from '../support/queue.ts'
import { makeReport } from '../support/reading-reports.ts'

vi.setConfig({ testTimeout: 40_000 })

const database = useDatabase()
const api = usePools(database, 2)
const pools = usePools(database, 4, 'worker')
const broker = useQueue()
const archive = useArchive(database, api)
const running: Worker[] = []
const nothing: Reading = {
  passages: 0,
  sentences: 0,
  report: makeReport({ passages: 0, passagesRead: 0 }),
  json: Buffer.from('{"passages":[]}'),
  claims: [],
}

beforeEach(async () => {
  await look(database(), 'delete from work')
  await broker().manager.streams.purge(broker().stream)
})
afterEach(async () => {
  for (const worker of running.splice(0)) await worker.stop()
})

async function startWorker(parts: Partial<AttemptDeps> = {}): Promise<Worker> {
  const deps: AttemptDeps = {
    attempts: createAttempts({
      pool: pools().tenant,
      policies: policiesOf(pools().tenant),
      auditor,
      maxStarts: MAX_STARTS,
    }),
    seals: createScopeSeals({ pool: pools().tenant, masterKeys }),
    policies: policiesOf(pools().tenant),
    read: async () => ({ kind: 'done', result: nothing, ms: 1 }),
    announceEvents: () => undefined,
    started: () => undefined,
    random: () => 0,
    log: silentLog,
    ...parts,
  }
  const worker = createWorker({
    receive: broker().queue.receive,
    attempt: (delivery) => runAttempt(deps, delivery),
    capacity: 8,
    maxParked: 8,
    maxParkedBytes: Infinity,
    renewEveryMs: 3_000,
    log: silentLog,
  })
  running.push(worker)
  await worker.start()
  return worker
}

const dispatch = async () => {
  const workDispatch = createWorkDispatch({
    kernel: pools().kernel,
    queue: broker().queue,
    holder: 'test',
    leaseSeconds: 5,
    window: 100,
    priority: 0,
  })
  await workDispatch.renewLeases()
  const dispatched = await workDispatch.dispatch(SHARDS)
  await workDispatch.sent()
  return dispatched
}

const settled = (documentId: string) =>
  waitUntil(
    async () => {
      const row = await documentRow(database(), archive().place(documentId))
      return row?.['status'] === 'processed' && row
    },
    { what: `${documentId} being processed`, withinMs: 30_000 },
  )

const emptied = () =>
  waitUntil(async () => (await broker().held()) === 0, { what: 'the queue being empty', withinMs: 5_000 })

describe('a delivery', () => {
  it('is redelivered after it was abandoned, and then processed', async () => {
    let calls = 0
    const worker = await startWorker({
      read: async () => {
        calls += 1
        if (calls === 1) throw new Error('The sandbox stopped')
        return { kind: 'done', result: nothing, ms: 1 }
      },
    })
    await archive().ingest()
    await dispatch()
    expect(await settled('report')).toMatchObject({ attempt: 2 })
    await emptied()
    expect(worker.counts).toMatchObject({ abandoned: 1, processed: 1 })
  })

  it('is redelivered after a failure and its delay, until it succeeds', async () => {
    let calls = 0
    const worker = await startWorker({
      read: async () => {
        calls += 1
        if (calls <= 2) return { kind: 'failed', reason: 'crashed', detail: 'x' }
        return { kind: 'done', result: nothing, ms: 1 }
      },
    })
    await archive().ingest()
    await dispatch()
    expect(await settled('report')).toMatchObject({ attempt: 3, error_code: null })
    await emptied()
    expect(worker.counts).toMatchObject({ retried: 2, processed: 1 })
  })

  it('is processed once, by one of two workers, for each of many documents', async () => {
    const read: string[] = []
    const parts: Partial<AttemptDeps> = {
      read: async ({ id }) => {
        read.push(id)
        return { kind: 'done', result: nothing, ms: 1 }
      },
    }
    await Promise.all([startWorker(parts), startWorker(parts)])
    await Promise.all(Array.from({ length: 40 }, (_, index) => archive().ingest({ documentId: `d${index}` })))
    // A few at a time: no more are on their way to a worker at once.
    for (let dispatched = 0; dispatched < 40;) dispatched += await dispatch()
    await emptied()
    const [count] = await look<{ processed: number }>(
      database(),
      `select count(*)::int as processed from documents where tenant_id = $1 and status = 'processed'`,
      [archive().tenant.tenantId],
    )
    expect(count).toEqual({ processed: 40 })
    expect(read).toHaveLength(40)
    expect(new Set(read).size).toBe(40)
  })
})

describe('a forged message', () => {
  const forged = (
    documentId: string,
    ticket: string,
    scopeId = 'default',
    tenantId = archive().tenant.tenantId,
  ) => JSON.stringify([tenantId, scopeId, documentId, ticket])

  /** All of them to a worker at once, until none is left; the rows that are another way afterwards. */
  async function effectOf(payloads: readonly string[]): Promise<string[]> {
    await archive().ingest()
    const before = new Set(await pictureOf(database()))
    await startWorker()
    for (const payload of payloads) await broker().publishRaw(payload)
    await emptied()
    return (await pictureOf(database())).filter((row) => !before.delete(row)).concat([...before])
  }

  it('changes nothing in the form of a real one, and is not redelivered', async () => {
    const payloads = [
      forged('report', '1'),
      forged('nobody', '1'),
      forged('report', '1', 'Not A Scope'),
      forged('report', '1', 'default', '00000000-0000-4000-8000-000000000000'),
      forged('x'.repeat(500_000), '1'),
    ]
    expect(await effectOf(payloads)).toEqual([])
  })

  it('changes nothing with a name that Postgres cannot store, and is not redelivered forever', async () => {
    const payloads = [forged('with \u0000 inside', '1'), forged('report', '1').replace('report', '\\ud800')]
    expect(await effectOf(payloads)).toEqual([])
  })

  it('does not prevent real messages from being processed', async () => {
    await startWorker()
    await archive().ingest()
    for (let time = 0; time < 5; time += 1) await broker().publishRaw(forged('with \u0000 inside', '1'))
    await dispatch()
    expect(await settled('report')).toMatchObject({ attempt: 1 })
  })
})
