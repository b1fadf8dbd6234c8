import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createKeyUsage } from '../../../src/app/identity/key-usage.ts'
import { selectCredential } from '../../../src/store/identity/key-registry.ts'
import type { NewDigest } from '../../../src/store/identity/key-registry.ts'
import { useDatabase } from '../../support/database.ts'
import { createMemoryLog, silentLog } from '../../support/log.ts'
import { makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant
let used: string[]
let outdated: NewDigest[]

beforeEach(async () => {
  tenant = await makeTenant(pools())
  used = []
  outdated = []
})

afterEach(() => {
  vi.useRealTimers()
})

const takeUsed = () => used.splice(0)
const takeOutdated = () => outdated.splice(0)

const lastUsed = async () =>
  asRole(database(), 'registrar', async (client) => {
    const { rows } = await client.query<{ last_used_at: Date | null }>(
      'select last_used_at from keys where key_id = $1',
      [tenant.keyId],
    )
    return rows[0]?.last_used_at ?? undefined
  })

describe('the use of keys', () => {
  it('is written down after the interval', async () => {
    const usage = createKeyUsage({
      registry: pools().registry,
      takeUsed,
      takeOutdated,
      log: silentLog,
      everyMs: 20,
    })
    await usage.start()
    used.push(tenant.keyId)
    expect(await waitUntil(lastUsed, { what: 'the note' })).toBeInstanceOf(Date)
    await usage.stop()
  })

  it('under an older pepper leaves a digest under the present one', async () => {
    const usage = createKeyUsage({ registry: pools().registry, takeUsed, takeOutdated, log: silentLog })
    await usage.start()
    const digest = randomBytes(32)
    outdated.push({ keyId: tenant.keyId, digest, pepperId: '0123abcd' })
    await usage.stop()
    const stored = await selectCredential(pools().registry, tenant.keyId)
    expect(stored).toMatchObject({ digest, pepperId: '0123abcd' })
  })

  it('is written down when the process stops, so that the last minute is not lost', async () => {
    const usage = createKeyUsage({ registry: pools().registry, takeUsed, takeOutdated, log: silentLog })
    await usage.start()
    used.push(tenant.keyId)
    await usage.stop()
    expect(await lastUsed()).toBeInstanceOf(Date)
  })

  it('costs one statement a minute for all keys, and none when no key was used', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const counted = countQueries(pools().registry)
    const usage = createKeyUsage({ registry: counted.pool, takeUsed, takeOutdated, log: silentLog })
    await usage.start()
    used.push(tenant.keyId, '0000000001', '0000000002')
    vi.advanceTimersByTime(59_000)
    expect(counted.count()).toBe(0)
    vi.advanceTimersByTime(1_000)
    expect(counted.count()).toBe(1)
    vi.advanceTimersByTime(600_000)
    expect(counted.count()).toBe(1)
    await usage.stop()
  })

  it('that cannot be written is worth a line in the log and no more', async () => {
    const counted = countQueries(pools().registry)
    const { log, lines } = createMemoryLog()
    const usage = createKeyUsage({ registry: counted.pool, takeUsed, takeOutdated, log })
    await usage.start()
    used.push(tenant.keyId)
    counted.failNext(new Error('away'))
    await usage.stop()
    expect(lines()).toEqual([expect.objectContaining({ level: 'warn', msg: 'key use was not noted' })])
  })
})
