import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deleteOldNonces, spendNonce } from '../../../src/store/access/gateway-nonces.ts'
import { useDatabase } from '../../support/database.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const nonce = () => randomBytes(16).toString('hex')

describe('a nonce', () => {
  it('can be spent once, however many try at the same moment', async () => {
    const one = nonce()
    const spent = await Promise.all(Array.from({ length: 12 }, () => spendNonce(pools().registry, one)))
    expect(spent.filter(Boolean)).toHaveLength(1)
    expect(await spendNonce(pools().registry, nonce())).toBe(true)
  })

  it('is remembered for longer than any signature lives, and then forgotten', async () => {
    const [young, old] = [nonce(), nonce()]
    await asRole(database(), 'registrar', (client) =>
      client.query(
        `insert into gateway_nonces values ($1, now() - interval '121 seconds'), ($2, now() - interval '1 hour')`,
        [young, old],
      ),
    )
    await deleteOldNonces(pools().registry)
    // A timestamp up to 60 s ahead is accepted, and 60 s behind: a replay could come 120 s later.
    expect(await spendNonce(pools().registry, young)).toBe(false)
    expect(await spendNonce(pools().registry, old)).toBe(true)
  })
})
