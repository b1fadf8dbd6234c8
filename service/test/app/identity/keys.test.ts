import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  getTenantKey,
  issueTenantKey,
  listTenantKeys,
  revokeTenantKey,
  rotateTenantKey,
} from '../../../src/app/identity/keys.ts'
import { encodeCursor } from '../../../src/app/pages.ts'
import { keyStatus, MAX_LIVE_KEYS } from '../../../src/domain/key.ts'
import { useDatabase } from '../../support/database.ts'
import { faultOf } from '../../support/faults.ts'
import { administrator, auditor, makeTenant, pepper } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database, 10)
let announced: string[] = []
let tenant: TestTenant

const deps = () => ({
  pools: pools(),
  pepper,
  auditor,
  announceKeyChange: (keyId: string) => void announced.push(keyId),
})

beforeEach(async () => {
  announced = []
  tenant = await makeTenant(pools())
})

const issue = (expiresAt: Date | null = null, tenantId = tenant.tenantId) =>
  issueTenantKey(deps(), administrator, tenantId, { name: 'job', expiresAt })

const rotate = (keyId = tenant.keyId, overlapSeconds = 3_600, expiresAt: Date | null = null) =>
  rotateTenantKey(deps(), administrator, { tenantId: tenant.tenantId, keyId }, { overlapSeconds, expiresAt })

const keys = async () =>
  (await listTenantKeys(deps(), tenant.tenantId, { limit: 100, cursor: undefined })).items

const live = async () => (await keys()).filter((key) => keyStatus(key) === 'live').length

describe('issueTenantKey', () => {
  it('adds a live key beside the others, with its name, maker and expiry', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const { key } = await issue(expiresAt)
    expect(await getTenantKey(deps(), tenant.tenantId, key.keyId)).toMatchObject({
      name: 'job',
      createdBy: administrator.actor,
      expiresAt,
      expired: false,
    })
    expect(await live()).toBe(2)
  })

  it('refuses a tenant that does not exist', async () => {
    expect(await faultOf(issue(null, randomUUID()))).toBe('tenant_not_found')
  })

  it('stops at the limit of live keys, and continues once one is revoked', async () => {
    for (let count = 1; count < MAX_LIVE_KEYS; count += 1) await issue()
    expect(await faultOf(issue())).toBe('too_many_keys')
    await revokeTenantKey(deps(), administrator, tenant.tenantId, tenant.keyId)
    expect(await faultOf(issue())).toBeUndefined()
    expect(await live()).toBe(MAX_LIVE_KEYS)
  })

  it('holds the limit when 40 are asked for at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => faultOf(issue())))
    expect(await live()).toBe(MAX_LIVE_KEYS)
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(MAX_LIVE_KEYS - 1)
    expect(new Set(outcomes)).toEqual(new Set([undefined, 'too_many_keys']))
  })

  it('does not let one tenant use up the room of another', async () => {
    for (let count = 1; count < MAX_LIVE_KEYS; count += 1) await issue()
    tenant = await makeTenant(pools())
    expect(await faultOf(issue())).toBeUndefined()
  })
})

describe('rotateTenantKey', () => {
  it('leaves both keys live during the overlap, and gives the new one the name of the old', async () => {
    const named = await issue()
    const rotated = await rotate(named.key.keyId)
    expect(rotated.replaces).toBe(named.key.keyId)
    const status = Object.fromEntries((await keys()).map((key) => [key.keyId, [keyStatus(key), key.name]]))
    expect(status[named.key.keyId]).toEqual(['live', 'job'])
    expect(status[rotated.key.keyId]).toEqual(['live', 'job'])
  })

  it('ends the old key at once when there is no overlap', async () => {
    await rotate(tenant.keyId, 0)
    expect(await getTenantKey(deps(), tenant.tenantId, tenant.keyId)).toMatchObject({ expired: true })
    expect(await live()).toBe(1)
  })

  it('never lengthens the life of a key, however often it is rotated', async () => {
    const first = await rotate(tenant.keyId, 60)
    const second = await rotate(tenant.keyId, 2_592_000)
    expect(second.replacedExpiresAt).toEqual(first.replacedExpiresAt)
    const soon = new Date(Date.now() + 5_000)
    const { key } = await issue(soon)
    expect((await rotate(key.keyId, 3_600)).replacedExpiresAt).toEqual(soon)
  })

  it('keeps the lifetime of a key that expires, unless another expiry is asked for', async () => {
    const day = 86_400_000
    const { key } = await issue(new Date(Date.now() + day))
    const { expiresAt } = await rotate(key.keyId)
    expect(Math.abs((expiresAt?.getTime() ?? 0) - Date.now() - day)).toBeLessThan(60_000)
    const asked = new Date(Date.now() + 2 * day)
    expect((await rotate((await issue(asked)).key.keyId, 60, asked)).expiresAt).toEqual(asked)
    expect((await rotate((await issue()).key.keyId)).expiresAt).toBeNull()
  })

  it('announces the old key to every replica after the commit', async () => {
    await rotate()
    expect(announced).toEqual([tenant.keyId])
  })

  it('refuses a key that is dead, and leaves no new one behind', async () => {
    await revokeTenantKey(deps(), administrator, tenant.tenantId, tenant.keyId)
    const before = (await keys()).length
    expect(await faultOf(rotate())).toBe('key_not_live')
    await rotate((await issue()).key.keyId, 0)
    expect(await faultOf(rotate())).toBe('key_not_live')
    expect(await keys()).toHaveLength(before + 2)
    expect(await live()).toBe(1)
  })

  it('refuses a key that is unknown, or is of another tenant', async () => {
    const other = await makeTenant(pools())
    expect(await faultOf(rotate('0000000000'))).toBe('key_not_found')
    expect(await faultOf(rotate(other.keyId))).toBe('key_not_found')
    expect(announced).toEqual([])
  })

  it('holds the limit of live keys', async () => {
    for (let count = 1; count < MAX_LIVE_KEYS; count += 1) await issue()
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => faultOf(rotate())))
    expect(new Set(outcomes)).toEqual(new Set(['too_many_keys']))
    expect(await live()).toBe(MAX_LIVE_KEYS)
  })
})

describe('revokeTenantKey', () => {
  it('revokes a key for good, keeps the first time, and announces it to every replica each time', async () => {
    const first = await revokeTenantKey(deps(), administrator, tenant.tenantId, tenant.keyId)
    const second = await revokeTenantKey(deps(), administrator, tenant.tenantId, tenant.keyId)
    expect(first.revokedAt).toBeInstanceOf(Date)
    expect(second.revokedAt).toEqual(first.revokedAt)
    expect(announced).toEqual([tenant.keyId, tenant.keyId])
  })

  it('refuses a key that is unknown, or is of another tenant', async () => {
    const other = await makeTenant(pools())
    expect(await faultOf(revokeTenantKey(deps(), administrator, tenant.tenantId, other.keyId))).toBe(
      'key_not_found',
    )
    expect(await faultOf(revokeTenantKey(deps(), administrator, randomUUID(), tenant.keyId))).toBe(
      'key_not_found',
    )
    expect(await live()).toBe(1)
    expect(announced).toEqual([])
  })
})

describe('listTenantKeys', () => {
  it('pages through all keys, including dead ones, oldest first, each once', async () => {
    const made = [tenant.keyId]
    for (let count = 0; count < 6; count += 1) made.push((await issue()).key.keyId)
    await revokeTenantKey(deps(), administrator, tenant.tenantId, made[2] ?? '')
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listTenantKeys(deps(), tenant.tenantId, { limit: 2, cursor })
      seen.push(...page.items.map(({ keyId }) => keyId))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(made)
  })

  it('refuses a tenant that does not exist', async () => {
    const listed = listTenantKeys(deps(), randomUUID(), { limit: 2, cursor: undefined })
    expect(await faultOf(listed)).toBe('tenant_not_found')
  })

  it('refuses a cursor whose instant does not exist as the invalid cursor it is', async () => {
    const cursor = encodeCursor(['2026-99-99 99:99:99+00', tenant.keyId])
    expect(await faultOf(listTenantKeys(deps(), tenant.tenantId, { limit: 2, cursor }))).toBe(
      'validation_failed',
    )
  })
})

describe('getTenantKey', () => {
  it('refuses a key of another tenant exactly like one that does not exist', async () => {
    const other = await makeTenant(pools())
    expect(await faultOf(getTenantKey(deps(), tenant.tenantId, other.keyId))).toBe('key_not_found')
    expect(await faultOf(getTenantKey(deps(), tenant.tenantId, '0000000000'))).toBe('key_not_found')
  })
})
