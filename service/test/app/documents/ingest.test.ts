import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { getDocument } from '../../../src/app/documents/documents.ts'
import { createIngest } from '../../../src/app/documents/ingest.ts'
import type { Ingest, IngestRequest } from '../../../src/app/documents/ingest.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import type { ScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import type { Pools } from '../../../src/store/pools.ts'
import { useDatabase } from '../../support/database.ts'
import { documentRow, documentsDeps, logOf, look, storyOf, versionsOf } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { nextGeneration } from '../../support/generations.ts'
import { fingerprints, makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'
import { inSession } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database, 4)
const otherPools = usePools(database, 4)
let tenant: TestTenant
let announced: string[]
let seals: ScopeSeals
let ingest: Ingest

beforeEach(async () => {
  tenant = await makeTenant(pools())
  for (const scopeId of ['default', 'second']) await makeScope(pools(), tenant, scopeId)
  announced = []
  seals = createScopeSeals({ pool: pools().tenant, masterKeys })
  ingest = makeIngest(pools(), seals)
})
afterEach(() => ingest.drain())

function makeIngest({ tenant: pool }: Pick<Pools, 'tenant'>, own: ScopeSeals): Ingest {
  return createIngest({
    pool,
    seals: own,
    fingerprints,
    announceEvents: (tenantId, scopeId) => void announced.push(`${tenantId} ${scopeId}`),
  })
}

const request = (parts: Partial<IngestRequest> = {}): IngestRequest => ({
  scopeId: 'default',
  name: 'Annual report',
  type: 'txt',
  text: 'Borealis reported revenue of EUR 12.4m.',
  characters: 39,
  documentId: 'report',
  source: null,
  idempotencyKey: null,
  ...parts,
})

const send = (parts: Partial<IngestRequest> = {}, by = ingest) =>
  by.ingestDocument(tenant.caller, request(parts))
const place = (documentId = 'report') => ({ tenantId: tenant.tenantId, documentId })

async function isWaiting(): Promise<boolean> {
  const statement = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
  return (await look(database(), statement, [database().name])).length > 0
}

describe('a document that is sent', () => {
  it('is on disk when the promise resolves, sealed, and then announced', async () => {
    expect(await send()).toEqual({ documentId: 'report', seq: 2, replayed: false })
    const seal = await seals.get(tenant.tenantId, 'default')
    const [version] = await look<{ sealed_text: Buffer; characters: number }>(
      database(),
      'select sealed_text, characters from document_versions where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(seal.open('text', 'report', version?.sealed_text ?? Buffer.of()).toString()).toBe(request().text)
    expect(version?.characters).toBe(39)
    expect(announced).toEqual([`${tenant.tenantId} default`])
  })

  it('without an id gets one of its own', async () => {
    const ids = (await Promise.all([send({ documentId: null }), send({ documentId: null })])).map(
      ({ documentId }) => documentId,
    )
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
  })

  it('to an unknown scope, or to one of another tenant, is refused alike', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'theirs')
    for (const scopeId of ['nowhere', 'theirs'])
      expect(await faultOf(send({ scopeId }))).toBe('scope_not_found')
    expect(announced).toEqual([])
  })

  it('together with many others shares their statements', async () => {
    const { pool, count } = countQueries(pools().tenant)
    const own = makeIngest({ tenant: pool }, seals)
    await seals.get(tenant.tenantId, 'default')
    await Promise.all(Array.from({ length: 100 }, (_, index) => send({ documentId: `d${index}` }, own)))
    expect(count()).toBeLessThanOrEqual(4)
    expect(await logOf(database(), tenant)).toHaveLength(101)
  })
})

describe('large batches', () => {
  /** The most characters that were sealed between two turns of the event loop. */
  function watchTurns(own: ScopeSeals) {
    let sealed = 0
    let most = 0
    let isOver = false
    const endTurn = () => {
      most = Math.max(most, sealed)
      sealed = 0
      if (!isOver) setImmediate(endTurn)
    }
    setImmediate(endTurn)
    const watched: ScopeSeals = {
      ...own,
      async get(tenantId, scopeId) {
        const seal = await own.get(tenantId, scopeId)
        const count = (purpose: string, documentId: string, plain: Buffer) => {
          sealed += plain.length
          return seal.seal(purpose, documentId, plain)
        }
        return { ...seal, seal: count }
      },
    }
    return { watched, most: () => most, stop: () => void (isOver = true) }
  }

  it('are sealed in small parts, so that other requests are served in between', async () => {
    const { watched, most, stop } = watchTurns(seals)
    const own = makeIngest(pools(), watched)
    const batches = Array.from({ length: 4 }, (_, batch) =>
      Array.from({ length: 20 }, (__, index) =>
        request({ documentId: `${batch}-${index}`, text: 'x'.repeat(50_000), characters: 50_000 }),
      ),
    )
    const answers = await Promise.all(batches.map((batch) => own.ingestAll(tenant.caller, batch)))
    stop()
    expect(answers.flat().filter(({ status }) => status === 'fulfilled')).toHaveLength(80)
    // 400,000 characters and their cards; all of them would be 4,000,000.
    expect(most()).toBeLessThan(450_000)
  })
})

describe('a document that is sent again', () => {
  it('with the same content is answered as the first time and not announced', async () => {
    const first = await send()
    announced = []
    expect(await send()).toEqual({ ...first, replayed: true })
    expect(announced).toEqual([])
    expect(await storyOf(database(), tenant)).toEqual(['2 document.queued 1'])
  })

  it.each([
    ['text', { text: 'Other words.' }],
    ['name', { name: 'Another name' }],
    ['type', { type: 'md' }],
    ['source', { source: 'https://example.org' }],
  ])('with another %s is a new version', async (_, change) => {
    await send()
    expect(await send(change)).toMatchObject({ seq: 4, replayed: false })
    expect(await versionsOf(database(), place())).toEqual(['2 queued', '1 superseded'])
  })

  it('ends with the last sent content if it is sent several times at once, even if the first has to wait', async () => {
    await makeScope(pools(), tenant, 'a-busy-one')
    await Promise.all(['default', 'a-busy-one'].map((scopeId) => seals.get(tenant.tenantId, scopeId)))
    await inSession({ connectionString: database().url('superuser') }, async (holder) => {
      await holder.query('begin')
      await holder.query(`select from scope_heads where scope_id = 'a-busy-one' for update`)
      // In one batch with a document of a scope that is locked at the moment; the second version in the next batch.
      const neighbour = send({ scopeId: 'a-busy-one', documentId: 'neighbour' })
      const versions = [send({ name: 'the first' }), send({ name: 'the second' })]
      await waitUntil(() => isWaiting(), { what: 'the batch waiting for the lock' })
      await Promise.race([versions[1], waitUntil(() => false, { what: 'the second', withinMs: 200 })]).catch(
        () => undefined,
      )
      await holder.query('rollback')
      await Promise.all([neighbour, ...versions])
    })
    const { document } = await getDocument(documentsDeps(pools()), tenant.caller, 'default', 'report')
    expect([document.version, document.name]).toEqual([2, 'the second'])
  })
})

describe('documents that are sent together', () => {
  const sendAll = (...all: Partial<IngestRequest>[]) => ingest.ingestAll(tenant.caller, all.map(request))

  it('stand each for itself, and are answered in their order', async () => {
    const outcomes = await sendAll(
      { documentId: 'a' },
      { scopeId: 'nowhere' },
      { documentId: 'b', scopeId: 'second' },
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[0]).toMatchObject({ value: { documentId: 'a', seq: 2 } })
    expect(outcomes[1]).toMatchObject({ reason: { code: 'scope_not_found' } })
    expect(outcomes[2]).toMatchObject({ value: { documentId: 'b', seq: 2 } })
  })

  it('under one id become versions in the order in which they were given', async () => {
    const names = ['one', 'two', 'three', 'four']
    // Seals are not at hand yet, and the other scope makes the flushes differ.
    await sendAll(...names.flatMap((name) => [{ name }, { scopeId: 'second', documentId: name }]))
    const { document } = await getDocument(documentsDeps(pools()), tenant.caller, 'default', 'report')
    expect([document.version, document.name]).toEqual([4, 'four'])
  })

  it('with one key and different content are accepted once, for the first', async () => {
    const outcomes = await sendAll(
      { documentId: null, idempotencyKey: 'k' },
      { documentId: null, idempotencyKey: 'k' },
      { documentId: null, idempotencyKey: 'k', text: 'other' },
    )
    expect(outcomes[0]).toMatchObject({ value: { replayed: false } })
    expect(outcomes[1]).toMatchObject({ value: { replayed: true } })
    expect(outcomes[2]).toMatchObject({ reason: { code: 'idempotency_key_reused' } })
  })
})

describe('an idempotency key', () => {
  const keyed = { documentId: null, idempotencyKey: 'nightly' }

  it('gives the first answer again, with the id that was made then', async () => {
    const first = await send(keyed)
    expect(await send(keyed)).toEqual({ ...first, replayed: true })
    expect(await logOf(database(), tenant)).toHaveLength(2)
  })

  it.each([
    ['another text', { text: 'Other words.' }],
    ['a document_id that was left out before', { documentId: 'report' }],
    ['another scope', { scopeId: 'second' }],
    ['another source', { source: 'elsewhere' }],
  ])('is refused for %s', async (_, change) => {
    await send(keyed)
    expect(await faultOf(send({ ...keyed, ...change }))).toBe('idempotency_key_reused')
    expect(await logOf(database(), tenant)).toHaveLength(2)
  })

  it('is kept only as a keyed hash', async () => {
    await send({ ...keyed, idempotencyKey: 'a very telling key' })
    const [row] = await look<{ row: string }>(
      database(),
      'select t::text as row from idempotency_keys t where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(row?.row).not.toContain(Buffer.from('telling').toString('hex'))
    expect(row?.row).not.toContain('telling')
  })

  it('through two scopes and two replicas at once is accepted once and refused once', async () => {
    const replica = makeIngest(otherPools(), createScopeSeals({ pool: otherPools().tenant, masterKeys }))
    for (let round = 0; round < 12; round += 1) {
      const idempotencyKey = `round ${round}`
      const outcomes = await Promise.all([
        faultOf(send({ documentId: null, idempotencyKey })),
        faultOf(send({ documentId: null, idempotencyKey, scopeId: 'second' }, replica)),
      ])
      expect(outcomes.toSorted()).toEqual(['idempotency_key_reused', undefined])
    }
  })

  it('that another scope is just taking is refused as reused, never as a failure of ours', async () => {
    await seals.get(tenant.tenantId, 'default')
    const first = await send({ ...keyed, scopeId: 'second' })
    const [row] = await look<{ key_hash: Buffer }>(
      database(),
      'delete from idempotency_keys where tenant_id = $1 returning key_hash',
      [tenant.tenantId],
    )
    await inSession({ connectionString: database().url('superuser') }, async (holder) => {
      // Written but not committed: the key is being taken by the batch of another replica.
      await holder.query('begin')
      await holder.query(
        `insert into idempotency_keys (tenant_id, key_hash, fingerprint, scope_id, document_id, seq)
         values ($1, $2, '\\x00', 'second', $3, $4)`,
        [tenant.tenantId, row?.key_hash, first.documentId, first.seq],
      )
      const late = faultOf(send(keyed)).catch((error: unknown) => error)
      await waitUntil(() => isWaiting(), { what: 'the request waiting for the key' })
      await holder.query('commit')
      expect(await late).toBe('idempotency_key_reused')
    })
  })
})

describe('a scope that was reset since its seal was remembered', () => {
  it('causes the document to be sealed again, unnoticed by the sender', async () => {
    await send({ documentId: 'before' })
    const epoch = await nextGeneration(database(), tenant, 'default')
    expect(await send({ documentId: 'after' })).toMatchObject({ documentId: 'after', replayed: false })
    expect(await documentRow(database(), place('after'))).toMatchObject({ epoch })
    const seal = await createScopeSeals({ pool: pools().tenant, masterKeys }).get(tenant.tenantId, 'default')
    const [version] = await look<{ sealed_text: Buffer }>(
      database(),
      `select sealed_text from document_versions where tenant_id = $1 and document_id = 'after'`,
      [tenant.tenantId],
    )
    expect(seal.open('text', 'after', version?.sealed_text ?? Buffer.of()).toString()).toBe(request().text)
  })

  it('is answered as unavailable if repeated, instead of being retried forever', async () => {
    await send({ documentId: 'before' })
    await look(database(), 'update scope_heads set epoch = 77 where tenant_id = $1', [tenant.tenantId])
    expect(await faultOf(send())).toBe('unavailable')
  })

  it('and deleted is unknown', async () => {
    await send()
    await look(database(), `delete from scope_heads where tenant_id = $1 and scope_id = 'default'`, [
      tenant.tenantId,
    ])
    await look(database(), `delete from scopes where tenant_id = $1 and scope_id = 'default'`, [
      tenant.tenantId,
    ])
    expect(await faultOf(send())).toBe('scope_not_found')
  })
})

describe('a database that is away', () => {
  it('fails the request once, without trying each document by itself', async () => {
    const { pool, count, failNext } = countQueries(pools().tenant)
    const own = makeIngest({ tenant: pool }, seals)
    await seals.get(tenant.tenantId, 'default')
    failNext(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) => send({ documentId: `d${index}` }, own)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(count()).toBe(1)
  })

  it('is no reason for a document to be refused when only its neighbour was bad', async () => {
    const outcomes = await Promise.allSettled([
      send({ documentId: 'good' }),
      send({ documentId: 'with \u0000 inside' }),
      send({ documentId: 'fine' }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
