import { describe, expect, it } from 'vitest'
import {
  createRootKey,
  listRootKeys,
  revokeRootKey,
  rotateRootKey,
} from '../../../src/app/identity/root-keys.ts'
import { keyStatus } from '../../../src/domain/key.ts'
import { useDatabase } from '../../support/database.ts'
import type { Caller } from '../../../src/domain/caller.ts'
import { faultOf } from '../../support/faults.ts'
import { auditor, makeTenant, pepper } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const announced: string[] = []
const ada: Caller = { tier: 'internals', actor: 'operator:ada' }
const deps = () => ({
  pools: pools(),
  pepper,
  auditor,
  announceKeyChange: (keyId: string) => void announced.push(keyId),
})

const create = async (tier: 'admin' | 'internals' = 'admin') =>
  (await createRootKey(deps(), ada, tier, { name: 'ops', expiresAt: null })).key

const statusOf = async (keyId: string) => {
  const found = (await listRootKeys(deps())).find((key) => key.keyId === keyId)
  return found && keyStatus(found)
}

describe('root keys', () => {
  it('are created live, in the tier that was asked for, by the operator who is named', async () => {
    const key = await create('internals')
    expect(key.key).toMatch(/^ck_i_/)
    expect(await listRootKeys(deps())).toContainEqual(
      expect.objectContaining({
        keyId: key.keyId,
        tier: 'internals',
        createdBy: 'operator:ada',
        name: 'ops',
      }),
    )
  })

  it('are rotated into a key of the same tier and name, both live until the overlap ends', async () => {
    const old = await create('internals')
    const rotated = await rotateRootKey(deps(), ada, old.keyId, {
      overlapSeconds: 60,
      expiresAt: null,
    })
    expect(rotated.key.key).toMatch(/^ck_i_/)
    expect(await statusOf(old.keyId)).toBe('live')
    expect(await statusOf(rotated.key.keyId)).toBe('live')
    expect(announced).toContain(old.keyId)
  })

  it('are ended at once by a rotation without overlap', async () => {
    const old = await create()
    await rotateRootKey(deps(), ada, old.keyId, { overlapSeconds: 0, expiresAt: null })
    expect(await statusOf(old.keyId)).toBe('expired')
  })

  it('are not rotated once dead, and leave no new key behind', async () => {
    const old = await create()
    await revokeRootKey(deps(), ada, old.keyId)
    const before = (await listRootKeys(deps())).length
    const rotating = rotateRootKey(deps(), ada, old.keyId, { overlapSeconds: 60, expiresAt: null })
    expect(await faultOf(rotating)).toBe('key_not_live')
    expect(await listRootKeys(deps())).toHaveLength(before)
  })

  it('are revoked for good, and it is announced to every replica', async () => {
    const key = await create()
    await revokeRootKey(deps(), ada, key.keyId)
    expect(await statusOf(key.keyId)).toBe('revoked')
    expect(announced).toContain(key.keyId)
  })

  it('do not include the keys of tenants, which are out of reach here', async () => {
    const tenant = await makeTenant(pools())
    const overlap = { overlapSeconds: 0, expiresAt: null }
    expect(await faultOf(revokeRootKey(deps(), ada, tenant.keyId))).toBe('key_not_found')
    expect(await faultOf(rotateRootKey(deps(), ada, tenant.keyId, overlap))).toBe('key_not_found')
    expect((await listRootKeys(deps())).map(({ keyId }) => keyId)).not.toContain(tenant.keyId)
  })
})
