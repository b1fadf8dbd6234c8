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
  /** How many seals are kept. */
  readonly size?: number
}

const MEMORY_SIZE = 10_000

export function createScopeSeals({ pool, masterKeys, size = MEMORY_SIZE }: ScopeSealsDeps): ScopeSeals {
  const memory = new BoundedMap<string, ScopeSeal>(size)
  const pending = new Map<string, Promise<ScopeSeal>>()

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

  /**
   * Only a scope that exists enters the cache: ids that a tenant makes up would evict the seals of other tenants, and an unknown
   * scope may be created at any moment.
   */
  async function fetchOnce(place: string, fetching: Promise<ScopeSeal>): Promise<ScopeSeal> {
    pending.set(place, fetching)
    try {
      const fetched = await fetching
      memory.set(place, fetched)
      return fetched
    } finally {
      pending.delete(place)
    }
  }

  return {
    async get(tenantId, scopeId) {
      const place = `${tenantId}/${scopeId}`
      return memory.get(place) ?? pending.get(place) ?? fetchOnce(place, fetchSeal(tenantId, scopeId))
    },
    forget(tenantId, scopeId, epoch) {
      const place = `${tenantId}/${scopeId}`
      const known = memory.get(place)
      if (known && known.epoch <= epoch) memory.delete(place)
    },
  }
}
