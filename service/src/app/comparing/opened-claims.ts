/**
 * Claims that were opened lately. Who speaks for a group is looked at whenever somebody joins it, and opening, parsing and
 * preparing a claim costs more than all that follows. Bounded in number and, as long as comparing goes on, in age.
 */
import type { LocatedClaim } from '../../domain/claim.ts'
import type { Memory } from '../../rules/comparing.ts'

export interface OpenedClaims {
  /** Values worked out from the claims, as long as these are here. */
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
  // The one that was not used for longest comes first: a map keeps the order.
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
