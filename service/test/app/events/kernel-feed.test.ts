import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { followKernel, kernelHead } from '../../../src/app/events/kernel-feed.ts'
import type { KernelLogEntry, KernelPosition } from '../../../src/app/events/kernel-feed.ts'
import { moveRuntime } from '../../../src/app/processing/runtime.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, newDocument } from '../../support/documents.ts'
import { auditor, makeScope, makeTenant, operator } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'
import { inSession } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database, 8)
let acme: TestTenant
let borealis: TestTenant
let start: KernelPosition
const open: Following[] = []

beforeAll(async () => {
  ;[acme, borealis] = [await makeTenant(pools()), await makeTenant(pools())]
  for (const tenant of [acme, borealis])
    for (const scopeId of ['one', 'two', 'held']) await makeScope(pools(), tenant, scopeId)
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop()
})
beforeEach(async () => {
  start = await kernelHead({ pools: pools() })
})

const say = ({ position, kind }: KernelLogEntry) => `${position.scopeId} ${position.seq} ${kind}`

interface Following {
  readonly resyncs: readonly KernelPosition[]
  readonly seen: readonly KernelLogEntry[]
  /** Resolves when it has asked the database once more from now on. */
  looksAgain(): Promise<void>
  until(count: number): Promise<readonly KernelLogEntry[]>
  stop(): Promise<void>
}

function follow(after: KernelPosition): Following {
  const seen: KernelLogEntry[] = []
  const resyncs: KernelPosition[] = []
  const stop = new AbortController()
  const { pool: kernel, count: looks } = countQueries(pools().kernel)
  const ended = followKernel(
    { pools: { ...pools(), kernel } },
    {
      after,
      signal: stop.signal,
      receive: async (entries) => void seen.push(...entries),
      resync: async (head) => void resyncs.push(head),
    },
  )
  const following: Following = {
    resyncs,
    seen,
    async looksAgain() {
      const before = looks()
      // The first of them may have been under way already.
      await waitUntil(() => looks() >= before + 3, { what: 'the reader looking again', everyMs: 20 })
    },
    async until(count) {
      await waitUntil(() => seen.length >= count, { what: `${count} entries`, everyMs: 20 })
      return seen
    },
    async stop() {
      stop.abort()
      await ended
    },
  }
  open.push(following)
  return following
}

/** A transaction of a tenant that the test ends when it wants to. */
async function inTransaction<Result>(
  tenant: TestTenant,
  work: (write: (scopeId: string) => Promise<void>, client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return inSession({ connectionString: database().url('api') }, async (client) => {
    await client.query('begin')
    await client.query(`select set_config('app.tenant', $1, true)`, [tenant.tenantId])
    const write = async (scopeId: string) => {
      const place = [tenant.tenantId, scopeId]
      const { rows } = await client.query<{ head: string }>(
        'update scope_heads set head = head + 1 where tenant_id = $1 and scope_id = $2 returning head',
        place,
      )
      await client.query(
        `insert into scope_log (tenant_id, scope_id, seq, epoch, kind) values ($1, $2, $3, 0, 'held')`,
        [...place, rows[0]?.head],
      )
    }
    return work(write, client)
  })
}

const accept = (tenant: TestTenant, scopeId: string) =>
  acceptOne(pools().tenant, newDocument(tenant, { scopeId }))

describe('the operator’s stream', () => {
  it('has the events of all scopes of all tenants, and begins with new ones', async () => {
    const following = follow(start)
    const seen = await waitUntil(
      async () => {
        await accept(acme, 'one')
        await accept(borealis, 'two')
        const tenants = new Set(following.seen.map(({ position }) => position.tenantId))
        return tenants.size === 2 && following.seen
      },
      { what: 'events of both tenants' },
    )
    expect(seen.map(({ kind }) => kind)).not.toContain('scope.created')
  })

  it('continues after any position, without loss and without repetition', async () => {
    for (const [tenant, scopeId] of [
      [acme, 'one'],
      [borealis, 'one'],
      [acme, 'two'],
      [acme, 'one'],
    ] as const)
      await accept(tenant, scopeId)
    const following = follow(start)
    const all = [...(await following.until(4))]
    for (const [index, entry] of all.entries()) {
      const again = follow(entry.position)
      const rest = await again.until(all.length - index - 1)
      expect(rest.map(say)).toEqual(all.slice(index + 1).map(say))
    }
  })

  it('has events without a scope in their order between the others', async () => {
    await acceptOne(pools().tenant, newDocument(acme, { scopeId: 'one' }))
    const deps = { pools: pools(), auditor, announceRuntime: () => undefined }
    await moveRuntime(deps, { level: 'tenant', tenantId: acme.tenantId }, 'pause', operator)
    await moveRuntime(deps, { level: 'tenant', tenantId: acme.tenantId }, 'resume', operator)
    await acceptOne(pools().tenant, newDocument(acme, { scopeId: 'one' }))
    const seen = await follow(start).until(4)
    expect(seen.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['document.queued', null],
      ['runtime.changed', acme.tenantId],
      ['runtime.changed', acme.tenantId],
      ['document.queued', null],
    ])
    const second = seen[1]
    expect(second && (await follow(second.position).until(2)).map(({ kind }) => kind)).toEqual([
      'runtime.changed',
      'document.queued',
    ])
  })

  it('sends a resync if its position is ahead of the log, and continues with new events', async () => {
    const ahead = { ...start, kernelSeq: start.kernelSeq + 1_000_000 }
    const following = follow(ahead)
    await waitUntil(() => following.resyncs.length > 0, { what: 'the resync' })
    await accept(acme, 'one')
    expect((await following.until(1)).map(({ kind }) => kind)).toEqual(['document.queued'])
    expect(following.resyncs).toHaveLength(1)
  })

  it('ends when its reader leaves', async () => {
    await expect(follow(start).stop()).resolves.toBeUndefined()
  })
})

describe('a transaction that is held open', () => {
  it('delays events that were written after it began, and then nothing is missing', async () => {
    const following = follow(start)
    await inTransaction(acme, async (write, client) => {
      await write('one')
      await accept(borealis, 'one')
      // Committed long ago, but something older may still come: the reader must not have gone past it.
      await following.looksAgain()
      expect(following.seen).toEqual([])
      await client.query('commit')
    })
    const seen = await following.until(2)
    expect(seen.map(({ kind }) => kind)).toEqual(['held', 'document.queued'])
  })

  it('delays nothing for good if it is rolled back', async () => {
    const following = follow(start)
    await inTransaction(acme, async (write, client) => {
      await write('one')
      await accept(borealis, 'one')
      await client.query('rollback')
    })
    const seen = await following.until(1)
    expect(seen.map(({ kind }) => kind)).toEqual(['document.queued'])
  })

  it('does not reverse the order of a scope, although it began first and wrote last', async () => {
    await inTransaction(acme, async (write, client) => {
      await write('one')
      await accept(acme, 'two')
      await write('two')
      await client.query('commit')
    })
    const following = follow(start)
    const seen = await following.until(3)
    const ofTwo = seen.filter(({ position }) => position.scopeId === 'two').map(({ seq }) => seq)
    expect(ofTwo).toHaveLength(2)
    expect(ofTwo).toEqual(ofTwo.toSorted((a, b) => a - b))
  })

  it('delays a new reader until it has ended, so that nothing is committed before its position', async () => {
    let opened = false
    const head = await inTransaction(acme, async (write, client) => {
      await write('one')
      const opening = kernelHead({ pools: pools() }).finally(() => (opened = true))
      // It has had the time to look several times.
      await accept(borealis, 'two')
      await accept(borealis, 'two')
      expect(opened).toBe(false)
      await client.query('commit')
      return opening
    })
    await accept(borealis, 'one')
    const { seen } = follow(head)
    await waitUntil(() => seen.some(({ position }) => position.scopeId === 'one'), { what: 'the new event' })
    expect(seen.map(({ kind }) => kind)).not.toContain('held')
  })
})

describe('under many writers at once', () => {
  it('every event comes exactly once', async () => {
    const following = follow(start)
    const scopes = [acme, borealis].flatMap((tenant) =>
      ['one', 'two'].map((scopeId) => ({ tenant, scopeId })),
    )
    const pick = () => scopes[randomInt(scopes.length)] ?? { tenant: acme, scopeId: 'one' }
    // The holders have a scope of their own, so that nobody waits for a lock that a test holds.
    const holders = [acme, borealis].map(async (tenant) => {
      for (let round = 0; round < 10; round += 1)
        await inTransaction(tenant, async (write, client) => {
          await write('held')
          await accept(tenant, 'one')
          await client.query(round % 2 === 0 ? 'rollback' : 'commit')
        })
    })
    const writers = Array.from({ length: 6 }, async () => {
      for (let round = 0; round < 10; round += 1) {
        const { tenant, scopeId } = pick()
        await accept(tenant, scopeId)
      }
    })
    await Promise.all([...holders, ...writers])
    const total = 2 * (10 + 5) + 6 * 10
    const seen = await following.until(total)
    const places = seen.map(({ position: { tenantId, scopeId, seq } }) => `${tenantId} ${scopeId} ${seq}`)
    expect(new Set(places).size).toBe(total)
    expect(places).toHaveLength(total)
  })
})
