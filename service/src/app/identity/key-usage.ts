/**
 * Records when keys were last used, in one statement per minute for all keys, outside of requests. Keys that were verified with an
 * older pepper get a digest with the present one in the same way, so that the older one can be retired.
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
    // Losing a minute of usage is only logged.
    await markKeysUsed(registry, used).catch((error: unknown) =>
      log.warn({ err: error }, 'key use was not noted'),
    )
  }

  async function writeDigests(): Promise<void> {
    const digests = takeOutdated()
    if (digests.length === 0) return
    // The next use of these keys adds them again.
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
