/**
 * The keys of one generation of a scope: the data key, which a master key wraps, and the key of the hashes that claims are filed
 * under. The second comes from the master key that wrapped the first one, so that whoever reads documents needs no further secret and
 * equal claims of a tenant hash alike. Another master key would give another one, so it is kept, sealed, before that changes.
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
  readonly printKey: Buffer
}

export function openScopeKeys(
  masterKeys: readonly MasterKeyBytes[],
  generation: ScopeGeneration,
  stored: StoredScopeKey,
): ScopeKeys {
  const bytes = unwrapDataKey(masterKeys, scopeKeyContext(generation), stored)
  const printKey = stored.sealedPrintKey
    ? openSealed(bytes, printKeyContext(generation), stored.sealedPrintKey)
    : deriveFingerprintKey(masterKeyOf(masterKeys, stored.masterKeyId), generation.tenantId, 'claims')
  return { bytes, printKey }
}

/** The same keys, under the first of the master keys. */
export function rewrapScopeKeys(
  masterKeys: readonly MasterKeyBytes[],
  generation: ScopeGeneration,
  stored: StoredScopeKey,
): StoredScopeKey {
  const { bytes, printKey } = openScopeKeys(masterKeys, generation, stored)
  return {
    ...wrapDataKey(masterKeys, scopeKeyContext(generation), bytes),
    sealedPrintKey: stored.sealedPrintKey ?? seal(bytes, printKeyContext(generation), printKey),
  }
}

export function scopeKeyContext({ tenantId, scopeId, epoch }: ScopeGeneration): string[] {
  return ['scope-data-key', tenantId, scopeId, String(epoch)]
}

function printKeyContext({ tenantId, scopeId, epoch }: ScopeGeneration): string[] {
  return ['scope-print-key', tenantId, scopeId, String(epoch)]
}
