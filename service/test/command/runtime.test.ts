import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})

const runtime = (...args: string[]) => runConcord(processEnv(database()), 'runtime', ...args)

async function told(...args: string[]): Promise<unknown> {
  return JSON.parse((await runtime(...args, '--json')).stdout)
}

describe('concord runtime', () => {
  it('moves and shows the switch of the service, of a tenant and of a scope', async () => {
    const ofScope = ['--tenant', tenant.tenantId, '--scope', 'default']
    expect(await told('pause')).toMatchObject({ level: 'service', state: 'paused', changed: true })
    expect(await told('stop', '--tenant', tenant.tenantId)).toMatchObject({
      level: 'tenant',
      tenant_id: tenant.tenantId,
      state: 'stopped',
    })
    expect(await told('restart', ...ofScope)).toMatchObject({
      level: 'scope',
      state: 'running',
      effective_state: 'stopped',
      generation: 1,
      changed_by: expect.stringMatching(/^operator:/),
    })
    await told('start', '--tenant', tenant.tenantId)
    expect((await runtime('show', ...ofScope)).stdout).toMatch(/^effective_state +paused$/m)
    expect(await told('resume')).toMatchObject({ level: 'service', state: 'running' })
  })

  it('exits with 1 and prints what to do', async () => {
    const ofTenant = ['--tenant', tenant.tenantId]
    await runtime('stop', ...ofTenant)
    const refused = await runtime('pause', ...ofTenant)
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('only start and restart')])
    const half = await runtime('pause', '--scope', 'default')
    expect([half.code, half.output]).toEqual([1, expect.stringContaining('--tenant')])
    const unknown = await runtime('show', ...ofTenant, '--scope', 'nowhere')
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('No such scope')])
  })
})
