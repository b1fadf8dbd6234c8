/**
 * Remembers when a key was last used, in one statement a minute for all of them, off the path of requests. Keys that were
 * found under an older pepper get a digest under the present one in the same way, so that the older one can be retired.
 */
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import { markKeysUsed, updateDigests } from '../../store/identity/key-registry.ts'
import type { NewDigest } from '../../store/identity/key-registry.ts'
import type { Pool } from '../../store/pools.ts'

export interface KeyUsageDeps {
  readonly registry: Pool
  readonly takeUsed: () => string[]
  readonly takeOutdated: () => NewDigest[]
  readonly log: Log
  readonly everyMs?: number
}

export function createKeyUsage({
  registry,
  takeUsed,
  takeOutdated,
  log,
  everyMs = 60_000,
}: KeyUsageDeps): Part {
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    await Promise.all([writeUsed(), writeDigests()])
  }

  async function writeUsed(): Promise<void> {
    const used = takeUsed()
    if (used.length === 0) return
    // A lost minute of this is worth a line in the log and no more.
    await markKeysUsed(registry, used).catch((error: unknown) =>
      log.warn({ err: error }, 'key use was not noted'),
    )
  }

  async function writeDigests(): Promise<void> {
    const digests = takeOutdated()
    if (digests.length === 0) return
    // Their next use brings them here again.
    await updateDigests(registry, digests).catch((error: unknown) =>
      log.warn({ err: error }, 'digests of keys were not renewed'),
    )
  }

  return {
    name: 'key usage',
    async start() {
      timer = setInterval(() => void write(), everyMs)
    },
    async stop() {
      clearInterval(timer)
      await write()
    },
  }
}
