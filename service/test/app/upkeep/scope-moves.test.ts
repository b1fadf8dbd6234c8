/** Tests that moves in scopes are counted into their figures by the dispatcher, a bounded piece at a time. */
import { beforeEach, describe, expect, it } from 'vitest'
import { foldMoves } from '../../../src/app/upkeep/scope-moves.ts'
import { createRetention } from '../../../src/app/upkeep/retention.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import type { SweepPosition } from '../../../src/store/upkeep/retention.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, look, newDocument } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  await look(database(), 'delete from scope_moves')
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

async function pass(): Promise<void> {
  let position: SweepPosition | null = null
  do position = await foldMoves(worker(), position)
  while (position)
}

const unfolded = async (scopeId?: string): Promise<number> => {
  const [row] = await look<{ rows: number }>(
    database(),
    'select count(*)::int as rows from scope_moves where tenant_id = $1 and ($2::text is null or scope_id = $2)',
    [tenant.tenantId, scopeId ?? null],
  )
  return row?.rows ?? 0
}
const addMoves = (scopeId: string, count: number) =>
  look(
    database(),
    `insert into scope_moves (tenant_id, scope_id, to_status, documents, accepted)
     select $1, $2, 'queued', 1, 1 from generate_series(1, $3::int)`,
    [tenant.tenantId, scopeId, count],
  )
const folded = async (scopeId: string): Promise<number> => {
  const [row] = await look<{ documents: number }>(
    database(),
    'select coalesce(sum(documents), 0)::int as documents from scope_counts where tenant_id = $1 and scope_id = $2',
    [tenant.tenantId, scopeId],
  )
  return row?.documents ?? 0
}

describe('a pass', () => {
  it('counts scopes that have many moves or an old one, and lets the others rest', async () => {
    for (const scopeId of ['busy', 'quiet']) await makeScope(api(), tenant, scopeId)
    await addMoves('busy', 64)
    await addMoves('quiet', 63)
    await pass()
    expect([await unfolded('busy'), await folded('busy')]).toEqual([0, 64])
    expect([await unfolded('quiet'), await folded('quiet')]).toEqual([63, 0])
    await look(database(), `update scope_moves set at = at - interval '2 minutes' where tenant_id = $1`, [
      tenant.tenantId,
    ])
    await pass()
    expect([await unfolded('quiet'), await folded('quiet')]).toEqual([0, 63])
  })

  it('folds a bounded number of scopes and moves per piece, and reaches all of them', async () => {
    const scopes = Array.from({ length: 25 }, (_, nth) => `s-${String(nth).padStart(2, '0')}`)
    for (const scopeId of scopes) {
      await makeScope(api(), tenant, scopeId)
      await addMoves(scopeId, 70)
    }
    const position = await foldMoves(worker(), null)
    expect(position).toMatchObject({ scopeId: 's-19' })
    expect(await unfolded()).toBe(5 * 70)
    await pass()
    expect(await unfolded()).toBe(0)
    await addMoves('s-00', 5_000)
    await foldMoves(worker(), null)
    expect(await unfolded()).toBe(3_000)
    await pass()
    expect([await unfolded(), await folded('s-00')]).toEqual([1_000, 4_070])
  })

  it('is made by one dispatcher at a time, when it is due', async () => {
    const [one, two] = ['one', 'two'].map((holder) =>
      createRetention({
        pools: worker(),
        settings: { keysSeconds: 60, versionsSeconds: undefined, eventsSeconds: undefined },
        holder,
      }),
    )
    await addMoves('default', 64)
    await look(database(), `update retention_sweeps set pass_began_at = '-infinity' where walk = 'moves'`)
    expect(await one?.sweep('moves')).toBe(false)
    expect(await unfolded()).toBe(0)
    await addMoves('default', 64)
    expect(await two?.sweep('moves')).toBe(false)
    expect(await unfolded()).toBe(64)
    await one?.release()
  })

  it('leaves a locked scope to the next pass', async () => {
    await addMoves('default', 100)
    await inTenant(api().tenant, tenant.tenantId, async ({ connection }) => {
      await connection.query(`select from scope_heads where tenant_id = $1 for update`, [tenant.tenantId])
      await pass()
    })
    expect(await unfolded()).toBe(100)
    await pass()
    expect([await unfolded(), await folded('default')]).toEqual([0, 100])
  })

  it('deletes short periods of contradictions that are no longer shown', async () => {
    await look(
      database(),
      `insert into contradiction_periods (tenant_id, scope_id, seconds, begins_at, opened, resolved, dismissed, reopened)
       select $1, 'default', seconds, date_bin(make_interval(secs => seconds), now() - interval '9 days', 'epoch'), 1, 0, 0, 0
         from unnest(period_lengths()) seconds`,
      [tenant.tenantId],
    )
    await addMoves('default', 64)
    await pass()
    const left = await look<{ seconds: number }>(
      database(),
      'select seconds from contradiction_periods where tenant_id = $1 order by seconds',
      [tenant.tenantId],
    )
    expect(left.map(({ seconds }) => seconds)).toEqual([3_600, 86_400])
  })
})

describe('accepting', () => {
  it('counts no moves itself', async () => {
    for (let nth = 0; nth < 200; nth += 1)
      await acceptOne(api().tenant, newDocument(tenant, { documentId: `d${nth}` }))
    expect([await unfolded(), await folded('default')]).toEqual([200, 0])
  })
})
