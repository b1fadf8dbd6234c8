/**
 * Caches the live keys of the operator and reads them every half minute. Without the cache, an outage of the database would
 * refuse the request for the health report that names the outage. The cached keys authenticate only health requests.
 */
import type { Caller } from '../../domain/caller.ts'
import { opensTier } from '../../domain/key.ts'
import { findPepper, keyPrefix, parseKey } from '../../platform/api-key.ts'
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import { selectLiveRootKeys } from '../../store/identity/key-registry.ts'
import type { StoredCredential } from '../../store/identity/key-registry.ts'
import type { Pool } from '../../store/pools.ts'

export interface OperatorKeysDeps {
  readonly registry: Pool
  readonly peppers: readonly Buffer[]
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number
  readonly log: Log
}

export interface OperatorKeys extends Part {
  /** Returns undefined for a key that was not live at the last read; the database then decides. */
  authenticate(key: string, tier: 'admin' | 'internals'): Caller | undefined
  /** Called when a revocation or an early expiry is announced. */
  forget(keyId: string): void
}

const READ_EVERY_MS = 30_000
/** The maximum age of the cache: a process that has lost the database does not learn of revocations. */
const KEPT_MS = 60 * 60_000

export function createOperatorKeys({ registry, peppers, monotonicMs, log }: OperatorKeysDeps): OperatorKeys {
  let known: ReadonlyMap<string, StoredCredential> = new Map()
  let readAt = -Infinity
  const forgotten = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    const askedAt = monotonicMs()
    forgotten.clear()
    try {
      const found = await selectLiveRootKeys(registry)
      known = new Map(found.map((each) => [each.keyId, each]))
      readAt = askedAt
    } catch (error) {
      log.debug({ err: error }, 'the keys of the operator could not be read')
    }
  }

  function find(key: string): StoredCredential | undefined {
    const parsed = parseKey(key)
    const stored = parsed && known.get(parsed.keyId)
    if (!parsed || !findPepper(peppers, parsed.key, stored?.digest)) return undefined
    return stored?.tier === parsed.tier && !forgotten.has(parsed.keyId) ? stored : undefined
  }

  return {
    name: 'operator keys',
    authenticate(key, tier) {
      const ageMs = monotonicMs() - readAt
      const stored = find(key)
      if (!stored || ageMs > KEPT_MS || !opensTier(stored.tier, tier)) return undefined
      if (stored.expiresInMs !== null && stored.expiresInMs <= ageMs) return undefined
      return { tier: stored.tier, actor: keyPrefix(stored.tier, stored.keyId) }
    },
    forget: (keyId) => void forgotten.add(keyId),
    async start() {
      await read()
      timer = setInterval(() => void read(), READ_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
