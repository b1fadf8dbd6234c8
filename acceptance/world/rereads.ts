/** Rereads of a scope, for a spec to wait for. */
import { waitUntil } from '@concord/tools/launch'
import { make } from './making.ts'
import type { Made } from './making.ts'
import { bearer } from './tenants.ts'
import type { Tenant } from './tenants.ts'

export type Reread = Made<'getReread'>

const TIMEOUT_MS = 60_000

export async function untilReread(
  { key }: Pick<Tenant, 'key'>,
  scopeId: string,
  holds: (reread: Reread) => boolean,
): Promise<Reread> {
  return waitUntil(
    async () => {
      const reread = await make('getReread', { headers: bearer(key), params: { scopeId } })
      return holds(reread) && reread
    },
    { what: `the reread of ${scopeId} coming along`, withinMs: TIMEOUT_MS },
  )
}

export async function untilRereadEnded(tenant: Pick<Tenant, 'key'>, scopeId: string): Promise<Reread> {
  return untilReread(tenant, scopeId, ({ state }) => state === 'ended')
}
