import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openScopeDataKey } from '../../src/app/scopes/scopes.ts'
import { inTenant } from '../../src/store/transaction.ts'
import { useDatabase } from '../support/database.ts'
import { makeTenant, masterKeys } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(pools())
})

const scopes = (...args: string[]) =>
  runConcord(processEnv(database()), 'scopes', ...args, '--tenant', tenant.tenantId)

describe('concord scopes', () => {
  it('creates a scope with a data key that the service can open, and lists it', async () => {
    const created = await scopes('create', 'due-diligence', '--display-name', 'Acme: purchase', '--json')
    expect(JSON.parse(created.stdout)).toMatchObject({
      scope_id: 'due-diligence',
      display_name: 'Acme: purchase',
      epoch: 0,
    })
    const { bytes } = await inTenant(pools().tenant, tenant.tenantId, (own) =>
      openScopeDataKey(masterKeys, own, 'due-diligence'),
    )
    expect(bytes).toHaveLength(32)

    const second = await scopes('create', 'a-second')
    expect(second.stdout).toMatch(/^scope_id +a-second$/m)
    expect(second.stdout).toMatch(/^display_name +-$/m)

    const [table, json] = await Promise.all([scopes('list'), scopes('list', '--json')])
    expect(table.stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^scope_id +display_name +epoch +created_at$/),
      expect.stringMatching(/^a-second +- +0 /),
      expect.stringMatching(/^due-diligence +Acme: purchase +0 /),
    ])
    expect((JSON.parse(json.stdout) as { scope_id: string }[]).map(({ scope_id }) => scope_id)).toEqual([
      'a-second',
      'due-diligence',
    ])
  })

  it('shows a scope, and empties or deletes it only with --yes', async () => {
    await scopes('create', 'short-lived')
    expect((await scopes('show', 'short-lived')).stdout).toMatch(/^effective_state +running$/m)
    for (const [verb, says] of [
      ['reset', /everything in the scope short-lived.*the scope itself stays/],
      ['delete', /the scope short-lived with everything in it/],
    ] as const) {
      const { code, output } = await scopes(verb, 'short-lived')
      expect(code).toBe(2)
      expect(output).toMatch(says)
      expect(output).toContain('--yes')
    }
    expect(JSON.parse((await scopes('show', 'short-lived', '--json')).stdout)).toMatchObject({ epoch: 0 })
    const emptied = await scopes('reset', 'short-lived', '--yes', '--json')
    expect(JSON.parse(emptied.stdout)).toMatchObject({ epoch: 1, seq: 2, documents: 0, log_entries: 1 })
    expect((await scopes('delete', 'short-lived', '--yes')).code).toBe(0)
    const gone = await scopes('show', 'short-lived')
    expect([gone.code, gone.output]).toEqual([1, expect.stringContaining('No such scope')])
  })

  it.each([
    ['a scope id of another form', ['create', 'Due Diligence'], /lowercase letters/],
    ['a scope that exists', ['create', 'due-diligence'], /exists already.*choose another/],
  ])('ends with 1 and says what to do: %s', async (_, args, hint) => {
    const { code, output } = await scopes(...args)
    expect(code).toBe(1)
    expect(output).toMatch(hint)
  })

  it.each([
    ['neither a tenant nor a profile', ['scopes', 'list'], /concord init/],
    ['a tenant that nobody has', ['scopes', 'create', 'x', '--tenant', randomUUID()], /No such tenant/],
  ])('ends with 1 and says what to do: %s', async (_, args, hint) => {
    const { code, output } = await runConcord(processEnv(database()), ...args)
    expect(code).toBe(1)
    expect(output).toMatch(hint)
  })
})
