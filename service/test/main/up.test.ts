/** `concord up` and the commands of the kernel, as an operator starts them. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '@concord/tools/launch'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord, startApiProcess } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'
import { openStream } from '../support/streams.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)
const prefix = () => processEnv(database())['SUBJECT_PREFIX'] ?? ''

afterAll(() => removeStream(prefix()))

describe('concord up', () => {
  it('accepts, dispatches and reads in one process, and a SIGTERM ends all of it with 0', async () => {
    const tenant = await makeTenant(pools())
    await makeScope(pools(), tenant, 'default')
    const up = await startApiProcess({ ...processEnv(database()), READERS: '1', DRAIN_SECONDS: '5' }, 'up')
    const own = { ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId }
    const stream = await openStream(`${up.url}/api/scopes/default/events?after=0`, own)
    const { headers, ...rest } = jsonBody({
      scope_id: 'default',
      name: 'n',
      text: 'Words.',
      document_id: 'd',
    })
    const accepted = await callApi(`${up.url}/api/ingest`, { ...rest, headers: { ...headers, ...own } })
    expect(accepted.status).toBe(202)
    await stream.untilEvent('document.processed', 'd', 30_000)
    const asked = performance.now()
    up.signal('SIGTERM')
    expect(await up.exited).toEqual({ code: 0, signal: null })
    expect(performance.now() - asked).toBeLessThan(10_000)
    await stream.close()
    expect(await look(database(), 'select from dispatch_leases where holder is not null')).toEqual([])
  })

  it('exits with 1 and names the part that cannot start, leaving nothing behind', async () => {
    const url = new URL(processEnv(database())['WORKER_DATABASE_URL'] ?? '')
    url.port = String(await freePort())
    const env = { ...processEnv(database()), WORKER_DATABASE_URL: url.href, PORT: '0', DRAIN_SECONDS: '1' }
    const { code, output } = await runConcord(env, 'up')
    expect(code).toBe(1)
    expect(output).toContain('database did not start')
  })
})

describe.each(['dispatcher', 'worker'])('concord %s', (role) => {
  it('checks its configuration and starts nothing', async () => {
    const { code, stdout } = await runConcord(processEnv(database()), role, '--check-config')
    expect([code, stdout]).toEqual([0, 'The configuration is complete.\n'])
  })

  it('prints all faults and ends with 1', async () => {
    const { code, output } = await runConcord({ READERS: 'x' }, role, '--check-config')
    expect(code).toBe(1)
    for (const name of ['WORKER_DATABASE_URL', 'NATS_URL', 'MASTER_KEY', 'READERS'])
      expect(output).toMatch(new RegExp(`^ +- ${name} `, 'm'))
    expect(output).not.toContain('KEY_PEPPER')
  })

  it('refuses a role that could see past row-level security', async () => {
    const env = { ...processEnv(database()), WORKER_DATABASE_URL: database().url('owner') }
    const { code, output } = await runConcord(env, role)
    expect(code).toBe(1)
    expect(output).toContain('concord_owner owns tables')
  })
})
