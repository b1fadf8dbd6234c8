/**
 * Verifies keys. A key read from Postgres is cached for less than a second, and dropped at once when a revocation is announced.
 * The announcement makes it fast; the short cache time is the guarantee, because it also holds if the announcement is lost.
 */
import { Fault } from '../../domain/fault.ts'
import type { Caller, TenantCaller } from '../../domain/caller.ts'
import { opensTier } from '../../domain/key.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { FairQueue } from '../../platform/fair-queue.ts'
import { digestKey, findPepper, keyPrefix, parseKey, pepperId } from '../../platform/api-key.ts'
import type { KeyTier } from '../../platform/api-key.ts'
import { rootKeyExists, selectCredential } from '../../store/identity/key-registry.ts'
import type { NewDigest, StoredCredential } from '../../store/identity/key-registry.ts'
import type { Pool } from '../../store/pools.ts'

/** A revocation must take effect everywhere within one second. This leaves a quarter of it for the query. */
// @point auth.cache-time
const MEMORY_MS = 750
const MEMORY_SIZE = 10_000

/** As long as a request may take. */
const TURN_WAIT_MS = 5_000

interface Remembered {
  /** Measured before the query is sent, so that the answer is never cached for too long. */
  readonly askedAt: number
  readonly answer: Promise<StoredCredential | undefined>
}

export interface CredentialsDeps {
  readonly registry: Pool
  /** The first pepper is used for new keys. Keys made with any of them are valid. */
  readonly peppers: readonly [Buffer, ...Buffer[]]
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number
  /** The size of the key cache, and of the cache of unknown keys. */
  readonly memorySize?: number
}

export interface Credentials {
  /** Returns the tenant of a key. Refuses keys of other tiers. */
  authenticateTenant(key: string, source?: string): Promise<TenantCaller>
  /** Returns the holder of an admin or internals key. Refuses keys that do not open the tier. */
  authenticatePlatform(key: string, tier: 'admin' | 'internals', source?: string): Promise<Caller>
  /** True if an admin or internals key exists. */
  hasRootKey(): Promise<boolean>
  /** Called when a revocation or an early expiry is announced. */
  forget(keyId: string): void
  /** Returns the ids of keys that were used successfully since the last call. */
  takeUsed(): string[]
  /** Returns new digests of keys that were verified with an older pepper since the last call. */
  takeOutdated(): NewDigest[]
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const memory = createMemory(deps)
  const used = new Set<string>()
  const outdated = new Map<string, NewDigest>()
  const [pepper] = deps.peppers
  const presentId = pepperId(pepper)
  // Once a root key has existed, a refused credential causes no query, so that strangers cannot cause any.
  let rootKeySeen = false

  async function authenticate(presented: string, source = ''): Promise<Caller & { tenantId: string | null }> {
    const parsed = parseKey(presented)
    if (!parsed) throw new Fault('credential_invalid', { internal: 'not a key, or a wrong checksum' })
    const { askedAt, answer } = memory.recall(parsed.keyId, source)
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
    async authenticateTenant(key, source) {
      const caller = await authenticate(key, source)
      if (caller.tenantId === null) throw new Fault('wrong_tier')
      return { ...caller, tenantId: caller.tenantId }
    },
    async authenticatePlatform(key, tier, source) {
      const { tenantId: _none, ...caller } = await authenticate(key, source)
      rootKeySeen ||= caller.tier !== 'tenant'
      requireTier(caller.tier, tier)
      return caller
    },
    async hasRootKey() {
      rootKeySeen ||= await rootKeyExists(deps.registry)
      return rootKeySeen
    },
    forget: memory.forget,
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

/** The reason why a key no longer works is given only to a caller with the right secret. */
function refuseDead(stored: StoredCredential, ageMs: number): void {
  if (stored.revoked) throw new Fault('credential_revoked')
  if (stored.expiresInMs !== null && stored.expiresInMs <= ageMs) throw new Fault('credential_expired')
}

interface Memory {
  recall(keyId: string, source: string): Remembered
  forget(keyId: string): void
}

/**
 * Unknown keys have a cache of their own, so that invented ones do not evict keys in use. Sources take turns to query the
 * database, so the requests of one source always leave a connection for the others.
 */
function createMemory({ registry, monotonicMs, memorySize = MEMORY_SIZE }: CredentialsDeps): Memory {
  const memory = new BoundedMap<string, Remembered>(memorySize)
  const misses = new BoundedMap<string, Remembered>(memorySize)
  const turns = new FairQueue({ slots: registry.options.max, waitMs: TURN_WAIT_MS })

  async function lookUp(keyId: string, source: string): Promise<StoredCredential | undefined> {
    const release = await turns.acquire(source)
    try {
      return await selectCredential(registry, keyId)
    } finally {
      release()
    }
  }

  async function remember(keyId: string, asked: Remembered): Promise<void> {
    memory.set(keyId, asked)
    // A failed query is not cached: the next request queries again.
    const answered = await asked.answer.then(
      (stored) => ({ isKnown: stored !== undefined }),
      () => undefined,
    )
    if (answered?.isKnown || memory.get(keyId) !== asked) return
    memory.delete(keyId)
    if (!answered) return
    misses.set(keyId, asked)
  }

  function forget(keyId: string): void {
    memory.delete(keyId)
    misses.delete(keyId)
  }

  return {
    forget,
    recall(keyId, source) {
      const askedAt = monotonicMs()
      const known = memory.get(keyId) ?? misses.get(keyId)
      if (known && askedAt - known.askedAt < MEMORY_MS) return known
      forget(keyId)
      const asked: Remembered = { askedAt, answer: lookUp(keyId, source) }
      void remember(keyId, asked)
      return asked
    },
  }
}
