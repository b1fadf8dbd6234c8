/**
 * A cache of the seals of scopes, which encrypt their content, so that accepting a document takes one query. A stale seal does no
 * harm: the statement that accepts a document compares its epoch and refuses it.
 */
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import { createFingerprint } from '../../platform/fingerprint.ts'
import type { Fingerprint } from '../../platform/fingerprint.ts'
import { openSealed, seal } from '../../platform/sealing.ts'
import type { Pool } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import { openScopeDataKey } from './scopes.ts'

/** Encrypts and decrypts the content of one generation of a scope. The context binds each value to the row it was encrypted for. */
export interface ScopeSeal {
  readonly epoch: number
  seal(purpose: string, documentId: string, plain: Buffer): Buffer
  open(purpose: string, documentId: string, sealed: Buffer): Buffer
  /** Computes keyed hashes, which are the same in all scopes of the tenant. */
  readonly fingerprint: Fingerprint
}

export interface ScopeSeals {
  get(tenantId: string, scopeId: string): Promise<ScopeSeal>
  /** Drops the seal of this epoch from the cache. A newer one, fetched meanwhile, stays. */
  forget(tenantId: string, scopeId: string, epoch: number): void
}

export interface ScopeSealsDeps {
  readonly pool: Pool
  readonly masterKeys: readonly MasterKeyBytes[]
}

const MEMORY_SIZE = 10_000

export function createScopeSeals({ pool, masterKeys }: ScopeSealsDeps): ScopeSeals {
  const memory = new BoundedMap<string, Promise<ScopeSeal>>(MEMORY_SIZE)
  const epochs = new WeakMap<Promise<ScopeSeal>, number>()

  async function fetchSeal(tenantId: string, scopeId: string): Promise<ScopeSeal> {
    const { epoch, bytes, hashKey } = await inTenant(pool, tenantId, (transaction) =>
      openScopeDataKey(masterKeys, transaction, scopeId),
    )
    const contextOf = (purpose: string, documentId: string) => [
      purpose,
      tenantId,
      scopeId,
      documentId,
      String(epoch),
    ]
    return {
      epoch,
      seal: (purpose, documentId, plain) => seal(bytes, contextOf(purpose, documentId), plain),
      open: (purpose, documentId, sealed) => openSealed(bytes, contextOf(purpose, documentId), sealed),
      fingerprint: createFingerprint(hashKey),
    }
  }

  function remember(key: string, fetching: Promise<ScopeSeal>): void {
    memory.set(key, fetching)
    fetching.then(
      ({ epoch }) => epochs.set(fetching, epoch),
      // An unknown scope is not cached, because it may be created at any moment.
      () => {
        if (memory.get(key) === fetching) memory.delete(key)
      },
    )
  }

  return {
    async get(tenantId, scopeId) {
      const key = `${tenantId}/${scopeId}`
      const known = memory.get(key)
      if (known) return known
      const fetching = fetchSeal(tenantId, scopeId)
      remember(key, fetching)
      return fetching
    },
    forget(tenantId, scopeId, epoch) {
      const key = `${tenantId}/${scopeId}`
      const known = memory.get(key)
      // A seal that is being fetched is never stale.
      if (known && (epochs.get(known) ?? Infinity) <= epoch) memory.delete(key)
    },
  }
}
