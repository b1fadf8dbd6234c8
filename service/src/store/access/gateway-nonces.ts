/** Statements on gateway nonces. They are nobody's: a nonce is spent before its tenant is trusted. */
import type { Pool } from '../pools.ts'

/** False when the nonce was spent before, on any replica. */
export async function spendNonce(registry: Pool, nonce: string): Promise<boolean> {
  const { rowCount } = await registry.query(
    'insert into gateway_nonces (nonce) values ($1) on conflict do nothing',
    [nonce],
  )
  return rowCount === 1
}

export async function forgetOldNonces(registry: Pool): Promise<void> {
  await registry.query(`delete from gateway_nonces where seen_at < now() - interval '3 minutes'`)
}
