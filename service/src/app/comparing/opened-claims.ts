/**
 * An LRU cache of decrypted claims. The representatives of a group are compared with every new member, and decrypting, parsing and
 * preparing a claim costs more than comparing it. The cache is bounded in size and, while comparisons go on, in age.
 */
import type { LocatedClaim } from '../../domain/claim.ts'
import type { Memory } from '../../rules/comparing.ts'

export interface OpenedClaims {
  /** Values computed from the claims, for as long as they are cached. */
  readonly memory: Memory
  get(key: string): LocatedClaim | undefined
  keep(key: string, claim: LocatedClaim): void
}

const MAX_CLAIMS = 4_000
const MAX_AGE_MS = 60_000

export interface OpenedClaimsOptions {
  readonly max?: number
  readonly now?: () => number
}

export function createOpenedClaims({
  max = MAX_CLAIMS,
  now = () => performance.now(),
}: OpenedClaimsOptions = {}): OpenedClaims {
  // A map keeps insertion order, so the least recently used entry comes first.
  const kept = new Map<string, { readonly claim: LocatedClaim; readonly usedAt: number }>()

  function keep(key: string, claim: LocatedClaim): void {
    kept.delete(key)
    kept.set(key, { claim, usedAt: now() })
    for (const [oldest, { usedAt }] of kept) {
      if (kept.size <= max && now() - usedAt < MAX_AGE_MS) break
      kept.delete(oldest)
    }
  }

  return {
    memory: new WeakMap(),
    get(key) {
      const claim = kept.get(key)?.claim
      if (claim) keep(key, claim)
      return claim
    },
    keep,
  }
}
