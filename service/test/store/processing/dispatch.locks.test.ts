import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import { dispatchWork } from '../../../src/store/processing/dispatch.ts'
import { useDatabase } from '../../support/database.ts'
import { isWaiting, look, newDocument, SHARDS } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const HOLDER = 'test'
const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
let tenants: TestTenant[]

beforeAll(async () => {
  tenants = [await makeTenant(api()), await makeTenant(api()), await makeTenant(api())]
  for (const tenant of tenants) await makeScope(api(), tenant, 'default')
})
beforeEach(async () => {
  await look(database(), `delete from work`)
  await look(database(), `update dispatch_leases set holder = $1, expires_at = now() + interval '1 hour'`, [
    HOLDER,
  ])
  await queueOfEach()
})

let made = 0
async function queueOfEach(): Promise<void> {
  made += 1
  for (const tenant of tenants)
    await acceptDocuments(api().tenant, [newDocument(tenant, { documentId: `d${made}` })])
}

const dispatch = () => dispatchWork(worker().kernel, { holder: HOLDER, shards: SHARDS, window: 10 })

/** dispatches while the leases are being renewed by somebody who does something else too before it is done. */
async function releaseDuring(alsoDone: string) {
  const client = await database().superuser.connect()
  try {
    await client.query('begin')
    await client.query(`update dispatch_leases set expires_at = expires_at + interval '1 hour'`)
    const dispatched = dispatch()
    await waitUntil(() => isWaiting(database(), 'with recursive held'), {
      what: 'the release waiting',
      everyMs: 10,
    })
    await client.query(alsoDone)
    await client.query('commit')
    return await dispatched
  } finally {
    client.release()
  }
}

describe('a release that has to wait for a renewal of its leases', () => {
  // Postgres 18 crashed here, more often than not, while the statement that hops from partition to partition locked them.
  it('goes on when it is through', async () => {
    for (let turn = 1; turn <= 8; turn += 1) {
      expect(await releaseDuring('select')).toHaveLength(3)
      await look(database(), `delete from work`)
      await queueOfEach()
    }
  })

  it('leaves what was changed meanwhile for the next time', async () => {
    const [first] = tenants
    const changed = await releaseDuring(
      `update work set touched_at = now() where tenant_id = '${first?.tenantId}'`,
    )
    expect(changed).toHaveLength(2)
    expect(await dispatch()).toMatchObject([{ tenantId: first?.tenantId }])
  })
})

describe('a release beside somebody who changes a document', () => {
  it('does not wait for it, and takes the others', async () => {
    const client = await database().superuser.connect()
    const [first] = tenants
    try {
      await client.query('begin')
      await client.query('update work set touched_at = now() where tenant_id = $1', [first?.tenantId])
      expect(await dispatch()).toHaveLength(2)
      await client.query('rollback')
    } finally {
      client.release()
    }
    expect(await dispatch()).toMatchObject([{ tenantId: first?.tenantId }])
  })
})
