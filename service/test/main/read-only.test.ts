/** A server that only reads, as after a failover to a standby: refused as unavailable, red in both healths, and left when a primary is back. */
import { afterEach, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { isUnavailable } from '../../src/store/failures.ts'
import { pingDatabase } from '../../src/store/ping.ts'
import { openPools } from '../../src/store/pools.ts'
import { inTenant } from '../../src/store/transaction.ts'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { silentLog } from '../support/log.ts'
import { makeRootKey, makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, startApiProcess } from '../support/process.ts'
import type { ApiProcess } from '../support/process.ts'

vi.setConfig({ testTimeout: 120_000 })

const database = useDatabase()
const pools = usePools(database)

let process: ApiProcess | undefined
afterEach(async () => {
  await allowWrites()
  await process?.stop()
})

const forbidWrites = () =>
  database().superuser.query(`alter database ${database().name} set default_transaction_read_only = on`)
const allowWrites = () =>
  database().superuser.query(`alter database ${database().name} reset default_transaction_read_only`)

it('is unavailable to a transaction that writes, and its connection is not used again', async () => {
  const tenant = await makeTenant(pools())
  const write = (own: ReturnType<typeof openPools>) =>
    inTenant(own.tenant, tenant.tenantId, ({ connection }) =>
      connection.query('delete from certificates where tenant_id = $1', [tenant.tenantId]),
    )
  await forbidWrites()
  const own = openPools({ url: database().url('api'), size: 1, log: silentLog })
  try {
    const error: unknown = await write(own).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: '25006' })
    expect(isUnavailable(error)).toBe(true)
    await expect(pingDatabase(own.tenant)).rejects.toThrow('read-only')
    await allowWrites()
    await write(own)
    await pingDatabase(own.tenant)
  } finally {
    await own.close()
  }
})

it('makes the API answer 503 and both healths red, and all is well once a primary is back', async () => {
  const tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
  const { key: operator } = await makeRootKey(pools(), 'internals')
  process = await startApiProcess(processEnv(database()))
  const { url } = process
  const ingest = (documentId: string) => {
    const { headers, ...rest } = jsonBody({
      scope_id: 'default',
      name: 'a',
      text: 'A.',
      document_id: documentId,
    })
    return callApi(`${url}/api/ingest`, {
      ...rest,
      headers: { ...headers, ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId },
    })
  }
  const readyz = async () => (await fetch(`${url}/readyz`)).status
  const probes = async () =>
    (await callApi(`${url}/internals/kernel/health`, { headers: bearer(operator) })).body['probes']
  expect((await ingest('before')).status).toBe(202)
  await forbidWrites()
  // The connections to the server that failed are gone.
  await database().superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'concord'`,
    [database().name],
  )
  await waitUntil(async () => (await readyz()) === 503, { what: 'readiness turning red', withinMs: 30_000 })
  const refused = await ingest('during')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).not.toBeNull()
  await waitUntil(async () => JSON.stringify(await probes()).includes('only reads'), {
    what: 'kernel health telling of it',
    withinMs: 30_000,
  })
  await allowWrites()
  await waitUntil(async () => (await readyz()) === 200, { what: 'readiness', withinMs: 30_000 })
  await waitUntil(async () => (await ingest('after')).status === 202, { what: 'writing', withinMs: 30_000 })
})
