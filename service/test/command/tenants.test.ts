import { describe, expect, it, vi } from 'vitest'
import { freePort } from '@concord/tools/launch'
import { useDatabase } from '../support/database.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)
const tenants = (...args: string[]) => runConcord(processEnv(database()), 'tenants', ...args)

describe('concord tenants', () => {
  it('creates a tenant with its first key, and lists it, for people', async () => {
    const empty = await tenants('list')
    expect([empty.code, empty.stdout]).toEqual([0, '(none)\n'])
    const created = await tenants('create', '--name', 'Acme Capital')
    expect(created.code).toBe(0)
    expect(created.stdout).toMatch(/^api_key +ck_t_\w{10}_\w{49}$/m)
    expect(created.output).toContain('cannot be shown again')
    const [, tenantId = 'none'] = /^tenant_id +(\S+)$/m.exec(created.stdout) ?? []
    expect((await tenants('list')).stdout).toMatch(new RegExp(`^${tenantId} +Acme Capital +\\d{4}-`, 'm'))
  })

  it('creates a tenant, and lists all of them however many pages they fill, for programs', async () => {
    const { stdout, output } = await tenants('create', '--name', 'Borealis', '--json')
    const created = JSON.parse(stdout) as Record<string, string>
    expect(Object.keys(created)).toEqual(['tenant_id', 'api_key', 'key_prefix'])
    expect(output).toBe(stdout)
    for (let count = 0; count < 120; count += 1) await makeTenant(pools(), `T${count}`)
    const listed = JSON.parse((await tenants('list', '--json')).stdout) as {
      tenant_id: string
      name: string
    }[]
    expect(listed.length).toBeGreaterThan(120)
    expect(new Set(listed.map(({ tenant_id }) => tenant_id)).size).toBe(listed.length)
    expect(listed).toContainEqual(
      expect.objectContaining({ tenant_id: created['tenant_id'], name: 'Borealis' }),
    )
  })

  it('deletes a tenant only with --yes', async () => {
    const tenant = await makeTenant(pools(), 'Cirrus')
    await makeScope(pools(), tenant, 'default')
    const asked = await tenants('delete', tenant.tenantId)
    expect([asked.code, asked.output]).toEqual([2, expect.stringMatching(/"Cirrus".*1 scope/)])
    const deleted = await tenants('delete', tenant.tenantId, '--yes', '--json')
    expect(JSON.parse(deleted.stdout)).toMatchObject({ tenant_id: tenant.tenantId, scopes: 1 })
    const again = await tenants('delete', tenant.tenantId, '--yes')
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('No such tenant')])
  })

  it('prints which option is missing without a name', async () => {
    const { code, output } = await tenants('create')
    expect(code).toBe(1)
    expect(output).toContain('--name')
  })

  it('prints what to check when the database is unavailable', async () => {
    const url = new URL(database().url('api'))
    url.port = String(await freePort())
    const env = { ...processEnv(database()), DATABASE_URL: url.href }
    const { code, output } = await runConcord(env, 'tenants', 'list')
    expect(code).toBe(1)
    expect(output).toContain('check DATABASE_URL')
    expect(output).not.toContain(url.password)
  })

  it('prints every fault of the configuration', async () => {
    const { code, output } = await runConcord({}, 'tenants', 'list')
    expect(code).toBe(1)
    expect(output).toMatch(/DATABASE_URL is not set[^]*KEY_PEPPER is not set/)
  })
})
