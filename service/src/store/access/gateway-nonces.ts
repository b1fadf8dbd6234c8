/** The statements of gateway nonces. They run without a tenant, because a nonce is used before its tenant is verified. */
import type { Pool } from '../pools.ts'

/** Records a nonce. Returns false if any replica has recorded it before. */
export async function spendNonce(registry: Pool, nonce: string): Promise<boolean> {
  const { rowCount } = await registry.query(
    'insert into gateway_nonces (nonce) values ($1) on conflict do nothing',
    [nonce],
  )
  return rowCount === 1
}

export async function deleteOldNonces(registry: Pool): Promise<void> {
  await registry.query(`delete from gateway_nonces where seen_at < now() - interval '3 minutes'`)
}
