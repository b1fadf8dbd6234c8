/**
 * The keys of one generation of a scope: the data key, which a master key wraps, and the hash key for claims. The hash key
 * is derived from the same master key, so that a reader needs no further secret and equal claims of a tenant have equal
 * hashes. Another master key would derive another hash key, so the present one is stored, encrypted, before the master
 * key changes.
 */
import type { MasterKeyBytes } from '../../platform/config.ts'
import { deriveFingerprintKey } from '../../platform/fingerprint.ts'
import { masterKeyOf, openSealed, seal, unwrapDataKey, wrapDataKey } from '../../platform/sealing.ts'
import type { StoredScopeKey } from '../../store/scopes/scope-keys.ts'

export interface ScopeGeneration {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
}

export interface ScopeKeys {
  /** The data key. */
  readonly bytes: Buffer
  readonly hashKey: Buffer
}

export function openScopeKeys(
  masterKeys: readonly MasterKeyBytes[],
  generation: ScopeGeneration,
  stored: StoredScopeKey,
): ScopeKeys {
  const bytes = unwrapDataKey(masterKeys, scopeKeyContext(generation), stored)
  const hashKey = stored.sealedPrintKey
    ? openSealed(bytes, hashKeyContext(generation), stored.sealedPrintKey)
    : deriveFingerprintKey(masterKeyOf(masterKeys, stored.masterKeyId), generation.tenantId, 'claims')
  return { bytes, hashKey }
}

/** Wraps the same keys with the first master key. */
export function rewrapScopeKeys(
  masterKeys: readonly MasterKeyBytes[],
  generation: ScopeGeneration,
  stored: StoredScopeKey,
): StoredScopeKey {
  const { bytes, hashKey } = openScopeKeys(masterKeys, generation, stored)
  return {
    ...wrapDataKey(masterKeys, scopeKeyContext(generation), bytes),
    sealedPrintKey: stored.sealedPrintKey ?? seal(bytes, hashKeyContext(generation), hashKey),
  }
}

export function scopeKeyContext({ tenantId, scopeId, epoch }: ScopeGeneration): string[] {
  return ['scope-data-key', tenantId, scopeId, String(epoch)]
}

function hashKeyContext({ tenantId, scopeId, epoch }: ScopeGeneration): string[] {
  return ['scope-print-key', tenantId, scopeId, String(epoch)]
}
