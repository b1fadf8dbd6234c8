/** The whole way of a document through real processes, and what is left of it when one of them is killed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import type { Child } from '@concord/tools/launch'
import { startPrivateNats } from '@concord/tools/services'
import { testServices } from '@concord/tools/testing'
import type { PrivateNats } from '@concord/tools/services'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, startApiProcess, startKernelProcess } from '../support/process.ts'
import type { ApiProcess, ProcessEnv } from '../support/process.ts'
import { openStream } from '../support/streams.ts'

// Several processes are started, and leases are waited for.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 })

const database = useDatabase()
const pools = usePools(database)
let dir: string
let nats: PrivateNats
let env: ProcessEnv
let tenant: TestTenant
let api: ApiProcess
let dispatcher: Child
let worker: Child
const children: Child[] = []

beforeAll(async () => {
  const { serverPath } = testServices().nats
  dir = await mkdtemp(join(tmpdir(), 'concord-kernel-'))
  nats = await startPrivateNats({ dir, serverPath, limits: { syncInterval: '2m' } })
  env = {
    ...processEnv(database()),
    NATS_URL: `nats://${nats.user}:${nats.password}@127.0.0.1:${nats.port}`,
    READERS: '1',
  }
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
  ;[api, dispatcher, worker] = await Promise.all([startApiProcess(env), start('dispatcher'), start('worker')])
  children.push(api)
})
afterAll(async () => {
  await Promise.all(children.map((child) => child.stop()))
  await nats.remove()
  await rm(dir, { recursive: true })
})

async function start(role: 'dispatcher' | 'worker'): Promise<Child> {
  const child = await startKernelProcess(env, role)
  children.push(child)
  return child
}

const own = () => ({ ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId })

async function ingest(documentId: string, text = `The agreement ${documentId} was signed in Geneva.`) {
  const { headers, ...rest } = jsonBody({
    scope_id: 'default',
    name: documentId,
    text,
    document_id: documentId,
  })
  const answer = await callApi(`${api.url}/api/ingest`, { ...rest, headers: { ...headers, ...own() } })
  expect(answer.status).toBe(202)
  return answer
}

/** Enough to keep a reader busy for a moment. */
const LONG = 'The tenant paid the rent on the first of May. Nothing else was agreed upon in writing. '.repeat(
  1_000,
)

const ingestMany = (word: string, count: number, text?: string) =>
  Promise.all(Array.from({ length: count }, (_, index) => ingest(`${word}-${index}`, text)))

interface Tally {
  readonly processed: number
  readonly underWay: number
  readonly attempts: number
}

async function tally(word: string): Promise<Tally> {
  const [row] = await look<Tally>(
    database(),
    `select count(*) filter (where status = 'processed')::int as processed, max(attempt)::int as attempts,
            count(*) filter (where status = 'processing')::int as "underWay"
       from documents where tenant_id = $1 and document_id like $2`,
    [tenant.tenantId, `${word}-%`],
  )
  if (!row) throw new Error('there is no answer')
  return row
}

const allProcessed = (word: string, count: number, withinMs: number) =>
  waitUntil(async () => (await tally(word)).processed === count, {
    what: `${count} documents being processed`,
    withinMs,
    everyMs: 100,
  })

describe('a document', () => {
  it('is processed, and its stream has every step', async () => {
    const stream = await openStream(`${api.url}/api/scopes/default/events?after=0`, own())
    const { headers } = await ingest('one-0')
    await stream.untilEvent('claims.extracted', 'one-0', 30_000)
    await stream.close()
    const kinds = stream.frames.filter(({ data }) => data['subject'] === 'one-0').map(({ event }) => event)
    expect(kinds).toEqual([
      'document.queued',
      'document.processing',
      'document.processed',
      'claims.extracted',
    ])
    const { body } = await callApi(api.url + headers.get('location'), { headers: own() })
    expect(body).toMatchObject({
      status: 'processed',
      attempt: 1,
      error: null,
      versions: [{ version: 1, status: 'processed', ended_at: expect.any(String) }],
    })
    const [reading] = await look<{ passages: number }>(database(), 'select passages, sentences from readings')
    expect(reading).toEqual({ passages: 1, sentences: 1 })
  })

  it('among many is processed exactly once', async () => {
    await ingestMany('many', 60)
    await allProcessed('many', 60, 30_000)
    const [log] = await look<{ told: number }>(
      database(),
      `select count(*)::int as told from scope_log where kind = 'document.processed' and document_id like 'many-%'`,
    )
    expect(log).toEqual({ told: 60 })
  })
})

describe('kill -9', () => {
  it('of the worker in the middle of its work: another one has processed everything within 15 seconds', async () => {
    await ingestMany('worker', 12, LONG)
    await waitUntil(async () => (await tally('worker')).underWay > 0, {
      what: 'work being under way',
      everyMs: 5,
    })
    worker.signal('SIGKILL')
    await worker.exited
    const killed = performance.now()
    const left = await tally('worker')
    worker = await start('worker')
    await allProcessed('worker', 12, 60_000)
    const took = performance.now() - killed
    expect(left.processed).toBeLessThan(12)
    expect((await tally('worker')).attempts).toBeGreaterThan(1)
    expect(took).toBeLessThan(15_000)
  })

  it('of the broker with the loss of its data: ingest continues, and everything is processed', async () => {
    await ingestMany('broker', 40, LONG)
    nats.kill('SIGKILL')
    await rm(nats.storeDir, { recursive: true, force: true })
    await ingestMany('meanwhile', 10)
    await nats.restart()
    await allProcessed('broker', 40, 60_000)
    await allProcessed('meanwhile', 10, 60_000)
    for (const child of [api, dispatcher, worker]) expect(child.hasExited()).toBe(false)
  })

  it('of the dispatcher: the standby takes over within eight seconds', async () => {
    const standby = await start('dispatcher')
    await ingest('standby-0')
    await allProcessed('standby', 1, 20_000)
    dispatcher.signal('SIGKILL')
    await dispatcher.exited
    const killed = performance.now()
    await ingest('standby-1')
    await allProcessed('standby', 2, 20_000)
    expect(performance.now() - killed).toBeLessThan(8_000)
    dispatcher = standby
  })
})

describe('SIGTERM', () => {
  it('lets a worker finish its documents in flight, and exit with 0', async () => {
    await ingestMany('last', 30, LONG)
    await waitUntil(async () => (await tally('last')).underWay > 0, {
      what: 'work being under way',
      everyMs: 5,
    })
    worker.signal('SIGTERM')
    expect(await worker.exited).toEqual({ code: 0, signal: null })
    // Nothing that it had begun is left hanging.
    expect(await tally('last')).toMatchObject({ underWay: 0, attempts: 1 })
  })

  it('lets a dispatcher give up its leases, and ends it with 0', async () => {
    dispatcher.signal('SIGTERM')
    expect(await dispatcher.exited).toEqual({ code: 0, signal: null })
    expect(await look(database(), 'select from dispatch_leases where holder is not null')).toEqual([])
  })
})
