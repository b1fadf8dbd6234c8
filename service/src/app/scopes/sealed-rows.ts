/** Reads encrypted rows of a scope together with the seal of their generation. */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { Pools } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import type { ScopeSeal, ScopeSeals } from './scope-seals.ts'

export interface ScopeReadDeps {
  readonly pools: Pools
  readonly seals: ScopeSeals
}

/** The result of a read, and the generations of the encrypted rows in it. */
export interface SealedRows<Rows> {
  readonly loaded: Rows
  readonly epochs: readonly number[]
}

/** Reads rows and the seal that decrypts them. If the scope is reset in between, both are read again. */
export async function readSealedRows<Rows>(
  { pools, seals }: ScopeReadDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
  select: (transaction: TenantTransaction) => Promise<SealedRows<Rows>>,
): Promise<{ readonly loaded: Rows; readonly seal: ScopeSeal }> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- once more only when the scope was reset meanwhile
    const { loaded, epochs } = await inTenant(pools.tenant, tenantId, select)
    // oxlint-disable-next-line no-await-in-loop
    const seal = await seals.get(tenantId, scopeId)
    if (epochs.every((epoch) => epoch === seal.epoch)) return { loaded, seal }
    seals.forget(tenantId, scopeId, seal.epoch)
  }
  throw new Fault('unavailable', { internal: 'the scope was reset again and again' })
}

/** The maximum number of tries. A scope may be reset during a request. */
const MAX_TRIES = 10
