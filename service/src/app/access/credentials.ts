/**
 * Decides whether a presented key is good. A key read from Postgres is remembered for less than a second, and
 * forgotten at once when a revocation is announced: the announcement is for speed, the short memory is the
 * guarantee, because it holds even when the announcement is lost.
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

/** Revocation must hold everywhere within one second; this leaves a quarter of it for the query. */
// @point auth.cache-time
const MEMORY_MS = 750
const MEMORY_SIZE = 10_000

/** As long as a request may take. */
const TURN_WAIT_MS = 5_000

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
  /** How many keys are remembered, and as many that nobody has. */
  readonly memorySize?: number
}

export interface Credentials {
  /** The tenant that a key proves; refuses keys of the other tiers. */
  authenticateTenant(key: string, source?: string): Promise<TenantCaller>
  /** The holder of an admin or internals key; refuses keys that do not open the tier. */
  authenticatePlatform(key: string, tier: 'admin' | 'internals', source?: string): Promise<Caller>
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
  const memory = createMemory(deps)
  const used = new Set<string>()
  const outdated = new Map<string, NewDigest>()
  const [pepper] = deps.peppers
  const presentId = pepperId(pepper)
  // Once there has been one, a refused credential costs no query; a stranger must not be able to cause any.
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

/** Only someone who holds the right secret is told why it no longer works. */
function refuseDead(stored: StoredCredential, ageMs: number): void {
  if (stored.revoked) throw new Fault('credential_revoked')
  if (stored.expiresInMs !== null && stored.expiresInMs <= ageMs) throw new Fault('credential_expired')
}

interface Memory {
  recall(keyId: string, source: string): Remembered
  forget(keyId: string): void
}

/**
 * Keys that nobody has are remembered apart, so that invented ones do not push out those in use. Sources take turns to ask the
 * database: the requests of one, whatever they are, leave a connection to the others.
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
    // A failed query is not an answer: the next request asks again.
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
