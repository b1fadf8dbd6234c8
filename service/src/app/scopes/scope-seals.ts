/**
 * The seals of scopes: what is needed to write content into a scope, remembered so that accepting a document asks the
 * database once. A seal that is out of date does no harm: the statement that accepts compares its epoch and says so.
 */
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import { createFingerprint } from '../../platform/fingerprint.ts'
import type { Fingerprint } from '../../platform/fingerprint.ts'
import { openSealed, seal } from '../../platform/sealing.ts'
import type { Pool } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import { openScopeDataKey } from './scopes.ts'

/** Content of one generation of a scope. The context ties each sealed value to the place it was made for. */
export interface ScopeSeal {
  readonly epoch: number
  seal(purpose: string, documentId: string, plain: Buffer): Buffer
  open(purpose: string, documentId: string, sealed: Buffer): Buffer
  /** Keyed hashes, the same in all scopes of the tenant. */
  readonly fingerprint: Fingerprint
}

export interface ScopeSeals {
  get(tenantId: string, scopeId: string): Promise<ScopeSeal>
  /** The seal of this epoch is out of date. A newer one, fetched by somebody else meanwhile, stays. */
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
    const { epoch, bytes, printKey } = await inTenant(pool, tenantId, (transaction) =>
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
      fingerprint: createFingerprint(printKey),
    }
  }

  function remember(place: string, fetching: Promise<ScopeSeal>): void {
    memory.set(place, fetching)
    fetching.then(
      ({ epoch }) => epochs.set(fetching, epoch),
      // An unknown scope is not remembered: it may be created in the next moment.
      () => {
        if (memory.get(place) === fetching) memory.delete(place)
      },
    )
  }

  return {
    async get(tenantId, scopeId) {
      const place = `${tenantId}/${scopeId}`
      const known = memory.get(place)
      if (known) return known
      const fetching = fetchSeal(tenantId, scopeId)
      remember(place, fetching)
      return fetching
    },
    forget(tenantId, scopeId, epoch) {
      const place = `${tenantId}/${scopeId}`
      const known = memory.get(place)
      // One that is being fetched is newer than any that could be out of date.
      if (known && (epochs.get(known) ?? Infinity) <= epoch) memory.delete(place)
    },
  }
}
