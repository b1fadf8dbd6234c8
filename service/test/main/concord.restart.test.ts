/** Postgres dies and comes back; the API stays the same process and serves again. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDatabase, waitUntil } from '@concord/tools/launch'
import { ensureServices, resetServices, startPrivatePostgres } from '@concord/tools/services'
import type { PrivatePostgres, Services } from '@concord/tools/services'
import { installFunctions, readFunctions } from '../../src/store/schema/functions.ts'
import { migrate, readMigrations } from '../../src/store/schema/migrations.ts'
import { openPools } from '../../src/store/pools.ts'
import { bearer, callApi } from '../support/api.ts'
import { silentLog } from '../support/log.ts'
import { makeTenant } from '../support/people.ts'
import { processEnv, startApiProcess } from '../support/process.ts'
import type { ApiProcess } from '../support/process.ts'

// A server is set up from nothing first.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const name = 'restarted'
let stateDir: string
let services: Services
let postgres: PrivatePostgres
let api: ApiProcess
let key: string

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'concord-restart-'))
  services = await ensureServices({ stateDir })
  // A handle on the server that now runs there, to kill and to restart.
  postgres = await startPrivatePostgres({ dir: services.postgres.home, choice: services.postgres.binDir })
  await createDatabase(services, { name })
  await migrate(services.postgres.url('owner', name), await readMigrations())
  await installFunctions(services.postgres.url('owner', name), await readFunctions())
  const pools = openPools({ url: services.postgres.url('api', name), size: 1, log: silentLog })
  key = (await makeTenant(pools)).key
  await pools.close()
  api = await startApiProcess(processEnv({ services, name }))
})
afterAll(async () => {
  await api?.stop()
  await resetServices({ stateDir })
  await rm(stateDir, { recursive: true, force: true })
})

const ask = (path: string) => callApi(`${api.url}${path}`, { headers: bearer(key) })

describe('when Postgres is killed', () => {
  it('the API answers 503 and lives, and serves again once Postgres is back', async () => {
    const { pid } = api
    expect((await ask('/api/scopes')).status).toBe(200)
    // Requests in flight at the moment of the kill, so that connections in use are lost too.
    const underWay = Promise.allSettled(Array.from({ length: 40 }, () => ask('/api/scopes')))
    postgres.kill('SIGKILL')
    await underWay
    const refusal = await waitUntil(
      async () => {
        const answer = await ask('/api/scopes')
        return answer.status === 200 ? undefined : answer
      },
      { what: 'the loss being noticed' },
    )
    expect([refusal.status, refusal.body['code'], refusal.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '2',
    ])
    expect((await ask('/livez')).status).toBe(200)
    await waitUntil(async () => (await ask('/readyz')).status === 503, { what: 'readiness turning red' })
    await postgres.restart()
    await waitUntil(async () => (await ask('/api/scopes')).status === 200, { what: 'serving again' })
    await waitUntil(async () => (await ask('/readyz')).status === 200, { what: 'readiness turning green' })
    expect(api.hasExited()).toBe(false)
    expect(api.pid).toBe(pid)
  })
})
