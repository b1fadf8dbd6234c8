/**
 * Decides whether a presented key is good. A key read from Postgres is remembered for less than a second, and
 * forgotten at once when a revocation is announced: the announcement is for speed, the short memory is the
 * guarantee, because it holds even when the announcement is lost.
 */
import { Fault } from '../domain/fault.ts'
import type { Caller, TenantCaller } from '../domain/caller.ts'
import { opensTier } from '../domain/key.ts'
import { digestKey, findPepper, keyPrefix, parseKey, pepperId } from '../platform/api-key.ts'
import type { KeyTier } from '../platform/api-key.ts'
import { rootKeyExists, selectCredential } from '../store/key-registry.ts'
import type { NewDigest, StoredCredential } from '../store/key-registry.ts'
import type { Pool } from '../store/pools.ts'

/** Revocation must hold everywhere within one second; this leaves a quarter of it for the query. */
// @point auth.cache-time
const MEMORY_MS = 750
const MEMORY_SIZE = 10_000

interface Remembered {
  /** Taken before the query was sent, so that the answer is never trusted for longer than it should be. */
  readonly askedAt: number
  readonly answer: Promise<StoredCredential | undefined>
}

export interface CredentialsDeps {
  readonly registry: Pool
  /** New keys are made with the first; keys made with any of them are good. */
  readonly peppers: readonly [Buffer, ...Buffer[]]
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number
}

export interface Credentials {
  /** The tenant that a key proves; refuses keys of the other tiers. */
  authenticateTenant(key: string): Promise<TenantCaller>
  /** The holder of an admin or internals key; refuses keys that do not open the tier. */
  authenticatePlatform(key: string, tier: 'admin' | 'internals'): Promise<Caller>
  /** Whether anyone could open /admin at all. */
  hasRootKey(): Promise<boolean>
  /** Called when a revocation or an early expiry is announced. */
  forget(keyId: string): void
  /** The ids of keys that were good since the last call. */
  takeUsed(): string[]
  /** New digests for keys that were found under an older pepper since the last call. */
  takeOutdated(): NewDigest[]
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const memory = new Map<string, Remembered>()
  const used = new Set<string>()
  const outdated = new Map<string, NewDigest>()
  const [pepper] = deps.peppers
  const presentId = pepperId(pepper)
  // Once there has been one, a refused credential costs no query; a stranger must not be able to cause any.
  let rootKeySeen = false

  async function authenticate(presented: string): Promise<Caller & { tenantId: string | null }> {
    const parsed = parseKey(presented)
    if (!parsed) throw new Fault('credential_invalid', { internal: 'not a key, or a wrong checksum' })
    const { askedAt, answer } = recall(deps, memory, parsed.keyId)
    const stored = await answer
    const made = findPepper(deps.peppers, parsed.key, stored?.digest)
    if (!stored || !made || stored.tier !== parsed.tier) throw new Fault('credential_invalid')
    refuseDead(stored, deps.monotonicMs() - askedAt)
    const { keyId } = stored
    used.add(keyId)
    if (stored.pepperId !== presentId)
      outdated.set(keyId, { keyId, digest: digestKey(pepper, parsed.key), pepperId: presentId })
    return { tier: stored.tier, actor: keyPrefix(stored.tier, stored.keyId), tenantId: stored.tenantId }
  }

  return {
    async authenticateTenant(key) {
      const caller = await authenticate(key)
      if (caller.tenantId === null) throw new Fault('wrong_tier')
      return { ...caller, tenantId: caller.tenantId }
    },
    async authenticatePlatform(key, tier) {
      const { tenantId: _none, ...caller } = await authenticate(key)
      rootKeySeen ||= caller.tier !== 'tenant'
      requireTier(caller.tier, tier)
      return caller
    },
    async hasRootKey() {
      rootKeySeen ||= await rootKeyExists(deps.registry)
      return rootKeySeen
    },
    forget: (keyId) => void memory.delete(keyId),
    takeUsed() {
      const taken = [...used]
      used.clear()
      return taken
    },
    takeOutdated() {
      const taken = [...outdated.values()]
      outdated.clear()
      return taken
    },
  }
}

function requireTier(held: KeyTier, wanted: KeyTier): void {
  if (!opensTier(held, wanted)) throw new Fault('wrong_tier')
}

/** Only someone who holds the right secret is told why it no longer works. */
function refuseDead(stored: StoredCredential, ageMs: number): void {
  if (stored.revoked) throw new Fault('credential_revoked')
  if (stored.expiresInMs !== null && stored.expiresInMs <= ageMs) throw new Fault('credential_expired')
}

function recall(deps: CredentialsDeps, memory: Map<string, Remembered>, keyId: string): Remembered {
  const now = deps.monotonicMs()
  const known = memory.get(keyId)
  if (known && now - known.askedAt < MEMORY_MS) return known
  const asked: Remembered = { askedAt: now, answer: selectCredential(deps.registry, keyId) }
  // A failed query is not an answer: the next request asks again.
  asked.answer.catch(() => memory.get(keyId) === asked && memory.delete(keyId))
  memory.delete(keyId)
  memory.set(keyId, asked)
  forgetOldest(memory)
  return asked
}

/** A map keeps insertion order, so its first entry is the oldest. */
function forgetOldest(memory: Map<string, Remembered>): void {
  if (memory.size <= MEMORY_SIZE) return
  const oldest = memory.keys().next()
  if (!oldest.done) memory.delete(oldest.value)
}
