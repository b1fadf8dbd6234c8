import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encodeCursor } from '../../../src/app/pages.ts'
import { createTenant, getTenant, listTenants } from '../../../src/app/identity/tenants.ts'
import { parseKey } from '../../../src/platform/api-key.ts'
import { useDatabase } from '../../support/database.ts'
import { faultOf } from '../../support/faults.ts'
import { administrator, auditor, makeTenant, pepper } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const deps = () => ({ pools: pools(), pepper, auditor })

describe('a new tenant', () => {
  it('has a random id and one live key, whose secret is not stored', async () => {
    const { tenantId, key } = await createTenant(deps(), administrator, { name: 'Acme' })
    expect(tenantId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(parseKey(key.key)).toMatchObject({ tier: 'tenant', keyId: key.keyId })
    const { rows } = await asRole(database(), 'registrar', (client) =>
      client.query<{ row: string }>(`select keys::text as row from keys where tenant_id = $1`, [tenantId]),
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).toContain(administrator.actor)
    expect(rows[0]?.row).not.toContain(key.key.slice(16))
  })

  it('does not exist at all when its key cannot be written', async () => {
    const before = (await listTenants(deps(), { limit: 100, cursor: undefined })).items.length
    // A digest of the wrong length is refused by the table; a null actor by its column.
    const nobody = { tier: 'admin', actor: null as unknown as string } as const
    await expect(createTenant(deps(), nobody, { name: 'Half' })).rejects.toMatchObject({ code: '23502' })
    expect((await listTenants(deps(), { limit: 100, cursor: undefined })).items).toHaveLength(before)
  })

  it('may have any name that can be stored, and two may share it', async () => {
    const name = `Ünïcode 👩‍⚖️ "quoted" ${'x'.repeat(2_000)}`
    const first = await createTenant(deps(), administrator, { name })
    const second = await createTenant(deps(), administrator, { name })
    expect((await getTenant(deps(), first.tenantId)).name).toBe(name)
    expect(second.tenantId).not.toBe(first.tenantId)
  })
})

describe('getTenant', () => {
  it('refuses an unknown id', async () => {
    expect(await faultOf(getTenant(deps(), randomUUID()))).toBe('tenant_not_found')
  })
})

describe('listTenants', () => {
  it('walks through all tenants, oldest first, each once', async () => {
    const made: string[] = []
    for (let count = 0; count < 7; count += 1) made.push((await makeTenant(pools(), `T${count}`)).tenantId)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listTenants(deps(), { limit: 3, cursor })
      seen.push(...page.items.map(({ tenantId }) => tenantId))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen.slice(-7)).toEqual(made)
    expect(new Set(seen).size).toBe(seen.length)
  })

  it.each([
    ['a month that does not exist', '2026-13-01 00:00:00+00'],
    ['a day that does not exist', '2026-02-31 00:00:00+00'],
    ['an hour that does not exist', '2026-02-01 99:99:99+00'],
    ['an offset that does not exist', '2026-02-01 00:00:00+99'],
    ['a year beyond all calendars', '999999-01-01 00:00:00+00'],
  ])('refuses a cursor with %s as the invalid cursor it is', async (_, instant) => {
    const cursor = encodeCursor([instant, randomUUID()])
    expect(await faultOf(listTenants(deps(), { limit: 3, cursor }))).toBe('validation_failed')
  })
})
