import { beforeEach, describe, expect, it } from 'vitest'
import { openCard, sealCard } from '../../../src/app/documents/document-card.ts'
import { createScopeSeals } from '../../../src/app/scopes/scope-seals.ts'
import { SealError } from '../../../src/platform/sealing.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { nextGeneration } from '../../support/generations.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})

const seals = () => createScopeSeals({ pool: pools().tenant, masterKeys })
const words = Buffer.from('the words themselves')

describe('scopes that do not exist', () => {
  it('evict no seal from a full cache, and are found once they are created', async () => {
    let connections = 0
    const { tenant: pool } = pools()
    const counting = new Proxy(pool, {
      get(target, name) {
        if (name === 'connect') connections += 1
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const small = createScopeSeals({ pool: counting, masterKeys, size: 3 })
    const seal = await small.get(tenant.tenantId, 'default')
    const unknown = Array.from({ length: 10 }, (_, index) => `unknown-${index}`)
    const other = await makeTenant(pools())
    for (const scopeId of unknown)
      expect(await faultOf(small.get(other.tenantId, scopeId))).toBe('scope_not_found')
    const before = connections
    expect(before).toBeGreaterThan(10)
    expect(await small.get(tenant.tenantId, 'default')).toBe(seal)
    expect(connections).toBe(before)
    await makeScope(pools(), other, 'unknown-1')
    expect((await small.get(other.tenantId, 'unknown-1')).epoch).toBe(0)
  })
})

describe('a seal', () => {
  it('opens what another process sealed in the same scope', async () => {
    const [here, there] = [
      await seals().get(tenant.tenantId, 'default'),
      await seals().get(tenant.tenantId, 'default'),
    ]
    const sealed = here.seal('text', 'report', words)
    expect(here.epoch).toBe(0)
    expect(sealed.includes(words)).toBe(false)
    expect(there.open('text', 'report', sealed)).toEqual(words)
  })

  it('ties what it seals to its purpose, document, scope, tenant and generation', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'default')
    await makeScope(pools(), tenant, 'second')
    const own = seals()
    const seal = await own.get(tenant.tenantId, 'default')
    const sealed = seal.seal('text', 'report', words)
    expect(() => seal.open('card', 'report', sealed)).toThrow(SealError)
    expect(() => seal.open('text', 'another', sealed)).toThrow(SealError)
    for (const [tenantId, scopeId] of [
      [tenant.tenantId, 'second'],
      [other.tenantId, 'default'],
    ] as const) {
      const foreign = await own.get(tenantId, scopeId)
      expect(() => foreign.open('text', 'report', sealed)).toThrow(SealError)
    }
    await nextGeneration(database(), tenant, 'default')
    const next = await seals().get(tenant.tenantId, 'default')
    expect(next.epoch).toBe(1)
    expect(() => next.open('text', 'report', sealed)).toThrow(SealError)
  })

  it('never seals the same words to the same bytes', async () => {
    const seal = await seals().get(tenant.tenantId, 'default')
    expect(seal.seal('text', 'a', words)).not.toEqual(seal.seal('text', 'a', words))
  })
})

describe('the cache of seals', () => {
  it('queries the database once for many requests at the same time', async () => {
    const own = seals()
    const found = await Promise.all(Array.from({ length: 20 }, () => own.get(tenant.tenantId, 'default')))
    expect(new Set(found).size).toBe(1)
    // Known without asking: the key is gone and the seal is still given.
    await look(database(), 'delete from scope_keys where tenant_id = $1', [tenant.tenantId])
    expect(await own.get(tenant.tenantId, 'default')).toBe(found[0])
  })

  it('drops the given seal, and nothing else', async () => {
    await makeScope(pools(), tenant, 'second')
    const own = seals()
    const [first, second] = [
      await own.get(tenant.tenantId, 'default'),
      await own.get(tenant.tenantId, 'second'),
    ]
    await nextGeneration(database(), tenant, 'default')
    expect(await own.get(tenant.tenantId, 'default')).toBe(first)
    own.forget(tenant.tenantId, 'default', first.epoch)
    expect((await own.get(tenant.tenantId, 'default')).epoch).toBe(1)
    expect(await own.get(tenant.tenantId, 'second')).toBe(second)
    const newer = await own.get(tenant.tenantId, 'default')
    own.forget(tenant.tenantId, 'default', first.epoch)
    expect(await own.get(tenant.tenantId, 'default')).toBe(newer)
  })

  it('does not cache that a scope is unknown, because it may be created in the next moment', async () => {
    const own = seals()
    expect(await faultOf(own.get(tenant.tenantId, 'later'))).toBe('scope_not_found')
    await makeScope(pools(), tenant, 'later')
    expect((await own.get(tenant.tenantId, 'later')).epoch).toBe(0)
  })

  it('does not cache a failure of the database', async () => {
    const own = seals()
    await look(database(), 'alter table scope_keys rename to scope_keys_away')
    const failed = own.get(tenant.tenantId, 'default')
    await expect(failed).rejects.toThrow('scope_keys')
    await look(database(), 'alter table scope_keys_away rename to scope_keys')
    expect((await own.get(tenant.tenantId, 'default')).epoch).toBe(0)
  })
})

describe('a card', () => {
  it.each([
    { name: 'Annual report', source: 'https://example.org/x', provenance: 'sha256:00' },
    { name: 'Ünïcødé “quotes” \\ and \n lines 🎉', source: null, provenance: null },
  ])('comes back as it was sealed: $name', async (card) => {
    const seal = await seals().get(tenant.tenantId, 'default')
    const sealed = sealCard(seal, 'report', card)
    expect(openCard(seal, 'report', sealed)).toEqual(card)
    expect(() => openCard(seal, 'another', sealed)).toThrow(SealError)
  })
})
