/** Rows that are kept no longer are removed in small pieces, and nothing else is. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createEventFeed } from '../../../src/app/events/event-feed.ts'
import { followKernel, kernelHead } from '../../../src/app/events/kernel-feed.ts'
import { createRetention } from '../../../src/app/upkeep/retention.ts'
import type { Retention } from '../../../src/app/upkeep/retention.ts'
import type { RetentionSettings, Walk } from '../../../src/domain/retention.ts'
import { selectSweepAges } from '../../../src/store/upkeep/retention.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, idempotency, logOf, look, newDocument, versionsOf } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { addVersions } from '../../support/versions.ts'

const database = useDatabase()
const api = usePools(database)
const worker = usePools(database, 2, 'worker')
const archive = useArchive(database, api)

const HOUR = 3_600
const KEEP: RetentionSettings = { keysSeconds: HOUR, versionsSeconds: HOUR, eventsSeconds: HOUR }

beforeEach(async () => {
  await look(
    database(),
    `update retention_sweeps
        set holder = null, expires_at = '-infinity', at_tenant = null, at_scope = null, at_document = null, pass_began_at = '-infinity'`,
  )
})

const open = (settings = KEEP, holder: string = randomUUID()) =>
  createRetention({ pools: worker(), settings, holder })

/** A whole pass of both walks. */
async function sweep(retention: Retention = open()): Promise<Retention> {
  for (const walk of ['scopes', 'documents'] as const) await untilPassed(retention, walk)
  return retention
}

async function untilPassed(retention: Retention, walk: Walk): Promise<void> {
  while (await retention.sweep(walk));
}

/** Scopes without anything in them, as far as the sweeper looks. */
const addHeads = (tenantId: string, prefix: string, count: number) =>
  look(
    database(),
    `insert into scope_heads (tenant_id, scope_id) select $1, $2 || '-' || n from generate_series(1, $3::integer) n`,
    [tenantId, prefix, count],
  )

const age = (table: string, column: string, where: string, values: readonly unknown[] = []) =>
  look(database(), `update ${table} set ${column} = ${column} - interval '2 hours' where ${where}`, [
    ...values,
  ])

describe('records of idempotency keys', () => {
  const send = (key: string, text: string) =>
    acceptOne(
      api().tenant,
      newDocument(archive().tenant, { idempotency: idempotency(key, text), text, documentId: text }),
    )

  it('are deleted when they are due, which frees the key; younger ones are still replayed', async () => {
    const { tenantId } = archive().tenant
    const first = await send('old', 'one')
    await age('idempotency_keys', 'created_at', 'tenant_id = $1', [tenantId])
    await send('young', 'two')
    expect((await send('old', 'other')).outcome).toBe('key_reused')
    const { removed } = await sweep()
    expect(removed.idempotency_keys).toBe(1)
    expect(await send('young', 'two')).toMatchObject({ outcome: 'replayed' })
    const again = await send('old', 'other')
    expect(again.outcome).toBe('accepted')
    expect(again.seq).toBeGreaterThan(first.seq ?? Infinity)
  })

  it('of many scopes and tenants go in several steps, each row once', async () => {
    const other = await makeTenant(api())
    for (const tenant of [archive().tenant, other]) await addHeads(tenant.tenantId, 'many', 60)
    await look(
      database(),
      `insert into idempotency_keys (tenant_id, key_hash, fingerprint, scope_id, document_id, seq, created_at)
       select h.tenant_id, decode(md5(h.scope_id || '/' || n), 'hex'), '\\x00', h.scope_id, 'd', 1, now() - interval '2 hours'
         from scope_heads h, generate_series(1, 40) n where h.tenant_id in ($1, $2) and h.scope_id like 'many-%'`,
      [archive().tenant.tenantId, other.tenantId],
    )
    expect((await sweep()).removed.idempotency_keys).toBe(2 * 60 * 40)
    expect(await look(database(), `select from idempotency_keys where scope_id like 'many-%'`)).toEqual([])
  })
})

describe('superseded versions', () => {
  it('are deleted when they are due; the newest, the current and younger ones stay', async () => {
    for (const text of ['one', 'two', 'three', 'four', 'five'])
      await archive().deposit({ text, characters: 3 })
    const place = [archive().tenant.tenantId]
    await look(
      database(),
      `update document_versions set status = 'processed' where tenant_id = $1 and version = 2`,
      place,
    )
    await age('document_versions', 'ended_at', 'tenant_id = $1 and version in (1, 2, 3)', place)
    await look(
      database(),
      `update document_versions set ended_at = now() - interval '2 hours' where tenant_id = $1 and version = 5`,
      place,
    )
    expect((await sweep()).removed.document_versions).toBe(2)
    expect(await versionsOf(database(), archive().place())).toEqual([
      '5 attached',
      '4 superseded',
      '2 processed',
    ])
    const { versions } = await archive().get()
    expect(versions.items.map(({ version }) => version)).toEqual([5, 4, 2])
    await archive().deposit({ text: 'six', characters: 3 })
    expect((await versionsOf(database(), archive().place()))[0]).toBe('6 attached')
  })

  it('of a document that has very many go in pieces, and those of the documents behind it as well', async () => {
    for (const documentId of ['a', 'b', 'c'])
      for (const text of ['one', 'two']) await archive().deposit({ documentId, text, characters: 3 })
    await addVersions(database(), archive().place('a'), 5_000)
    await age('document_versions', 'ended_at', 'tenant_id = $1 and ended_at is not null', [
      archive().tenant.tenantId,
    ])
    expect((await sweep()).removed.document_versions).toBe(4_999 + 2)
    expect(await versionsOf(database(), archive().place('a'))).toEqual(['5000 attached'])
  })

  it('are kept forever by default', async () => {
    for (const text of ['one', 'two']) await archive().deposit({ text, characters: 3 })
    await age('document_versions', 'ended_at', 'true')
    const retention = open({ ...KEEP, versionsSeconds: undefined, eventsSeconds: undefined })
    const before = await logOf(database(), archive().tenant)
    await age('scope_log', 'at', 'true')
    await sweep(retention)
    expect(retention.removed).toEqual({
      idempotency_keys: 0,
      document_versions: 0,
      scope_log: 0,
      kernel_log: 0,
    })
    expect(await versionsOf(database(), archive().place())).toHaveLength(2)
    expect(await logOf(database(), archive().tenant)).toHaveLength(before.length)
  })
})

describe('entries of a log', () => {
  const seqs = async () => (await logOf(database(), archive().tenant)).map(({ seq }) => seq)
  const fill = async (count: number) => {
    for (let at = 0; at < count; at += 1) await archive().deposit({ documentId: `d${at}` })
  }

  it('are removed from its begin on when they are due, without a gap, and the newest stays', async () => {
    await fill(9)
    await age('scope_log', 'at', 'tenant_id = $1 and seq <= 6 and seq <> 4', [archive().tenant.tenantId])
    const retention = await sweep()
    expect(await seqs()).toEqual([4, 5, 6, 7, 8, 9, 10])
    await age('scope_log', 'at', 'tenant_id = $1', [archive().tenant.tenantId])
    await look(database(), `update retention_sweeps set pass_began_at = '-infinity'`)
    await sweep(retention)
    expect(await seqs()).toEqual([10])
    await archive().deposit({ documentId: 'next' })
    expect(await seqs()).toEqual([10, 11])
  })

  it('that are behind a certificate stay, because they tell whether it is current', async () => {
    await fill(5)
    const { tenantId } = archive().tenant
    await look(
      database(),
      `insert into certificates (tenant_id, scope_id, number, certificate_id, epoch, log_position, hash, certificate, issued_at)
       select $1, 'default', n, gen_random_uuid(), 0, 2 + n, decode(repeat('00', 32), 'hex'), '{}', now() from generate_series(1, 2) n`,
      [tenantId],
    )
    await age('scope_log', 'at', 'tenant_id = $1', [tenantId])
    await sweep()
    expect(await seqs()).toEqual([4, 5, 6])
  })

  it('cause a resync once deleted, for followers of the scope and of all scopes', async () => {
    const { tenantId } = archive().tenant
    const before = await kernelHead({ pools: api() })
    await fill(5)
    await age('scope_log', 'at', 'tenant_id = $1', [tenantId])
    await sweep()
    const stop = new AbortController()
    const feed = createEventFeed({ pools: api(), log: silentLog })
    const told: string[] = []
    const options = { tenantId, scopeId: 'default', after: 2, signal: stop.signal }
    const following = feed.follow({
      ...options,
      resync: async (head) => void told.push(`resync ${head}`),
      receive: async (entries) => void told.push(...entries.map(({ seq }) => `entry ${seq}`)),
    })
    const kernelTold: string[] = []
    const followingAll = followKernel(
      { pools: api() },
      {
        after: before,
        signal: stop.signal,
        resync: async () => void kernelTold.push('resync'),
        receive: async (entries) => void kernelTold.push(...entries.map(({ kind }) => kind)),
      },
    )
    await waitUntil(() => told.length > 0 && kernelTold.length > 0, { what: 'both being told' })
    await archive().deposit({ documentId: 'next' })
    feed.wake(tenantId, 'default')
    await waitUntil(() => told.length > 2 && kernelTold.length > 2, { what: 'the next entry' })
    stop.abort()
    await Promise.all([following, followingAll])
    expect(told).toEqual(['resync 5', 'entry 6', 'entry 7'])
    expect(kernelTold).toEqual(['resync', 'document.attached', 'document.attached'])
  })

  it('of the service go as well, and the number up to which entries may be missing is known', async () => {
    await look(
      database(),
      `insert into kernel_log (kind, subject, at) values ('x', 'y', now() - interval '2 hours'), ('x', 'young', now())`,
    )
    expect((await sweep()).removed.kernel_log).toBe(1)
    const [row] = await look<{ isMarked: boolean }>(
      database(),
      `select s.kernel_seq = k.kernel_seq - 1 as "isMarked" from log_start s, kernel_log k where k.subject = 'young'`,
    )
    expect(row).toEqual({ isMarked: true })
  })
})

describe('the sweeper', () => {
  it('runs alone: another one has nothing to do until the lease is released, and continues at the same position', async () => {
    await addHeads(archive().tenant.tenantId, 's', 120)
    const [one, two] = [open(KEEP, 'one'), open(KEEP, 'two')]
    await look(
      database(),
      `update retention_sweeps set holder = 'one', expires_at = now() + interval '1 minute', at_tenant = $1, at_scope = 's-50',
              pass_began_at = now()
        where walk = 'scopes'`,
      [archive().tenant.tenantId],
    )
    expect(await two.sweep('scopes')).toBe(false)
    const place = `select holder, at_scope from retention_sweeps where walk = 'scopes'`
    expect(await look(database(), place)).toEqual([{ holder: 'one', at_scope: 's-50' }])
    await one.release()
    await untilPassed(two, 'scopes')
    expect(await look(database(), place)).toEqual([{ holder: 'two', at_scope: null }])
  })

  it('begins a pass only when it is due, and reports the age of the last one', async () => {
    await look(database(), `update retention_sweeps set swept_to = now() - interval '5 hours'`)
    const retention = await sweep()
    const [documents, , scopes] = await selectSweepAges(worker().kernel)
    expect([documents?.walk, scopes?.walk]).toEqual(['documents', 'scopes'])
    expect(scopes?.ageMs).toBeLessThan(600_000)
    const began = `select pass_began_at from retention_sweeps where walk = 'scopes'`
    const before = await look(database(), began)
    expect(await retention.sweep('scopes')).toBe(false)
    expect(await look(database(), began)).toEqual(before)
  })
})

describe('the role of the dispatcher', () => {
  it.each([
    ['a version that is not superseded', 'document_versions'],
    ['the newest entry of a log', 'scope_log'],
  ])('cannot remove %s', async (_, table) => {
    await archive().deposit()
    const { tenantId } = archive().tenant
    const before = await look(database(), `select from ${table} where tenant_id = $1`, [tenantId])
    const connection = await worker().tenant.connect()
    try {
      await connection.query('begin')
      await connection.query(`select set_config('app.tenant', $1, true)`, [tenantId])
      await connection.query(`delete from ${table}`)
      await connection.query('commit')
    } finally {
      connection.release()
    }
    const left = await look(database(), `select from ${table} where tenant_id = $1`, [tenantId])
    expect(left).toHaveLength(1)
    expect(before.length).toBeGreaterThanOrEqual(1)
  })
})
