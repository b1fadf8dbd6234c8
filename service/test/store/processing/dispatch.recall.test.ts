import { describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { recallWork } from '../../../src/store/processing/dispatch.ts'
import { useDatabase } from '../../support/database.ts'
import { startOne, look, makeReady, newDocument } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const api = usePools(database)
const worker = usePools(database, 4, 'worker')

const ALL = { readySeconds: 0, processingSeconds: 60 }
const SHARDS = [0, 1, 2, 3]

describe('work that is taken back while somebody claims it', () => {
  it('is not begun: it waits again, and is found by the next dispatch', async () => {
    const tenant = await makeTenant(api())
    await makeScope(api(), tenant, 'default')
    const place = await makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant))
    await asRole(database(), 'kernel', async (session) => {
      await session.query('begin')
      expect(await recallWork(session, SHARDS, ALL)).toBe(1)
      const claim = startOne(worker().tenant, place)
      await waitUntil(isSomebodyWaiting, { what: 'the claim waiting for the recall', everyMs: 10 })
      await session.query('commit')
      expect(await claim).toEqual({ outcome: 'stale' })
    })
    expect(await look(database(), 'select state, ticket, attempt from work')).toEqual([
      { state: 'queued', ticket: null, attempt: 0 },
    ])
  })

  it('keeps nobody waiting where nothing is lost', async () => {
    const tenant = await makeTenant(api())
    await makeScope(api(), tenant, 'default')
    const place = await makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant))
    await asRole(database(), 'kernel', async (session) => {
      await session.query('begin')
      expect(await recallWork(session, SHARDS, { readySeconds: 60, processingSeconds: 60 })).toBe(0)
      expect(await startOne(worker().tenant, place)).toMatchObject({ outcome: 'claimed', attempt: 1 })
      await session.query('rollback')
    })
  })
})

async function isSomebodyWaiting(): Promise<boolean> {
  const waiting = await look(
    database(),
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return waiting.length > 0
}
