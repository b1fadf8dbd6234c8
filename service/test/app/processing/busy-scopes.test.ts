import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIngest } from '../../../src/app/documents/ingest.ts'
import type { Ingest } from '../../../src/app/documents/ingest.ts'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import {
  startAttempts,
  deferAttempts,
  completeAttempts,
  completeReadings,
} from '../../../src/store/processing/attempts.ts'
import type { PoolConnection } from '../../../src/store/pools.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, look, newDocument, processedResult, dispatchAll } from '../../support/documents.ts'
import { auditor, fingerprints, makeScope, makeTenant, masterKeys, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
const worker = usePools(database, 4, 'worker')
/** Far less than the head is held for, and far more than a statement takes. */
const SOON_MS = 5_000

let busy: TestTenant
let free: TestTenant
let holder: PoolConnection | undefined

beforeEach(async () => {
  await look(database(), 'delete from work')
  ;[busy, free] = [await makeTenant(api()), await makeTenant(api())]
  for (const tenant of [busy, free])
    for (const scope of ['default', 'other']) await makeScope(api(), tenant, scope)
})
afterEach(letGo)

/** Holds the head as a long transaction in the scope does. */
async function hold({ tenantId }: TestTenant, scopeId = 'default'): Promise<void> {
  holder = await database().superuser.connect()
  await holder.query('begin')
  await holder.query('select from scope_heads where tenant_id = $1 and scope_id = $2 for update', [
    tenantId,
    scopeId,
  ])
}

async function letGo(): Promise<void> {
  await holder?.query('rollback')
  holder?.release()
  holder = undefined
}

async function within<Result>(work: Promise<Result>): Promise<Result> {
  const startMs = performance.now()
  const result = await work
  expect(performance.now() - startMs).toBeLessThan(SOON_MS)
  return result
}

const outcomesOf = (answers: readonly { readonly outcome: string }[]) => answers.map(({ outcome }) => outcome)
const inBoth = () => [newDocument(busy), newDocument(busy, { scopeId: 'other' }), newDocument(free)]

async function makeAllReady() {
  await acceptDocuments(api().tenant, inBoth())
  await dispatchAll(worker(), busy)
  expect(await look(database(), `select from work where state <> 'ready'`)).toEqual([])
  return look<{ tenantId: string; scopeId: string; documentId: string; ticket: string }>(
    database(),
    `select tenant_id as "tenantId", scope_id as "scopeId", document_id as "documentId", ticket from work
      order by (tenant_id = $1) desc, scope_id`,
    [busy.tenantId],
  )
}

describe('a statement that meets a locked scope', () => {
  it('accepts the documents of all other scopes and reports the busy one', async () => {
    await hold(busy)
    expect(outcomesOf(await within(acceptDocuments(api().tenant, inBoth())))).toEqual([
      'busy',
      'accepted',
      'accepted',
    ])
    expect(
      await look(database(), `select from documents where tenant_id = $1`, [busy.tenantId]),
    ).toHaveLength(1)
  })

  it('starts, completes and defers the attempts of all other scopes', async () => {
    const places = await makeAllReady()
    await hold(busy)
    const started = await within(startAttempts(worker().tenant, places, 5))
    expect(outcomesOf(started)).toEqual(['busy', 'claimed', 'claimed'])
    await letGo()
    await startAttempts(worker().tenant, places.slice(0, 1), 5)
    await hold(busy)
    const results = places.map((place) => processedResult(place, 1))
    const deferred = places.map((place) => ({
      ...place,
      attempt: 1,
      afterMs: 0,
      grows: false,
      waitingReason: null,
    }))
    expect(await within(deferAttempts(worker().tenant, deferred.slice(0, 2)))).toEqual(['busy', 'settled'])
    expect(await within(completeReadings(worker().tenant, results))).toEqual(['busy', 'stale', 'settled'])
    await letGo()
    expect(await completeAttempts(worker().tenant, results)).toEqual(['settled', 'stale', 'stale'])
  })

  it('reports a missing scope as missing, not as busy', async () => {
    await hold(busy)
    const nowhere = newDocument(free, { scopeId: 'nowhere' })
    expect(outcomesOf(await acceptDocuments(api().tenant, [newDocument(busy), nowhere]))).toEqual([
      'busy',
      'scope_not_found',
    ])
  })
})

describe('a move of a switch', () => {
  it('does not wait behind attempts that wait for a scope', async () => {
    const places = await makeAllReady()
    await hold(busy)
    const starting = startAttempts(worker().tenant, places, 5)
    const deps = { pools: api(), auditor, announceRuntime: () => undefined }
    await within(moveRuntime(deps, { level: 'service' }, 'pause', operator))
    await within(moveRuntime(deps, { level: 'service' }, 'resume', operator))
    expect(outcomesOf(await starting)[0]).toBe('busy')
  })
})

describe('the API while a scope is locked', () => {
  let ingest: Ingest
  beforeEach(() => {
    const seals = createScopeSeals({ pool: api().tenant, masterKeys })
    ingest = createIngest({ pool: api().ingest, seals, fingerprints, announceEvents: () => undefined })
  })
  afterEach(() => ingest.drain())

  const send = (tenant: TestTenant, text: string) =>
    ingest.ingestDocument(tenant.caller, {
      scopeId: 'default',
      name: 'a name',
      type: 'txt',
      text,
      characters: text.length,
      documentId: null,
      source: null,
      idempotencyKey: null,
    })

  it('accepts documents of other scopes at once, and documents of this scope after it is unlocked', async () => {
    await hold(busy)
    const held = send(busy, 'waits')
    const others = Array.from({ length: 40 }, (_, at) => send(free, `text ${at}`))
    expect(await within(Promise.all(others))).toHaveLength(40)
    await letGo()
    expect(await held).toMatchObject({ replayed: false })
  })

  it('answers 503 for a document whose scope stays locked, and does not write it afterwards', async () => {
    await hold(busy)
    await expect(send(busy, 'in vain')).rejects.toMatchObject({ code: 'unavailable' })
    await letGo()
    await ingest.drain()
    expect(await look(database(), 'select from documents where tenant_id = $1', [busy.tenantId])).toEqual([])
    await acceptOne(api().tenant, newDocument(busy))
  })
})
